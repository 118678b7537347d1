# SPDX-License-Identifier: GPL-2.0
"""Frames in pieces, sent by AF_XDP: of other senders all have the header in their first piece."""

import ctypes
import mmap
import os
import socket
import struct

AF_XDP = 44
SOL_XDP = 283
XDP_MMAP_OFFSETS, XDP_TX_RING, XDP_UMEM_REG, XDP_FILL_RING, XDP_COMPLETION_RING = 1, 3, 4, 5, 6
XDP_PGOFF_TX_RING = 0x80000000
XDP_COPY, XDP_USE_SG = 1 << 1, 1 << 4
XDP_PKT_CONTD = 1 << 0
CHUNK = 4096
# pieces that a sender has in all, as no memory is used twice; a power of 2
ENTRIES = 16
libc = ctypes.CDLL(None, use_errno=True)


class Sender:
    """Sends from a device of the namespace in which it is made."""

    def __init__(self, device):
        self.sent = 0
        self.memory = mmap.mmap(-1, ENTRIES * CHUNK)
        view = (ctypes.c_char * len(self.memory)).from_buffer(self.memory)
        self.socket = socket.socket(AF_XDP, socket.SOCK_RAW)
        self.socket.setsockopt(SOL_XDP, XDP_UMEM_REG, struct.pack(
            "QQIIII", ctypes.addressof(view), len(self.memory), CHUNK, 0, 0, 0))
        for ring in (XDP_FILL_RING, XDP_COMPLETION_RING, XDP_TX_RING):
            self.socket.setsockopt(SOL_XDP, ring, ENTRIES)
        # where in each of four rings the producer, the consumer, descriptors and flags are
        offsets = struct.unpack("16Q", self.socket.getsockopt(SOL_XDP, XDP_MMAP_OFFSETS, 128))
        self.producer, self.descriptors = offsets[4], offsets[6]
        # struct sockaddr_xdp, queue 0
        address = struct.pack("HHIII", AF_XDP, XDP_COPY | XDP_USE_SG,
                              socket.if_nametoindex(device), 0, 0)
        if libc.bind(self.socket.fileno(), address, len(address)):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        self.ring = mmap.mmap(self.socket.fileno(), self.descriptors + ENTRIES * 16,
                              mmap.MAP_SHARED, offset=XDP_PGOFF_TX_RING)

    def send(self, pieces):
        """Send a frame of several pieces."""
        for piece in pieces:
            at, self.sent = self.sent, self.sent + 1
            self.memory[at * CHUNK:at * CHUNK + len(piece)] = piece
            # struct xdp_desc
            struct.pack_into("QII", self.ring, self.descriptors + 16 * at, at * CHUNK, len(piece),
                             XDP_PKT_CONTD if piece is not pieces[-1] else 0)
        struct.pack_into("I", self.ring, self.producer, self.sent)
        self.socket.send(b"", socket.MSG_DONTWAIT)

    def close(self):
        """It sends no more."""
        self.ring.close()
        self.socket.close()

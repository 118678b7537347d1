#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""A program that joins multicast groups and counts what it gets, and one that sends to groups.

groups.py join DEVICE [GROUP...]    prints "joined"; when its input ends, it prints in JSON which
                                    packets of which group came to its sockets, and how many of
                                    which group came to the device, asked for or not
groups.py send DEVICE PACKETS GROUP...    sends packets 0, 1, 2... to each group"""

import json
import os
import select
import socket
import struct
import sys

PORT = 6000
WORD = b"mcfab-groups"
ETH_P_ALL = 3
SO_RCVBUFFORCE = 33
ROOM = 1 << 22
# nothing more comes: seconds, more on the debug kernel
QUIET = 2 if os.environ.get("MCFAB_DEBUG") else 0.3


def family(group):
    """That of a group's address."""
    return socket.AF_INET6 if ":" in group else socket.AF_INET


def member(group, index):
    """A socket that has joined a group, and gets nothing but that."""
    sock = socket.socket(family(group), socket.SOCK_DGRAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, ROOM)
    sock.bind((group, PORT))
    addr = socket.inet_pton(family(group), group)
    if family(group) == socket.AF_INET6:
        sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP,
                        addr + struct.pack("@I", index))
    else:
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP,
                        addr + struct.pack("@4si", bytes(4), index))
    return sock


def take(sock, group, got):
    """The next packet of a member's socket."""
    _, of, number = sock.recv(2000).split()
    # a packet of another group is noted where nobody wants it
    got.setdefault(of.decode(), []).append(int(number) if of.decode() == group else -1)


def look(sock, frames):
    """The next frame of a device, if it is one that came and that send() has made."""
    frame, source = sock.recvfrom(2000)
    if source[2] != socket.PACKET_OUTGOING and WORD in frame:
        group = frame[frame.index(WORD):].split()[1].decode()
        frames[group] = frames.get(group, 0) + 1


def join(device, groups):
    """Join, count until the input ends and nothing more comes, and print."""
    got, frames = {}, {}
    index = socket.if_nametoindex(device)
    seen = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    seen.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, ROOM)
    seen.bind((device, ETH_P_ALL))
    socks = {member(group, index): group for group in groups}
    print("joined", flush=True)
    waits = [sys.stdin, seen, *socks]
    while True:
        ready = select.select(waits, [], [], None if sys.stdin in waits else QUIET)[0]
        if not ready:
            break
        for sock in ready:
            if sock is sys.stdin:
                waits.remove(sock)
            elif sock is seen:
                look(seen, frames)
            else:
                take(sock, socks[sock], got)
    print(json.dumps({"got": got, "frames": frames}))


def send(device, packets, groups):
    """Packets to each group, in turn. Members on the same host get none."""
    index = socket.if_nametoindex(device)
    v4 = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    v4.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF,
                  struct.pack("@4s4si", bytes(4), bytes(4), index))
    v4.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 0)
    v6 = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    v6.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, index)
    v6.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_LOOP, 0)
    for number in range(packets):
        for group in groups:
            sock = v6 if family(group) == socket.AF_INET6 else v4
            sock.sendto(b"%s %s %d\n" % (WORD, group.encode(), number), (group, PORT))


if __name__ == "__main__":
    if sys.argv[1] == "join":
        join(sys.argv[2], sys.argv[3:])
    else:
        send(sys.argv[2], int(sys.argv[3]), sys.argv[4:])

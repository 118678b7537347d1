/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the engine tells of a worm's life. In the kernel these are the
 * tracepoints of trace/; the user-space build has none.
 */
#ifndef MCFAB_ENGINE_TRACE_H
#define MCFAB_ENGINE_TRACE_H

#define mcfab_trace_generate(e, m)			do { } while (0)
#define mcfab_trace_startup(e, nr, n)			do { } while (0)
#define mcfab_trace_inject(e, worm, channel)		do { } while (0)
#define mcfab_trace_header(e, worm, router, port, vc)	do { } while (0)
#define mcfab_trace_grant(e, worm, chan, vc, waited)	do { } while (0)
#define mcfab_trace_block_enabled()			false
#define mcfab_trace_block(e, ask, router)		do { } while (0)
#define mcfab_trace_replicate(e, worm, router, n)	do { } while (0)
#define mcfab_trace_absorb(e, worm, node, vc)		do { } while (0)
#define mcfab_trace_deliver(e, d)			do { } while (0)
#define mcfab_trace_release(e, worm, vc)		do { } while (0)
#define mcfab_trace_deadlock(e, d)			do { } while (0)

#endif

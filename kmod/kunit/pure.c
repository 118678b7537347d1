// SPDX-License-Identifier: GPL-2.0
/*
 * The pure functions under test, compiled into this module once more: mcfab.ko need
 * not export them. Those that it does export for policies are not exported twice.
 */
#include <linux/module.h>

#undef EXPORT_SYMBOL_NS_GPL
#define EXPORT_SYMBOL_NS_GPL(symbol, namespace) static_assert(sizeof(#symbol #namespace))

#include "../base/memory.c"
#include "../base/u128.c"
#include "../engine/lib/timers.c"
#include "../engine/lib/pool.c"
#include "../routing/dimension.c"
#include "../routing/label.c"
#include "../stats/histogram.c"
#include "../stats/moments.c"
#include "../stats/student.c"
#include "../topology/graph.c"
#include "../topology/grid.c"
#include "../topology/mesh.c"
#include "../topology/tables.c"
#include "../workload/exponential.c"
#include "../workload/permutation.c"
#include "../base/random.c"

MODULE_DESCRIPTION("KUnit tests of mcfab");
MODULE_LICENSE("GPL");

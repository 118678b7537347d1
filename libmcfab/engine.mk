# SPDX-License-Identifier: GPL-2.0
#
# How the module's own sources are built in user space, with the shims of
# libmcfab/shim for the kernel's headers: included by libmcfab/Makefile, for
# mcastctl, and by tests/user/Makefile. Objects go to build/user/MODE.

TOP	:= $(abspath $(dir $(lastword $(MAKEFILE_LIST)))/..)
MODE	?= asan
OUT	:= $(TOP)/build/user/$(MODE)

# Folders of the module that are built here, too, and what of them is the kernel's alone.
KMOD_DIRS := base topology updown plan proof routing subnet verify workload policies stats engine fabric
KERNEL_ONLY := base/job.c base/thread.c fabric/runner.c
KMOD := $(filter-out $(KERNEL_ONLY) %.mod.c,$(patsubst $(TOP)/kmod/%,%,$(wildcard \
	$(KMOD_DIRS:%=$(TOP)/kmod/%/*.c) $(KMOD_DIRS:%=$(TOP)/kmod/%/*/*.c))))

# Functions start lines of the cache. Where they start at any address, a change in one file moves the
# code of all others, and makes runs 4 % faster or slower.
FAST := -O3 -falign-functions=64 -falign-loops=32 -falign-jumps=16

SAN_asan := -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
SAN_tsan := -O1 -fsanitize=thread
SAN_fast := $(FAST)
SAN_stretch := $(FAST)
# for a shared library: what it does not export is called directly, and needs no description
SAN_pic := $(FAST) -g0 -fPIC -fno-semantic-interposition

# Scheduling points are counted in every build but the one that has to be fast.
RESCHED := $(if $(filter fast pic,$(MODE)),,-DSHIM_RESCHED)

# Under names of their own: whoever sets CFLAGS adds to them.
ALL_CFLAGS := -std=gnu11 -g -Wall -Wextra -Wno-unused-parameter -Wno-sign-compare \
	   -Wno-missing-field-initializers $(SAN_$(MODE)) $(CFLAGS) $(EXTRA_CFLAGS)
ALL_CPPFLAGS := $(RESCHED) -I$(TOP)/libmcfab/shim -I$(TOP)/kmod -I. -I$(TOP)/include -I$(TOP)/include/uapi -MMD -MP

# Policies register themselves and are linked whole; of the rest, what is used.
POLICY_OBJ := $(patsubst %.c,$(OUT)/kmod/%.o,$(filter policies/%,$(KMOD)))
KMOD_OBJ := $(patsubst %.c,$(OUT)/kmod/%.o,$(filter-out policies/%,$(KMOD)))

$(OUT)/kmod/%.o: $(TOP)/kmod/%.c
	@mkdir -p $(@D)
	@$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -c -o $@ $<

-include $(KMOD_OBJ:.o=.d) $(POLICY_OBJ:.o=.d)

# SPDX-License-Identifier: GPL-2.0
# How a policy of one's own is built: its Makefile sets POLICY (its name), SOURCES (its files) and
# MCFAB (this folder), and includes this file.
#
# In mcfab's source this file is in tools/policy, and headers are where they are used; "make
# install" puts it into share/mcfab with all that it needs.

MCFAB := $(abspath $(MCFAB))
ifneq ($(wildcard $(MCFAB)/../../kmod/plan/policy.h),)
mcfab_kmod := $(abspath $(MCFAB)/../../kmod)
mcfab_shim := $(abspath $(MCFAB)/../../libmcfab/shim)
mcfab_uapi := $(abspath $(MCFAB)/../../include/uapi)
mcfab_abi := $(abspath $(MCFAB)/../../libmcfab/abi.sh)
mcfab_symvers = $(firstword $(wildcard $(mcfab_kmod)/Module.symvers \
	$(abspath $(MCFAB)/../../build/$(1)/kmod/Module.symvers)))
MCASTCTL ?= $(abspath $(MCFAB)/../mcastctl/mcastctl)
else
mcfab_kmod := $(MCFAB)/include/kmod
mcfab_shim := $(MCFAB)/include/shim
mcfab_uapi := $(MCFAB)/include/uapi
mcfab_abi := $(MCFAB)/abi.sh
mcfab_symvers = $(MCFAB)/symvers/$(1)
MCASTCTL ?= mcastctl
endif

policy_so := mcfab-policy-$(POLICY).so
policy_ko := mcfab-policy-$(POLICY)
KDIR ?= $(firstword $(wildcard /lib/modules/$(shell uname -r)/build) \
	$(shell ls -d /lib/modules/6.12*/build 2>/dev/null | sort -V | tail -n 1))

release = $(shell $(MAKE) -s -C $(KDIR) kernelrelease)
symvers = $(call mcfab_symvers,$(release))

all: user

help:
	@echo 'make            $(policy_so), for "mcastctl --engine user --policy-path ."'
	@echo 'make module     module/$(policy_ko).ko, for the kernel of KDIR'
	@echo 'make check      check the policy: all small groups, many others'
	@echo 'make install    install the module (root); the kernel loads it when it is named'
	@echo 'make clean      remove what was built'

user: $(policy_so)

$(policy_so): $(SOURCES) Makefile
	$(CC) -std=gnu11 -O2 -g -Wall -Wextra -Wno-unused-parameter -Wno-sign-compare \
		-Wno-missing-field-initializers $(CFLAGS) -fPIC -shared \
		-DMCFAB_POLICY_ABI='"$(shell $(mcfab_abi) $(mcfab_kmod) $(mcfab_shim) $(mcfab_uapi))"' \
		-I$(mcfab_shim) -I$(mcfab_kmod) -I$(mcfab_uapi) $(LDFLAGS) -o $@ $(SOURCES)

check: user
	$(MCASTCTL) --engine user --policy-path . policy check $(POLICY) $(CHECK)

# Kbuild takes the sources from a folder of its own, so that its files do not lie about here.
module:
	@test -n "$(KDIR)" || { echo 'no kernel headers: give KDIR=' >&2; exit 1; }
	@test -r "$(symvers)" || { echo 'make and install the module mcfab first' >&2; exit 1; }
	@mkdir -p module
	@cp $(SOURCES) $(wildcard *.h) module/
	@{ echo 'obj-m := $(policy_ko).o'; \
	echo '$(policy_ko)-y := $(SOURCES:.c=.o)'; \
	echo 'ccflags-y := -I$(mcfab_kmod) -I$(mcfab_uapi)'; } >module/Kbuild
	$(MAKE) -C $(KDIR) M=$(CURDIR)/module KBUILD_EXTRA_SYMBOLS=$(symvers) modules

install: module
	$(MAKE) -C $(KDIR) M=$(CURDIR)/module modules_install
	depmod -a $(release)

clean:
	rm -rf $(policy_so) module

.PHONY: all help user check module install clean

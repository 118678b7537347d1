# SPDX-License-Identifier: GPL-2.0
# mcfab: virtual multicast interconnect fabric; "make help" lists the targets.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory

PREFIX ?= /usr/local
# A folder to install into stands for /, for the modules, too; from wherever make is called.
ifneq ($(DESTDIR),)
override DESTDIR := $(abspath $(DESTDIR))
INSTALL_MOD_PATH ?= $(DESTDIR)
endif
ifneq ($(INSTALL_MOD_PATH),)
override INSTALL_MOD_PATH := $(abspath $(INSTALL_MOD_PATH))
endif
TOOL := tools/mcastctl
IP_PLUGIN := tools/iproute2
# Where the modules are built; check-install.sh has a place of its own.
MODULES := kmod

all: modules tool

# KDIR, W, C, LLVM given to this make reach the kernel's by themselves.
modules:
	+$(MAKE) -C $(MODULES) modules

tool:
	+$(MAKE) -C $(TOOL)
	+$(MAKE) -C $(IP_PLUGIN)

# The engine as a library for programs.
lib:
	+$(MAKE) -C libmcfab lib

modules_install: modules
	+$(MAKE) -C $(MODULES) modules_install INSTALL_MOD_PATH="$(INSTALL_MOD_PATH)"

install: modules_install tool lib
	+$(MAKE) -C $(TOOL) install PREFIX=$(PREFIX) DESTDIR="$(DESTDIR)"
	+$(MAKE) -C $(IP_PLUGIN) install DESTDIR="$(DESTDIR)"
	+$(MAKE) -C libmcfab install PREFIX=$(PREFIX) DESTDIR="$(DESTDIR)"
	+$(MAKE) -s -C $(MODULES) depmod INSTALL_MOD_PATH="$(INSTALL_MOD_PATH)"
	+install -D -m 644 $(MODULES)/Module.symvers \
		"$(DESTDIR)$(PREFIX)/share/mcfab/symvers/$$($(MAKE) -s -C $(MODULES) kernelrelease)"

# What "make install" with the same folders has put there, modules of the kernel of KDIR only.
uninstall:
	+$(MAKE) -C $(TOOL) uninstall PREFIX=$(PREFIX) DESTDIR="$(DESTDIR)"
	+$(MAKE) -C $(IP_PLUGIN) uninstall DESTDIR="$(DESTDIR)"
	+$(MAKE) -C libmcfab uninstall PREFIX=$(PREFIX) DESTDIR="$(DESTDIR)"
	+$(MAKE) -C $(MODULES) uninstall INSTALL_MOD_PATH="$(INSTALL_MOD_PATH)"
	+$(MAKE) -s -C $(MODULES) depmod INSTALL_MOD_PATH="$(INSTALL_MOD_PATH)"

# Debian packages, in build/deb.
deb:
	@scripts/deps.sh deb
	@scripts/deb.sh

check-deb:
	@scripts/deps.sh deb check-deb vm
	@scripts/check-deb.sh

# The VM has its own kernel, so its modules are built apart, in build/.
# CMD is shell text: its $ are not make's.
ifneq ($(origin CMD),undefined)
override CMD := $(value CMD)
export CMD
endif
vm: deps-vm tool
	@scripts/vm/run.sh

demo:
	@scripts/deps.sh $(if $(filter user,$(ENGINE)),tool,build vm)
	@scripts/demo.sh

ports-demo:
	@scripts/deps.sh build vm figures
	@scripts/ports-demo.sh

ports-uses:
	@scripts/deps.sh build vm
	@scripts/ports-uses.sh

ports-soak:
	@scripts/deps.sh build vm
	@scripts/ports-soak.sh

ports-bench:
	@scripts/deps.sh build vm
	@scripts/ports-bench.sh

# The kernel's own tests of bridges and multicast routing, over ports.
check-forwarding:
	@scripts/deps.sh build vm forwarding
	@scripts/check-forwarding.sh

figures:
	@scripts/deps.sh tool figures
	@scripts/figures.sh

pages:
	@scripts/deps.sh tool figures
	@scripts/pages.sh

bench: deps-vm
	@scripts/bench.sh

# 10^4 random fabrics: none deadlocks where that was proved; "make check" has 2000.
soundness:
	@scripts/deps.sh build check
	+$(MAKE) -s -C tests/user MODE=fast test_verify test_verify_exhaust
	MCFAB_FABRICS=10000 build/user/fast/test_verify
	MCFAB_FABRICS=1000 build/user/fast/test_verify_exhaust

bench-compare:
	@scripts/bench-compare.sh

check:
	@scripts/check.sh

check-debug:
	@scripts/check-debug.sh

check-clang: deps-check
	@scripts/check-clang.sh

debug-kernel: deps-debug
	@scripts/debug-kernel/build.sh

deps-vm:
	@scripts/deps.sh build vm

deps-check:
	@scripts/deps.sh build vm check

deps-debug:
	@scripts/deps.sh build vm check debug

clean:
	+$(MAKE) -C kmod clean
	+for d in $(TOOL) libmcfab tests/user; do \
		if [ -e $$d/Makefile ]; then $(MAKE) -C $$d clean; fi; \
	done
	rm -rf build results

help:
	@echo 'mcfab: virtual multicast interconnect fabric'
	@echo
	@echo '  make                 modules and mcastctl'
	@echo '  make modules         modules, against KDIR (kernel build folder)'
	@echo '  make tool            mcastctl'
	@echo '  make lib             libmcfab: the engine as a library for programs'
	@echo '  make install         modules, mcastctl and libmcfab into this system (root)'
	@echo '  make uninstall       remove what "make install" has installed (root)'
	@echo '  make deb             Debian packages, in build/deb'
	@echo '  make check-deb       install, use, upgrade and purge them in a system of their own (root)'
	@echo '  make demo            published table, measured in a VM; ENGINE=user: here,'
	@echo '                       without VM and root'
	@echo '  make ports-demo      a video over ports to a changing group, by three policies,'
	@echo '                       in a VM: delays, losses, and a picture of the channels'
	@echo '  make ports-uses      what ports are of use for, in a VM: a storm of discovery,'
	@echo '                       PTP over a congested fabric, failover of a tree'
	@echo '  make ports-bench     frames a second over ports and over veth pairs in a bridge'
	@echo '  make ports-soak      10^6 numbered frames over ports through every policy, in a VM'
	@echo '  make vm              shell in a VM with the modules loaded'
	@echo '  make vm CMD=...      run a command there; SCRIPT=file runs a file'
	@echo '  make check           every test but those of the debug kernel'
	@echo '  make check-debug     tests on a kernel with KASAN, lockdep, KUnit'
	@echo '  make check-forwarding  the kernel'"'"'s tests of bridges, their cables being fabrics'
	@echo '  make check-clang     build everything with clang'
	@echo '  make figures         the figures of the papers: quick set, or SET=full'
	@echo '  make pages           Documentation/results from RESULTS of the full set'
	@echo '  make bench           speed of the engine'
	@echo '  make bench-compare BASE=rev  against another revision, in pairs'
	@echo '  make clean           remove what was built here'
	@echo
	@echo 'Variables: KDIR= W=1 C=1 LLVM=1'
	@echo 'VM: VM_CPUS= VM_MEM= VM_TIMEOUT= VM_RESULTS= VM_NOLOAD=1 VM_ACCEL=kvm|tcg'
	@echo '    KERNEL=debug or KERNEL=<kernel build folder>'

.PHONY: all modules tool lib modules_install install vm demo ports-demo ports-uses ports-soak ports-bench \
	figures pages bench bench-compare check check-debug check-forwarding check-clang debug-kernel \
	deps-vm deps-check deps-debug clean help

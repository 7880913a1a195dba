# SPDX-License-Identifier: GPL-2.0-only
# Building for another machine than this one: make ARCH=arm64. What is built goes to
# .output/arm64, so that it is beside what is built for this machine. `scripts/setup arm64'
# installs the linker, scripts/sysroot has the libraries.

ifneq ($(ARCH),arm64)
$(error ARCH=$(ARCH): nothing is known of building for it on another machine: use arm64, or build there)
endif

TRIPLET := aarch64-linux-gnu
OUTPUT ?= .output/$(ARCH)
SYSROOT ?= $(shell scripts/sysroot $(ARCH))
# clang compiles for every machine, and is what the BPF programs need anyway. Debian's gcc for
# another machine cannot be installed beside gcc-multilib, which the tests need.
CLANG ?= clang
ifeq ($(origin CC),default)
CC := $(CLANG) --target=$(TRIPLET) --sysroot=$(SYSROOT) -Wno-unknown-attributes \
	-Wno-unused-command-line-argument
KEEP_ORDER :=
endif
ifeq ($(origin AR),default)
AR := $(TRIPLET)-ar
endif

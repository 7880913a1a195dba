# SPDX-License-Identifier: GPL-2.0-only
# Building for another machine than this one: make ARCH=arm64. What is built goes to
# .output/arm64, so that it is beside what is built for this machine. `scripts/setup arm64'
# installs the compiler, scripts/sysroot has the libraries.

ifneq ($(ARCH),arm64)
$(error ARCH=$(ARCH): nothing is known of building for it on another machine: use arm64, or build there)
endif

TRIPLET := aarch64-linux-gnu
OUTPUT ?= .output/$(ARCH)
SYSROOT ?= $(shell scripts/sysroot $(ARCH))
ifeq ($(origin CC),default)
CC := $(lastword $(sort $(notdir $(foreach d,$(subst :, ,$(PATH)),$(wildcard $(d)/$(TRIPLET)-gcc-[1-9]*)))))
ifeq ($(CC),)
$(error no $(TRIPLET)-gcc-VERSION: run scripts/setup arm64)
endif
override CC += --sysroot=$(SYSROOT)
endif
ifeq ($(origin AR),default)
AR := $(TRIPLET)-ar
endif

# SPDX-License-Identifier: GPL-2.0-only
# Quiet by default; V=1 shows the commands. Everything built goes to .output/.

PREFIX ?= /usr/local
DESTDIR ?=
# What installs packages that are missing; `make SETUP=: ...' where that is not apt's job.
SETUP ?= scripts/setup

# What is built for, by the kernel's name of it: this machine, or make ARCH=arm64.
HOST_ARCH := $(shell uname -m | sed -e 's/x86_64/x86/' -e 's/aarch64/arm64/' -e 's/ppc64le/powerpc/' \
	-e 's/riscv64/riscv/' -e 's/s390x/s390/')
ARCH ?= $(HOST_ARCH)
ifneq ($(ARCH),$(HOST_ARCH))
include scripts/cross.mk
endif
TRIPLET := $(or $(TRIPLET),$(shell uname -m)-linux-gnu)

OUTPUT ?= .output
CC ?= gcc
CLANG ?= clang
LLVM_STRIP ?= llvm-strip
BPFTOOL ?= $(shell command -v bpftool || echo /usr/sbin/bpftool)
PKG_CONFIG ?= pkg-config
PROTOC ?= protoc

ifeq ($(V),1)
Q :=
msg :=
else
Q := @
msg = @printf '  %-8s %s\n' "$(1)" "$(2)";
endif

MAKEFLAGS += --no-print-directory
.DELETE_ON_ERROR:
.SECONDARY:
.DEFAULT_GOAL := all

VERSION := 0.1.0
CFLAGS ?= -O2 -g
# Where a release of Debian or Fedora has the header of PostgreSQL's client library.
PQ_CFLAGS := $(shell $(PKG_CONFIG) --cflags libpq 2>/dev/null)
WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Werror=implicit
ALL_CFLAGS := -std=gnu11 -D_GNU_SOURCE -DPERFSTAMP_VERSION='"$(VERSION)"' -I. -Iinclude \
	-I$(OUTPUT) $(PQ_CFLAGS) $(WARNINGS) $(CPPFLAGS) $(CFLAGS)
# What the compiler and the linker can do for a program that reads what strangers wrote.
# tests/host/security.bats checks that it is there.
HARDENING := -fPIE -fstack-protector-strong -fstack-clash-protection -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
ifeq ($(ARCH),arm64)
HARDENING += -mbranch-protection=standard
endif
HARDENING_LINK := -pie -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack
LIBS := -lbpf -lcap -ldw -lelf -liberty -ljson-c -lm -lncursesw -lnettle -lprotobuf-c -lpthread -lseccomp -lsystemd -ltinfo -lzstd -llzma -lz

# The same bytes in whatever directory: the objects become part of the program.
BPF_CFLAGS := -ffile-prefix-map=$(CURDIR)=. -g -O2 -target bpf -mcpu=v3 -D__TARGET_ARCH_$(ARCH) -D__bpf__ -Iinclude -I. \
	-I$(SYSROOT)/usr/include/$(TRIPLET) -Wall -Wextra -Wno-unused-parameter \
	-Wno-gnu-variable-sized-type-not-at-end

# Everything below the effects is one static library, which needs neither
# libbpf nor root; tests and fuzzers link just that.
LIB_LAYERS := base event model parse io perfdata view
BIN_LAYERS := helper source store symbols record push cli
LIB_SRC := $(foreach l,$(LIB_LAYERS),$(wildcard user/$(l)/*.c user/$(l)/*/*.c))
BIN_SRC := $(foreach l,$(BIN_LAYERS),$(wildcard user/$(l)/*.c user/$(l)/*/*.c))
PROTO := $(wildcard user/*/*/*.proto)
PROTO_C := $(PROTO:%.proto=$(OUTPUT)/%.pb-c.c)
LIB_OBJ := $(LIB_SRC:%.c=$(OUTPUT)/%.o) $(PROTO_C:.c=.o)
BIN_OBJ := $(BIN_SRC:%.c=$(OUTPUT)/%.o)
BPF_SRC := $(wildcard bpf/*.bpf.c)
BPF_SKEL := $(BPF_SRC:bpf/%.bpf.c=$(OUTPUT)/%.skel.h) $(OUTPUT)/perfstamp_copying.skel.h

.PHONY: all
all: $(OUTPUT)/perfstamp

$(OUTPUT)/perfstamp: $(BIN_OBJ) $(OUTPUT)/libperfstamp.a
	$(call msg,LINK,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(HARDENING) $(HARDENING_LINK) $(LDFLAGS) -o $@ $^ $(LIBS)

$(OUTPUT)/libperfstamp.a: $(LIB_OBJ)
	$(call msg,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(OUTPUT)/user/%.o: user/%.c
	$(call msg,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) $(HARDENING) -MMD -MP -c -o $@ $<

# Messages of protobuf, from descriptions that are ours; protobuf-c's code includes itself by the
# path from the top of the tree.
$(OUTPUT)/%.pb-c.c: %.proto
	$(call msg,PROTO,$<)
	$(Q)mkdir -p $(@D) && $(PROTOC) --c_out=$(OUTPUT) $<

$(OUTPUT)/%.pb-c.o: $(OUTPUT)/%.pb-c.c
	$(call msg,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) $(HARDENING) -MMD -MP -c -o $@ $<

# They must be there before the files that include them.
$(LIB_OBJ): | $(PROTO_C)

# The timeline's page, as bytes that user/view/timeline/page.c includes.
PAGE := $(patsubst user/view/timeline/%,$(OUTPUT)/%.inc,$(wildcard $(addprefix user/view/timeline/*.,html css js)))

$(OUTPUT)/%.inc: user/view/timeline/%
	$(call msg,PAGE,$<)
	$(Q)mkdir -p $(@D) && od -An -v -tx1 $< | sed 's/ \([0-9a-f][0-9a-f]\)/0x\1,/g' > $@

$(OUTPUT)/user/view/timeline/page.o $(OUTPUT)/asan/user/view/timeline/page.o \
	$(OUTPUT)/lint/gcc/user/view/timeline/page.o: $(PAGE)

# The tables of a fleet's database, in the same way.
$(OUTPUT)/schema.sql.inc: user/push/schema.sql
	$(call msg,SQL,$<)
	$(Q)mkdir -p $(@D) && od -An -v -tx1 $< | sed 's/ \([0-9a-f][0-9a-f]\)/0x\1,/g' > $@

$(OUTPUT)/user/push/inventory.o $(OUTPUT)/lint/gcc/user/push/inventory.o: $(OUTPUT)/schema.sql.inc

# The skeletons must be there before the files that include them.
$(BIN_OBJ): | $(BPF_SKEL)

# libbpf reads their types (BTF), and nothing of DWARF. Those with CAN_CAST are of newer kernels
# only, and compiled once more for kernels where programs may not follow pointers (bpf/read.h).
# Where a program has both ways, the verifier takes long to remove one.
$(OUTPUT)/perfstamp.bpf.o $(OUTPUT)/faulting.bpf.o: BPF_CFLAGS += -DCAN_CAST=1

$(OUTPUT)/%.bpf.o: bpf/%.bpf.c
	$(call msg,BPF,$<)
	$(Q)mkdir -p $(@D) && $(CLANG) $(BPF_CFLAGS) -MMD -MP -c -o $@ $< && $(LLVM_STRIP) -g $@

$(OUTPUT)/%_copying.bpf.o: bpf/%.bpf.c
	$(call msg,BPF,$@)
	$(Q)mkdir -p $(@D) && $(CLANG) $(BPF_CFLAGS) -DCAN_CAST=0 -MMD -MP -c -o $@ $< && \
		$(LLVM_STRIP) -g $@

$(OUTPUT)/%.skel.h: $(OUTPUT)/%.bpf.o
	$(call msg,SKEL,$@)
	$(Q)$(BPFTOOL) gen skeleton $< name $*_bpf > $@

# All but the bytes of the object has to be the same: they are loaded by one skeleton.
$(OUTPUT)/%_copying.skel.h: $(OUTPUT)/%_copying.bpf.o $(OUTPUT)/%.skel.h
	$(call msg,SKEL,$@)
	$(Q)$(BPFTOOL) gen skeleton $< name $*_copying_bpf > $@.new
	$(Q)for file in $(OUTPUT)/$*.skel.h $@.new; do \
		sed -e '/elf_bytes(size_t/,/^}/d' -e 's/$*\(_copying\)\?_bpf/SKELETON/gI' $$file | sha256sum; \
	done | uniq | wc -l | grep -qx 1 || { echo "$@: not as $(OUTPUT)/$*.skel.h" >&2; exit 1; }
	$(Q)mv $@.new $@

# Unit tests: one program a file, with ASan and UBSan, no root.
UNIT_CFLAGS := $(ALL_CFLAGS) -O1 -fsanitize=address,undefined -fno-sanitize-recover=all \
	-fno-omit-frame-pointer
UNIT_SRC := $(wildcard tests/unit/test_*.c)
UNIT_BIN := $(UNIT_SRC:tests/unit/%.c=$(OUTPUT)/unit/%)
UNIT_LIB_OBJ := $(LIB_SRC:%.c=$(OUTPUT)/asan/%.o) $(PROTO_C:$(OUTPUT)/%.c=$(OUTPUT)/asan/%.o)

$(OUTPUT)/asan/%.o: %.c
	$(call msg,CC-ASAN,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(UNIT_CFLAGS) -MMD -MP -c -o $@ $<

$(OUTPUT)/asan/%.pb-c.o: $(OUTPUT)/%.pb-c.c
	$(call msg,CC-ASAN,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(UNIT_CFLAGS) -MMD -MP -c -o $@ $<

$(UNIT_LIB_OBJ): | $(PROTO_C)

$(OUTPUT)/asan/libperfstamp.a: $(UNIT_LIB_OBJ)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

UNIT_LIBS := -lelf -ljson-c -lm -lprotobuf-c -lzstd -lz

$(OUTPUT)/unit/%: $(OUTPUT)/asan/tests/unit/%.o $(OUTPUT)/asan/libperfstamp.a
	$(call msg,LINK,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(UNIT_CFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) -lcmocka $(UNIT_LIBS)

# The library ends below the recorder; this part of it needs no kernel.
$(OUTPUT)/unit/test_flight: $(OUTPUT)/asan/user/record/files/flight.o
# Records on their way through the recorder, with all that it is linked with.
$(OUTPUT)/unit/test_spans $(OUTPUT)/unit/test_held_maps: $(filter-out $(OUTPUT)/user/cli/%,$(BIN_OBJ))
$(OUTPUT)/unit/test_spans $(OUTPUT)/unit/test_held_maps: UNIT_LIBS := $(LIBS)
$(OUTPUT)/unit/test_container_state: $(OUTPUT)/asan/user/source/containers/state.o
$(OUTPUT)/unit/test_fair: $(OUTPUT)/asan/user/helper/fair.o
$(OUTPUT)/unit/test_dso_queue: $(OUTPUT)/asan/user/record/capture/dso_queue.o $(OUTPUT)/asan/user/helper/fair.o
# Helper processes, with what confines them.
$(OUTPUT)/unit/test_helper: $(patsubst %.c,$(OUTPUT)/asan/%.o,$(wildcard user/helper/*.c))
$(OUTPUT)/unit/test_helper: UNIT_LIBS += -lcap -lseccomp
$(OUTPUT)/unit/test_code_capture: $(patsubst %.c,$(OUTPUT)/asan/%.o,$(wildcard user/helper/*.c)) \
	$(patsubst %,$(OUTPUT)/asan/user/record/capture/code_%.o,capture counts file reader silent watch) \
	$(patsubst %,$(OUTPUT)/asan/user/source/%.o,machine/clock proc/file proc/stat)
$(OUTPUT)/unit/test_code_capture: UNIT_LIBS += -lcap -lseccomp
$(OUTPUT)/unit/test_ring_sizes: $(OUTPUT)/asan/user/source/machine/ring_sizes.o \
	$(OUTPUT)/asan/user/source/proc/file.o
$(OUTPUT)/unit/test_proc_tasks: $(patsubst %,$(OUTPUT)/asan/user/source/proc/%.o,tasks stat file)
$(OUTPUT)/unit/test_segments: $(OUTPUT)/asan/user/symbols/elf/segments.o \
	$(OUTPUT)/asan/user/symbols/elf/build_id.o
$(OUTPUT)/unit/test_segments: UNIT_LIBS += -ldw
$(OUTPUT)/unit/test_plt: $(OUTPUT)/asan/user/symbols/elf/plt.o $(OUTPUT)/asan/user/symbols/elf/table.o

.PHONY: unit
unit: $(UNIT_BIN)
	$(Q)tests/run unit

# What tests are made with: odd files, those who map them, and an oracle that is
# not perfstamp's. Guests have no compiler for BPF but run what is built here. All is bound
# at the start: the resolver's work would be samples outside of the functions tests look for.
TOOL_SRC := $(filter-out tests/tools/swapped.c tests/tools/release.c tests/tools/takeover.c tests/tools/verifier.c,$(wildcard tests/tools/*.c))
TOOL_BIN := $(TOOL_SRC:tests/tools/%.c=$(OUTPUT)/tools/%)
SWAPPED := $(foreach n,1 2,$(OUTPUT)/tools/swapped-$(n) $(OUTPUT)/tools/libswapped-$(n).so)
# clang keeps the order of functions anyway.
KEEP_ORDER ?= -fno-toplevel-reorder
SWAPPED_CFLAGS := -std=gnu11 -D_GNU_SOURCE -O1 -g $(KEEP_ORDER) -Wl,--build-id=sha1 -Wl,-z,now

RELEASE := $(OUTPUT)/tools/release-1 $(OUTPUT)/tools/release-1-again $(OUTPUT)/tools/release-2

.PHONY: tools
tools: $(TOOL_BIN) $(SWAPPED) $(RELEASE) $(OUTPUT)/tools/libtakeover.so $(OUTPUT)/tools/libverifier.so

$(OUTPUT)/tools/%: tests/tools/%.c
	$(call msg,TOOL,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) -MMD -MP -Wl,-z,now -o $@ $< -lelf -ljson-c

$(OUTPUT)/tools/unpack: tests/tools/unpack.c $(OUTPUT)/user/source/kernel/module_content.o \
		$(OUTPUT)/user/source/content/elf_file.o $(OUTPUT)/libperfstamp.a
	$(call msg,TOOL,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) -MMD -MP -o $@ $(filter-out %.h,$^) -lzstd -llzma -lz

$(OUTPUT)/tools/week $(OUTPUT)/tools/crowd $(OUTPUT)/tools/branches: $(OUTPUT)/tools/%: tests/tools/%.c $(OUTPUT)/libperfstamp.a
	$(call msg,TOOL,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) -MMD -MP -o $@ $(filter-out %.h,$^) -lzstd

# What takes over a helper process: for LD_PRELOAD.
$(OUTPUT)/tools/libtakeover.so: tests/tools/takeover.c tests/lib/attacks.h
	$(call msg,TOOL,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) -fPIC -shared -o $@ $<

# Asks the BPF verifier for its log: for LD_PRELOAD.
$(OUTPUT)/tools/libverifier.so: tests/tools/verifier.c
	$(call msg,TOOL,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) -fPIC -shared -o $@ $<

# Without a C library: there are to be many of it in little time.
$(OUTPUT)/tools/brief: tests/tools/brief.c
	$(call msg,TOOL,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) -fno-stack-protector -nostdlib -static -Wl,--build-id=sha1 -o $@ $<

$(OUTPUT)/tools/swapped-%: tests/tools/swapped.c
	$(call msg,TOOL,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(SWAPPED_CFLAGS) -DBUILD=$* -o $@ $<

$(OUTPUT)/tools/libswapped-%.so: tests/tools/swapped.c
	$(call msg,TOOL,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(SWAPPED_CFLAGS) -DBUILD=$* -DLIBRARY -fPIC -shared -o $@ $<

RELEASE_CFLAGS := $(SWAPPED_CFLAGS) -fno-omit-frame-pointer

# The second build has a function in a library, which is beside it; the first build is compiled
# twice, so that there is one with another build-id and nothing changed.
$(OUTPUT)/tools/librelease.so: tests/tools/release.c
	$(call msg,TOOL,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(RELEASE_CFLAGS) -DLIBRARY -fPIC -shared -o $@ $<

$(OUTPUT)/tools/release-1: tests/tools/release.c
	$(call msg,TOOL,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(RELEASE_CFLAGS) -DBUILD=1 -o $@ $<

$(OUTPUT)/tools/release-1-again: tests/tools/release.c
	$(call msg,TOOL,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(RELEASE_CFLAGS) -DBUILD=1 -DAGAIN -o $@ $<

$(OUTPUT)/tools/release-2: tests/tools/release.c $(OUTPUT)/tools/librelease.so
	$(call msg,TOOL,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(RELEASE_CFLAGS) -DBUILD=2 -o $@ $< -L$(@D) -lrelease -Wl,-rpath,'$$ORIGIN:$(abspath $(@D))'

# The loads that the comparison with perf records, and what times it. Frame pointers
# because it records call chains.
BENCH_BIN := $(patsubst tests/bench/%.c,$(OUTPUT)/bench/%,$(wildcard tests/bench/*.c))

$(OUTPUT)/bench/%: tests/bench/%.c
	$(call msg,BENCH,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) -fno-omit-frame-pointer -MMD -MP -o $@ $<

$(OUTPUT)/bench/day: tests/bench/day.c $(OUTPUT)/libperfstamp.a
	$(call msg,BENCH,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) -MMD -MP -o $@ $(filter-out %.h,$^) -lzstd

$(OUTPUT)/bench/limits: tests/bench/limits.c
	$(call msg,BENCH,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) -MMD -MP -o $@ $< -lbpf -lelf -lz

# About ten minutes on an idle machine; QUICK=1 takes less than two.
.PHONY: bench
bench: all $(BENCH_BIN) $(OUTPUT)/tools/reload
	$(Q)tests/bench/run

# What the kernel itself asks for each of these, beside perf and perfstamp; some two minutes.
.PHONY: bench-limits
bench-limits: all $(BENCH_BIN)
	$(Q)tests/bench/run limits

# How much of the CPU time of a tree is in its samples, and what that costs, against perf;
# about ten minutes.
.PHONY: bench-sampling
bench-sampling: all tools
	$(Q)tests/bench/sampling
	$(Q)tests/bench/sampling without
	$(Q)tests/bench/sampling cost

# Which functions of runtimes are named, where addresses are used again too, and what that costs:
# docs/code.md; about three minutes.
.PHONY: bench-code
bench-code: all tools
	$(Q)tests/lib/runtimes/compare
	$(Q)tests/bench/code

# The database of a fleet: how fast push fills it, its size, and how long questions take. 1,000 hosts
# of 32 files each, or HOSTS=n FILES=n; FILES=1 takes some minutes.
.PHONY: bench-fleet
bench-fleet: all tools
	$(Q)tests/bench/fleet

# What push takes for one file, beside recording it: half a minute.
.PHONY: bench-push
bench-push: all tools $(BENCH_BIN)
	$(Q)tests/bench/push

# A receiver and a database that are away for an hour, or AWAY seconds each, and what push does then.
.PHONY: away
away: all
	$(Q)AWAY=$${AWAY:-3600} bats -f 'is away' tests/host/push-http.bats
	$(Q)AWAY=$${AWAY:-3600} bats -f 'is away' tests/host/push.bats

# What replaced and needrestart say of the same services, under systemd in a guest: some minutes.
.PHONY: needrestart
needrestart: all
	$(Q)tests/bench/needrestart

# What the records of kernel-patch/ cost, against BPF; builds two kernels at first.
.PHONY: bench-kernel
bench-kernel: all $(BENCH_BIN)
	$(call msg,SETUP,build test kernel)
	$(Q)$(SETUP) build test kernel
	$(Q)tests/bench/run kernel

# What diff says where it is known what changed: 100 recordings, or RUNS=n, whose intervals are
# to hold the truth; twice as many pairs of one build, where little is to be marked. Some
# 20 minutes.
.PHONY: diff-truth
diff-truth: all tools
	$(Q)tests/lib/diff.sh truth $${RUNS:-100}
	$(Q)tests/lib/diff.sh same $$((2 * $${RUNS:-100}))

# Files that are rewritten just after they were mapped: 10,000 of each kind.
.PHONY: late-write
late-write: all tools
	TRIES=10000 tests/run tests/host/late-write.bats

# Programs with several executable segments, node among them, by every rung of every kernel of
# the guests: half an hour.
.PHONY: segments
segments: all tools
	ALL_RUNGS=1 PERFSTAMP_TEST_TIMEOUT=14400 tests/run tests/guest/segments.bats
	$(Q)sed -n 's/^# //p' $(OUTPUT)/test/guest-segments.tap

# What the verifier of each of the guests' kernels processes for each BPF program: the table of
# docs/verifier.md. Some five minutes.
.PHONY: verifier-table
verifier-table: all tools
	$(Q)tests/lib/verifier.sh

# 1,000 processes that map at full speed, 100,000 cgroups and 100,000 mounts, recorded in a guest, or
# FLOOD_TIMES=n and FLOOD_MAPS=n: half an hour or more.
.PHONY: flood
flood: all tools
	FLOOD_TIMES=$${FLOOD_TIMES:-100000} FLOOD_MAPS=$${FLOOD_MAPS:-50000} PERFSTAMP_TEST_TIMEOUT=15000 \
		tests/run tests/guest/flood.bats
	$(Q)cat $(OUTPUT)/test/guest-flood.tap

# A whole machine in a guest, recorded in many files under a load: about half an hour on an
# idle machine, or HOURS=n. HOST=1: the load alone, on this very machine, in minutes.
.PHONY: soak
ifdef HOST
soak: all tools
	$(Q)export SOAK_PROCESSES=$${SOAK_PROCESSES:-200000} SOAK_ROTATIONS=$${SOAK_ROTATIONS:-50} \
		SOAK_TINY=$${SOAK_TINY:-10} && bash tests/lib/soak.sh host $(OUTPUT)/soak.host && \
		bash tests/lib/soak.sh judge $(OUTPUT)/soak.host >$(OUTPUT)/soak
	$(Q)cat $(OUTPUT)/soak
	$(Q)! grep '^wrong: ' $(OUTPUT)/soak >/dev/null
else
soak: all tools
	$(Q)SOAK_KERNEL=$${SOAK_KERNEL:-6.12} SOAK_PROCESSES=$${SOAK_PROCESSES:-200000} \
		SOAK_ROTATIONS=$${SOAK_ROTATIONS:-50} SOAK_TINY=$${SOAK_TINY:-10} SOAK_SAID=$(OUTPUT)/soak \
		SOAK_TIMEOUT=$${SOAK_TIMEOUT:-$$((43200 + $${HOURS:-0} * 3600))} \
		PERFSTAMP_TEST_TIMEOUT=$$((86400 + $${HOURS:-0} * 3600)) tests/run tests/guest/soak.bats
	$(Q)cat $(OUTPUT)/soak
endif

# What docs/large-machines.md quotes: 64 emulated CPUs, or LARGE_CPUS=n; many threads, cgroups
# and DSOs; the cost of writing and reading. About half an hour.
.PHONY: large
large: all tools
	$(Q)LARGE_CPUS=$${LARGE_CPUS:-64} PERFSTAMP_TEST_TIMEOUT=3600 tests/run tests/guest/large.bats
	$(Q)scripts/guest --memory 4G --timeout 3600 newest -- bash tests/lib/large.sh crowd /tmp/large
	$(Q)bash tests/lib/large.sh writer $(OUTPUT)/large
	$(Q)bash tests/lib/large.sh reader $(OUTPUT)/large
	$(Q)rm -rf $(OUTPUT)/large

# Never the wrong content: 10,200 random corruptions of cache entries, bundles and definitions
# of probes, 3400 of each, or CORRUPTIONS=n. Three quarters of an hour on a busy machine.
.PHONY: corruptions
corruptions: all tools
	$(Q)CORRUPTIONS=$${CORRUPTIONS:-3400} bats --tap -f 'damaged at random|what is damaged is not used' \
		tests/host/cache.bats tests/host/archive.bats tests/host/probes.bats

# What npm has to bring: speedscope's own importer reads what export writes, in a browser, whose
# screenshot is .output/importers/speedscope.png; and CycloneDX's library validates bills of materials.
.PHONY: importers
importers: all tools
	$(Q)tests/lib/cyclonedx.sh $(OUTPUT)/importers
	$(Q)tests/lib/speedscope.sh $(OUTPUT)/importers

# Receivers of others: an OpenTelemetry Collector, built of Debian sid's packages, gets what push
# sends, sample by sample; debuginfod-find, gdb and perf read what push --binaries has put into an
# S3 server, which npm brings. Five minutes at first.
.PHONY: receivers
receivers: all tools
	$(Q)tests/lib/collector.sh $(OUTPUT)/receivers
	$(Q)tests/lib/s3rver.sh $(OUTPUT)/receivers

# The pictures of the README.
.PHONY: pictures
pictures: all
	$(Q)scripts/pictures

# The same for axe, which looks for what keeps people with a screen reader, a keyboard or other
# colors from using the timeline: nothing serious may be found.
.PHONY: accessibility
accessibility: all tools
	$(Q)tests/lib/accessibility.sh $(OUTPUT)/accessibility

# Finds what no one thought of: FUZZ_SECONDS of libFuzzer on each target of FUZZ. What it finds new
# is kept below $(OUTPUT); tests/fuzz/corpus has what tests begin with.
FUZZ_SECONDS ?= 60
FUZZ_CORPUS ?= $(OUTPUT)/fuzz/corpus
FUZZ_TARGETS := answers bundle commands containers elf event parse perfdata repair text unwind
FUZZ ?= $(FUZZ_TARGETS)
FUZZ_BIN := $(FUZZ_TARGETS:%=$(OUTPUT)/fuzz/%)
FUZZ_REPLAY := $(FUZZ_TARGETS:%=$(OUTPUT)/fuzz/replay-%)
FUZZ_CFLAGS := $(ALL_CFLAGS) -O1 -fsanitize=fuzzer-no-link,address,undefined \
	-fno-sanitize-recover=all -Wno-unknown-attributes
# What readers of foreign bytes need beyond the library: each program links what it uses of it.
FUZZ_EXTRA := $(wildcard user/helper/*.c user/store/*/*.c user/symbols/*.c user/symbols/*/*.c) \
	user/push/http.c user/push/libcurl.c user/record/control.c user/source/containers/state.c \
	user/source/machine/metrics_listener.c
FUZZ_SRC := $(foreach l,base event io model parse perfdata,$(wildcard user/$(l)/*.c user/$(l)/*/*.c)) $(FUZZ_EXTRA)
FUZZ_PROTO := $(OUTPUT)/user/view/export/otlp.pb-c.c
FUZZ_OBJ := $(FUZZ_SRC:%.c=$(OUTPUT)/fuzz/obj/%.o) $(FUZZ_PROTO:$(OUTPUT)/%.c=$(OUTPUT)/fuzz/obj/%.o)
FUZZ_EXTRA_ASAN := $(FUZZ_EXTRA:%.c=$(OUTPUT)/asan/%.o)
FUZZ_LIBS := -lcap -ldw -lelf -liberty -ljson-c -lm -lnettle -lprotobuf-c -lpthread -lseccomp -lzstd -llzma -lz

$(OUTPUT)/fuzz/obj/%.o: %.c
	$(call msg,CC-FUZZ,$<)
	$(Q)mkdir -p $(@D) && $(CLANG) $(FUZZ_CFLAGS) -MMD -MP -c -o $@ $<

$(OUTPUT)/fuzz/obj/%.pb-c.o: $(OUTPUT)/%.pb-c.c
	$(call msg,CC-FUZZ,$<)
	$(Q)mkdir -p $(@D) && $(CLANG) $(FUZZ_CFLAGS) -MMD -MP -c -o $@ $<

$(OUTPUT)/fuzz/obj/tests/fuzz/fuzz_answers.o $(OUTPUT)/asan/tests/fuzz/fuzz_answers.o: | $(PROTO_C)

$(OUTPUT)/fuzz/libperfstamp.a: $(FUZZ_OBJ)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(OUTPUT)/fuzz/libextra.a: $(FUZZ_EXTRA_ASAN)
	$(Q)mkdir -p $(@D) && rm -f $@ && $(AR) rcs $@ $^

$(FUZZ_BIN): $(OUTPUT)/fuzz/%: $(OUTPUT)/fuzz/obj/tests/fuzz/fuzz_%.o $(OUTPUT)/fuzz/libperfstamp.a
	$(call msg,FUZZ,$@)
	$(Q)$(CLANG) $(FUZZ_CFLAGS) -fsanitize=fuzzer -o $@ $^ $(FUZZ_LIBS)

$(FUZZ_REPLAY): $(OUTPUT)/fuzz/replay-%: $(OUTPUT)/asan/tests/fuzz/fuzz_%.o \
		$(OUTPUT)/asan/tests/fuzz/replay.o $(OUTPUT)/fuzz/libextra.a $(OUTPUT)/asan/libperfstamp.a
	$(call msg,LINK,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(UNIT_CFLAGS) -o $@ $^ $(FUZZ_LIBS)

.PHONY: fuzz fuzz-programs fuzz-table
fuzz-programs: $(FUZZ_BIN) $(FUZZ_REPLAY)

fuzz:
	$(call msg,SETUP,build fuzz)
	$(Q)$(SETUP) build fuzz
	$(Q)$(MAKE) -s $(FUZZ_BIN)
	$(Q)set -e; for target in $(FUZZ); do \
		mkdir -p $(FUZZ_CORPUS)/$$target; \
		$(OUTPUT)/fuzz/$$target -max_total_time=$(FUZZ_SECONDS) \
			$(FUZZ_CORPUS)/$$target tests/fuzz/corpus/$$target; \
	done

# The table of docs/fuzzing.md: what each target of FUZZ covers of the code that it drives. A target
# runs till its coverage has not grown for FUZZ_STOP executions, or for FUZZ_SECONDS.
FUZZ_STOP ?= 1000000
fuzz-table: $(FUZZ_BIN)
	$(Q)FUZZ_CORPUS=$(FUZZ_CORPUS) tests/lib/fuzz_table.sh $(FUZZ_STOP) $(FUZZ_SECONDS) $(FUZZ)

# The series of kernel-patch/, on the source that Debian packages: that each patch applies and
# builds, what it does in a guest, and what perfstamp makes of it there. Compiles for some ten
# minutes at first, and runs for as long again.
.PHONY: kernel kernel-7.2
kernel: series = 6.12
kernel: built = patched
kernel-7.2: series = 7.2
kernel-7.2: built = patched-7.2
kernel kernel-7.2:
	$(call msg,SETUP,build test kernel)
	$(Q)$(SETUP) build test kernel
	$(Q)$(MAKE) $(ALL_CPUS) all tools
	$(Q)scripts/kernel check $(series)
	$(Q)scripts/kernel test $(built)
	$(Q)KERNEL=$(built) tests/run tests/kernel/native.bats

# The parts of kernel-patch/v2, each for each version: check, and its KUnit tests; and all
# together on the newest version: their selftests, and what a stock perf gains.
.PHONY: kernel-v2
kernel-v2:
	$(call msg,SETUP,build test kernel)
	$(Q)$(SETUP) build test kernel
	$(Q)set -e; for series in $(patsubst kernel-patch/%/,%,$(wildcard kernel-patch/v2/*/*/)); do \
		scripts/kernel check $$series; \
		scripts/kernel kunit $$series; \
	done
	$(Q)$(MAKE) $(ALL_CPUS) all tools
	$(Q)scripts/kernel test patched-v2-7.2
	$(Q)KERNEL=patched-v2-7.2 tests/run tests/kernel/cold.bats

# The same kernel with KASAN, lockdep and kmemleak: its own tests, and a storm.
.PHONY: kernel-debug
kernel-debug:
	$(call msg,SETUP,build test kernel)
	$(Q)$(SETUP) build test kernel
	$(Q)$(MAKE) $(ALL_CPUS) all tools
	$(Q)scripts/kernel test patched-debug
	$(Q)tests/run tests/kernel/storm.bats

# For targets that do everything: on all CPUs, unless make was told how many.
ALL_CPUS = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc))

# A scene of some seconds: SCENE=replaced, containers, module or jit. Where the running kernel
# cannot load a module, a guest does, which is made of what tests need.
SCENE ?= replaced

.PHONY: demo
demo:
	$(call msg,SETUP,build demo)
	$(Q)$(SETUP) build demo $(if $(filter module,$(SCENE)),test)
	$(Q)$(MAKE) $(ALL_CPUS) -s all
	$(Q)scripts/demo $(SCENE)

.PHONY: test-programs
test-programs: all tools $(UNIT_BIN) fuzz-programs

# What guests of arm64 run. Its own make, since all names above are of one architecture.
.PHONY: arm64-programs
arm64-programs:
	$(Q)$(MAKE) ARCH=arm64 OUTPUT=.output/arm64 all tools

# All of arm64: what is built for it, and the tests in guests of it, with pages of 4 and of 16 KiB.
# An hour or more.
.PHONY: arm64
arm64:
	$(call msg,SETUP,build test arm64)
	$(Q)$(SETUP) build test arm64
	$(Q)$(MAKE) $(ALL_CPUS) all tools
	$(Q)$(MAKE) $(ALL_CPUS) arm64-programs
	$(Q)tests/run tests/arm64/*.bats

.PHONY: test
test:
	$(call msg,SETUP,build test)
	$(Q)$(SETUP) build test fuzz
	$(Q)$(MAKE) $(ALL_CPUS) test-programs
	$(Q)tests/run unit golden host guest

# The same tests but those in guests, in a root that is a plain directory, and in a privileged
# container of podman.
.PHONY: test-chroot test-podman
test-chroot: in := tests/lib/plain_root.sh
test-podman: in := tests/lib/podman_root.sh --
test-chroot test-podman:
	$(call msg,SETUP,build test)
	$(Q)$(SETUP) build test fuzz
	$(Q)$(MAKE) $(ALL_CPUS) test-programs
	$(Q)$(in) tests/run unit golden host

# What the README promises, on Debian roots that have nothing but apt and git.
BARE_SUITES ?= bookworm trixie
BARE_TARGETS ?= demo test

.PHONY: bare
bare:
	$(Q)set -e; for suite in $(BARE_SUITES); do \
		for target in $(BARE_TARGETS); do \
			printf '  %-8s %s\n' BARE "$$suite: make $$target"; \
			scripts/bare $$suite -- sh -c 'apt-get update && \
				apt-get install -y make && make "$$0"' $$target; \
		done; \
	done

# The Debian packages, built in bare roots: in $(OUTPUT)/deb/SUITE.
.PHONY: deb
deb:
	$(Q)set -e; for suite in $(BARE_SUITES); do \
		printf '  %-8s %s\n' DEB "$(OUTPUT)/deb/$$suite"; \
		scripts/bare --out $(OUTPUT)/deb/$$suite $$suite -- scripts/deb /out; \
	done

# The packages from their build to their purge, in bare roots and under systemd in a guest, and
# the RPM: a quarter of an hour.
.PHONY: packages-test
packages-test: all tools
	$(Q)tests/run tests/packages/*.bats

# The tools' versions are those of Debian 12: others format otherwise and find other things.
CLANG_FORMAT ?= clang-format
CLANG_TIDY ?= clang-tidy
LINT := $(OUTPUT)/lint
LINT_C := $(wildcard user/*/*.c user/*/*/*.c tests/unit/*.c tests/tools/*.c tests/bench/*.c tests/fuzz/*.c scripts/demo.d/*.c)
LINT_TIDY := $(LIB_SRC) $(BIN_SRC)
FORMATTED := $(LINT_C) $(wildcard user/*/*.h user/*/*/*.h bpf/*.[ch] include/perfstamp/*.h tests/*/*.h)
SHELL_FILES = $(shell grep -rlIE '^(.!.*[/ ](bash|sh|bats)$$|. shellcheck shell=)' scripts tests .ci)

$(LINT)/gcc/%.o: %.c
	$(call msg,WERROR,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) $(HARDENING) -Werror -MMD -MP -c -o $@ $<

$(LINT)/clang/%.o: %.c $(LINT)/gcc/%.o
	$(Q)mkdir -p $(@D) && $(CLANG) $(ALL_CFLAGS) -Werror -Wno-unknown-attributes -c -o $@ $<

# One file at a time: version 14's analyzer carries over what it knows of the last one.
$(LINT)/tidy/%.ok: %.c $(LINT)/gcc/%.o .clang-tidy
	$(call msg,TIDY,$<)
	$(Q)mkdir -p $(@D) && $(CLANG_TIDY) --quiet $< -- $(ALL_CFLAGS) 2>$@.log || { cat $@.log; exit 1; }
	$(Q)touch $@

$(LINT_C:%.c=$(LINT)/gcc/%.o): | $(BPF_SKEL) $(PROTO_C)

.PHONY: lint lint-format lint-compile lint-tidy lint-shell lint-man lint-words lint-layers
lint:
	$(call msg,SETUP,build test lint)
	$(Q)$(SETUP) build test lint
	$(Q)$(MAKE) -k $(ALL_CPUS) lint-format lint-layers lint-shell lint-man lint-words lint-compile lint-tidy

lint-format:
	$(call msg,FORMAT,*.[ch])
	$(Q)$(CLANG_FORMAT) --dry-run --Werror $(FORMATTED)

lint-compile: $(LINT_C:%.c=$(LINT)/gcc/%.o) $(LINT_C:%.c=$(LINT)/clang/%.o)
lint-tidy: $(LINT_TIDY:%.c=$(LINT)/tidy/%.ok)

lint-shell:
	$(call msg,SHELL,scripts tests .ci)
	$(Q)shellcheck $(SHELL_FILES)

lint-man: all
	$(call msg,MAN,docs/man)
	$(Q)scripts/lint-man

lint-words:
	$(call msg,WORDS,README.md docs user)
	$(Q)scripts/lint-words

lint-layers:
	$(call msg,LAYERS,user)
	$(Q)scripts/lint-includes
	$(Q)scripts/lint-circles

include scripts/install.mk

# An OCI archive for privileged containers (perfstamp-record(1), CONTAINERS); says what it needs.
.PHONY: image
image: all
	$(call msg,IMAGE,$(OUTPUT)/perfstamp-image.tar)
	$(Q)OUTPUT=$(OUTPUT) scripts/image $(VERSION) $(OUTPUT)/perfstamp-image.tar

.PHONY: clean
clean:
	$(call msg,CLEAN,$(OUTPUT))
	$(Q)rm -rf $(OUTPUT)

-include $(LIB_OBJ:.o=.d) $(BIN_OBJ:.o=.d) $(BPF_SKEL:.skel.h=.bpf.d) \
	$(UNIT_LIB_OBJ:.o=.d) $(UNIT_SRC:%.c=$(OUTPUT)/asan/%.d) $(TOOL_BIN:=.d) $(BENCH_BIN:=.d) \
	$(LINT_C:%.c=$(LINT)/gcc/%.d) $(FUZZ_OBJ:.o=.d) $(FUZZ_TARGETS:%=$(OUTPUT)/fuzz/obj/tests/fuzz/fuzz_%.d) \
	$(FUZZ_TARGETS:%=$(OUTPUT)/asan/tests/fuzz/fuzz_%.d) $(FUZZ_EXTRA_ASAN:.o=.d)

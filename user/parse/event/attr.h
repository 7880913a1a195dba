/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Converts record's options to perf_event_attr. Pure: opens nothing, and does not depend on the
 * machine. If a kernel refuses a feature, the code that opens events removes one feature after
 * another. The rules are perf's (tools/perf/util/evsel.c, evsel__config), the struct is that of
 * include/uapi/linux/perf_event.h.
 */
#ifndef PERFSTAMP_PARSE_ATTR_H
#define PERFSTAMP_PARSE_ATTR_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Less common contents of samples, and options of sampling. */
struct attr_extras {
	uint64_t sample_type;        /* PERF_SAMPLE_* */
	uint64_t read_format;        /* PERF_FORMAT_* */
	uint64_t branch_sample_type; /* PERF_SAMPLE_BRANCH_*, of -b and -j; 0: none */
	uint64_t regs_user;          /* PERF_REG_*; 0: none */
	uint64_t regs_intr;
	uint16_t max_stack;     /* frames of a call chain; 0: the kernel's own limit */
	bool inherit_stat;      /* record each thread's counts when it exits */
	bool user_callchains;   /* user space's part only */
	bool kernel_callchains; /* the kernel's part only */
	bool no_samples;        /* count only */
	bool no_buffering;      /* wake up at each record */
	bool switch_events;     /* context switches, on the sideband event */
	bool no_bpf_event;      /* no records of BPF programs, on the sideband event */
	/* MMAP2 also of mappings that are not executable, on the sideband event */
	bool data_maps;
};

struct attr_options {
	uint64_t freq;   /* Hz; used if period is 0 */
	uint64_t period; /* events between samples; 0: by frequency */
	bool callchain;  /* by frame pointers, unless one of the next two is set */
	/* bytes of user stack to copy with each sample, together with registers */
	uint32_t dwarf_stack;
	bool lbr;     /* user space's part from the CPU's branch records */
	bool has_cpu; /* system-wide or a CPU list: samples carry the CPU */
	bool inherit;
	bool enable_on_exec;
	bool exclude_kernel;       /* only user space, whatever the event's modifiers are */
	bool exclude_user;         /* only the kernel */
	int clockid;               /* CLOCK_*, or -1 for perf's own clock */
	uint32_t wakeup_watermark; /* bytes */
	bool lost_count;           /* the kernel has PERF_FORMAT_LOST (Linux 6.0) */
	bool mmap_records;         /* the kernel's own MMAP2 with build-id, on the sideband event */
	struct attr_extras extra;
};

/*
 * Completes @attr, which has type, config* and the effect of the event's modifiers, for an event
 * that is sampled and starts disabled. A period or frequency that it already has (from
 * pmu/period=…/) is kept.
 */
void attr__sampling(struct perf_event_attr *attr, const struct attr_options *options);

/*
 * Changes @attr, which attr__sampling() has completed, for its place in a group of @n events: the
 * leader, or another member. With @sample_read only the leader is sampled, and its samples contain
 * the counts of all. Source: evsel__config_leader_sampling() of perf.
 */
void attr__group(struct perf_event_attr *attr, const struct perf_event_attr *leader, size_t n,
	bool sample_read);

/*
 * Makes the event that counts nothing and has the records COMM, FORK, EXIT, NAMESPACES, CGROUP,
 * KSYMBOL and BPF_EVENT. It is for user space only, so it needs no privilege. Its records have the
 * same trailer as those of attr__sampling().
 */
void attr__sideband(struct perf_event_attr *ret, const struct attr_options *options);

/*
 * Removes from @attr the newest requested feature that an older kernel may lack. Returns the name
 * of that feature, and the kernel that introduced it, for a note; or NULL if there is none.
 */
const char *attr__drop_newest(struct perf_event_attr *attr);

/* Returns the PERF_REG_* that unwinding needs on this architecture; 0 if not supported. */
uint64_t attr__user_regs(void);
/*
 * Rounds the size of the user stack as perf does. Returns 0, or -EINVAL if it is 0 or does not fit
 * into a sample.
 */
int attr__stack_size(uint32_t *ret, uint64_t wanted);

/* Excludes kernel and hypervisor. Returns false if they were already excluded. */
bool attr__drop_kernel(struct perf_event_attr *attr);

#endif

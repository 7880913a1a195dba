// SPDX-License-Identifier: GPL-2.0-only
/* Converts options to perf_event_attr. Does not know file descriptors or the machine. */
#include "user/parse/event/attr.h"

#include <asm/perf_regs.h>
#include <errno.h>
#include <string.h>

_Static_assert(PERF_ATTR_SIZE_VER7 == 128, "what every perf reads in a file");

/*
 * Sets fields that must be the same in all events of a file, so that all records have one trailer.
 */
static void set_common(struct perf_event_attr *attr, const struct attr_options *options)
{
	/*
	 * This is not sizeof(*attr): newer headers have a larger struct, and perf 6.x refuses files
	 * with it.
	 */
	attr->size = PERF_ATTR_SIZE_VER7;
	attr->disabled = 1;
	attr->sample_id_all = 1;
	attr->sample_type |= PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			     PERF_SAMPLE_TIME;
	if (options->has_cpu || options->extra.sample_type & PERF_SAMPLE_CPU)
		attr->sample_type |= PERF_SAMPLE_CPU;
	/* perf requires one read_format for all events of a file. */
	attr->read_format = PERF_FORMAT_ID | options->extra.read_format;
	if (options->lost_count)
		attr->read_format |= PERF_FORMAT_LOST;
	attr->inherit = options->inherit;
	if (options->clockid >= 0) {
		attr->use_clockid = 1;
		attr->clockid = options->clockid;
	}
	if (options->extra.no_buffering) {
		attr->wakeup_events = 1;
	} else if (options->wakeup_watermark) {
		attr->watermark = 1;
		attr->wakeup_watermark = options->wakeup_watermark;
	}
}

uint64_t attr__user_regs(void)
{
	/* PERF_REGS_MASK of tools/perf/arch/ARCH/include/perf_regs.h */
#if defined(__x86_64__)
	/* Not useful for 64-bit code, and refused by the kernel. */
	return ((1ull << PERF_REG_X86_64_MAX) - 1) &
	       ~(1ull << PERF_REG_X86_DS | 1ull << PERF_REG_X86_ES | 1ull << PERF_REG_X86_FS |
		       1ull << PERF_REG_X86_GS);
#elif defined(__aarch64__)
	return (1ull << PERF_REG_ARM64_MAX) - 1;
#elif defined(__riscv)
	return (1ull << PERF_REG_RISCV_MAX) - 1;
#else
	return 0;
#endif
}

int attr__stack_size(uint32_t *ret, uint64_t wanted)
{
	/* The size of a record has 16 bits. */
	if (!wanted || wanted > UINT16_MAX / 8 * 8)
		return -EINVAL;
	*ret = (wanted + 7) / 8 * 8;
	return 0;
}

/* As __evsel__config_callchain() of perf. */
static void set_callchain(struct perf_event_attr *attr, const struct attr_options *options)
{
	if (!options->callchain)
		return;
	attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (options->lbr && !attr->exclude_user) {
		attr->sample_type |= PERF_SAMPLE_BRANCH_STACK;
		attr->branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK |
					   PERF_SAMPLE_BRANCH_NO_CYCLES |
					   PERF_SAMPLE_BRANCH_NO_FLAGS |
					   PERF_SAMPLE_BRANCH_HW_INDEX;
	}
	if (options->dwarf_stack) {
		attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		attr->sample_regs_user = attr__user_regs();
		attr->sample_stack_user = options->dwarf_stack;
		attr->exclude_callchain_user = 1;
	}
	attr->sample_max_stack = options->extra.max_stack;
	if (options->extra.user_callchains)
		attr->exclude_callchain_kernel = 1;
	if (options->extra.kernel_callchains)
		attr->exclude_callchain_user = 1;
}

/* Called after the call chain was set: both may request registers and branches. */
static void set_extras(struct perf_event_attr *attr, const struct attr_extras *extra)
{
	uint64_t branches = extra->branch_sample_type;

	if (branches) {
		/* If the filter names no privilege level, it has that of the event. */
		if (!(branches & (PERF_SAMPLE_BRANCH_PLM_ALL)))
			branches |= (attr->exclude_user ? 0 : PERF_SAMPLE_BRANCH_USER) |
				    (attr->exclude_kernel ? 0 : PERF_SAMPLE_BRANCH_KERNEL);
		attr->sample_type |= PERF_SAMPLE_BRANCH_STACK;
		attr->branch_sample_type |= branches;
	}
	if (extra->regs_user) {
		attr->sample_type |= PERF_SAMPLE_REGS_USER;
		attr->sample_regs_user |= extra->regs_user;
	}
	if (extra->regs_intr) {
		attr->sample_type |= PERF_SAMPLE_REGS_INTR;
		attr->sample_regs_intr = extra->regs_intr;
	}
	attr->inherit_stat = extra->inherit_stat;
	if (extra->no_samples) {
		attr->freq = 0;
		attr->sample_period = 0;
	}
}

void attr__sampling(struct perf_event_attr *attr, const struct attr_options *options)
{
	set_common(attr, options);
	attr->sample_type |= options->extra.sample_type;
	if (attr->sample_period) {
		/* the event's own terms have set a period or, with .freq, a frequency */
	} else if (options->period) {
		attr->sample_period = options->period;
	} else if (attr->type == PERF_TYPE_TRACEPOINT || attr->type == PERF_TYPE_BREAKPOINT) {
		/* As in perf: every occurrence is sampled, unless -c is given. */
		attr->sample_period = 1;
	} else {
		attr->freq = 1;
		attr->sample_freq = options->freq;
	}
	if (attr->freq)
		attr->sample_type |= PERF_SAMPLE_PERIOD;
	if (attr->type == PERF_TYPE_TRACEPOINT)
		attr->sample_type |= PERF_SAMPLE_RAW | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CPU;
	if (options->exclude_kernel)
		attr__drop_kernel(attr);
	if (options->exclude_user)
		attr->exclude_user = 1;
	set_callchain(attr, options);
	set_extras(attr, &options->extra);
	attr->enable_on_exec = options->enable_on_exec;
}

void attr__group(struct perf_event_attr *attr, const struct perf_event_attr *leader, size_t n,
	bool sample_read)
{
	if (attr != leader) {
		/* It counts while the leader counts. */
		attr->disabled = 0;
		attr->enable_on_exec = 0;
	}
	if (!sample_read)
		return;
	attr->sample_type |= PERF_SAMPLE_READ;
	if (n > 1)
		attr->read_format |= PERF_FORMAT_GROUP;
	/*
	 * Kernels before 6.12 refuse this combination. With later ones, perf before 6.13 mixes the
	 * counts of several threads.
	 */
	attr->inherit = 0;
	if (attr == leader)
		return;
	attr->freq = 0;
	attr->sample_period = 0;
	/* perf assigns the values in the leader's sample to this event. */
	attr->sample_type = leader->sample_type;
	attr->branch_sample_type = leader->branch_sample_type;
	attr->sample_regs_user = leader->sample_regs_user;
	attr->sample_regs_intr = leader->sample_regs_intr;
	attr->sample_stack_user = leader->sample_stack_user;
}

void attr__sideband(struct perf_event_attr *ret, const struct attr_options *options)
{
	memset(ret, 0, sizeof(*ret));
	ret->type = PERF_TYPE_SOFTWARE;
	ret->config = PERF_COUNT_SW_DUMMY;
	ret->sample_period = 1;
	set_common(ret, options);
	ret->exclude_kernel = 1;
	ret->exclude_hv = 1;
	ret->comm = 1;
	ret->comm_exec = 1;
	ret->task = 1;
	ret->namespaces = 1;
	ret->ksymbol = 1;
	ret->bpf_event = !options->extra.no_bpf_event;
	ret->cgroup = 1;
	ret->context_switch = options->extra.switch_events;
	if (options->mmap_records || options->extra.data_maps) {
		/* With mmap2, records of executable mappings are always included. */
		ret->mmap = options->mmap_records;
		ret->mmap_data = options->extra.data_maps;
		ret->mmap2 = 1;
		ret->build_id = 1;
	}
}

#define DROP_BIT(attr, bit, text)                                                                  \
	do {                                                                                       \
		if ((attr)->bit) {                                                                 \
			(attr)->bit = 0;                                                           \
			return text;                                                               \
		}                                                                                  \
	} while (0)

const char *attr__drop_newest(struct perf_event_attr *attr)
{
	if (attr->sample_type & PERF_SAMPLE_WEIGHT_STRUCT) {
		attr->sample_type &= ~(uint64_t)PERF_SAMPLE_WEIGHT_STRUCT;
		attr->sample_type |= PERF_SAMPLE_WEIGHT;
		return "weights of several parts (Linux 5.12), only their sum";
	}
	DROP_BIT(attr, build_id, "build-ids in the kernel's MMAP2 records (Linux 5.12)");
	if (attr->sample_type & PERF_SAMPLE_CGROUP) {
		attr->sample_type &= ~(uint64_t)PERF_SAMPLE_CGROUP;
		return "the cgroup of each sample (Linux 5.7)";
	}
	DROP_BIT(attr, cgroup, "cgroup records (Linux 5.7)");
	DROP_BIT(attr, bpf_event, "records of BPF programs being loaded (Linux 5.1)");
	DROP_BIT(attr, ksymbol, "records of kernel symbols made at run time (Linux 5.1)");
	DROP_BIT(attr, namespaces, "namespace records (Linux 4.12)");
	return NULL;
}

bool attr__drop_kernel(struct perf_event_attr *attr)
{
	if (attr->exclude_kernel)
		return false;
	attr->exclude_kernel = 1;
	attr->exclude_hv = 1;
	return true;
}

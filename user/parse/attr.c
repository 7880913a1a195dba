// SPDX-License-Identifier: GPL-2.0-only
/*
 * Options to perf_event_attr. Knows no file descriptor and no machine.
 */
#include "user/parse/attr.h"

#include <asm/perf_regs.h>
#include <errno.h>
#include <string.h>

_Static_assert(PERF_ATTR_SIZE_VER7 == 128, "what every perf reads in a file");

/* What all events of a file share, so that all their records end alike. */
static void set_common(struct perf_event_attr *attr, const struct attr_options *options)
{
	/*
	 * Not sizeof: a larger struct of newer headers would end in files that
	 * perf 6.x refuses.
	 */
	attr->size = PERF_ATTR_SIZE_VER7;
	attr->disabled = 1;
	attr->sample_id_all = 1;
	attr->sample_type |= PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			     PERF_SAMPLE_TIME;
	if (options->has_cpu || options->sample_type & PERF_SAMPLE_CPU)
		attr->sample_type |= PERF_SAMPLE_CPU;
	/* perf wants one read_format for all events of a file. */
	attr->read_format = PERF_FORMAT_ID;
	if (options->lost_count)
		attr->read_format |= PERF_FORMAT_LOST;
	attr->inherit = options->inherit;
	if (options->clockid >= 0) {
		attr->use_clockid = 1;
		attr->clockid = options->clockid;
	}
	if (options->wakeup_watermark) {
		attr->watermark = 1;
		attr->wakeup_watermark = options->wakeup_watermark;
	}
}

uint64_t attr__user_regs(void)
{
	/* PERF_REGS_MASK of tools/perf/arch/ARCH/include/perf_regs.h */
#if defined(__x86_64__)
	/* 64-bit code has no use for these, and the kernel refuses them. */
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
	/* A record's size has 16 bits. */
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
}

void attr__sampling(struct perf_event_attr *attr, const struct attr_options *options)
{
	set_common(attr, options);
	attr->sample_type |= options->sample_type;
	if (attr->sample_period) {
		/* the event itself says */
	} else if (options->period) {
		attr->sample_period = options->period;
	} else if (attr->type == PERF_TYPE_TRACEPOINT) {
		/* As perf: every one, unless -c says otherwise. */
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
	attr->enable_on_exec = options->enable_on_exec;
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
	ret->bpf_event = 1;
	ret->cgroup = 1;
	if (options->mmap_records || options->data_maps) {
		/* With mmap2 the executable ones always come along. */
		ret->mmap = options->mmap_records;
		ret->mmap_data = options->data_maps;
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

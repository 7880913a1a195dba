// SPDX-License-Identifier: GPL-2.0-only
/* See place.h. */
#include <linux/perf_event.h>

#include "user/model/place.h"

static void take_mapping(struct model_place *ret, const struct mapping *mapping)
{
	ret->sighting = mapping->sighting;
	ret->start = mapping->start;
	ret->len = mapping->end - mapping->start;
	ret->pgoff = mapping->pgoff;
}

static void locate_in_kernel(const struct kernel_text *text, uint64_t addr, struct model_place *ret)
{
	static const enum model_text TEXTS[] = {
		[KERNEL_TEXT_NONE] = MODEL_TEXT_NONE,
		[KERNEL_TEXT_IMAGE] = MODEL_TEXT_KERNEL,
		[KERNEL_TEXT_MODULE] = MODEL_TEXT_MODULE,
		[KERNEL_TEXT_SYMBOL] = MODEL_TEXT_SYMBOL,
	};
	const struct mapping *mapping;
	enum kernel_text_kind kind;

	mapping = kernel_text__find(text, addr, &kind);
	if (!mapping)
		return;
	ret->text = TEXTS[kind];
	take_mapping(ret, mapping);
	/* For an image, pgoff is the address of the symbol that perf counts from. */
	ret->offset = addr - (kind == KERNEL_TEXT_IMAGE && mapping->pgoff ? mapping->pgoff
									  : mapping->start);
}

void place__find(struct model_place *ret, const struct processes *processes,
	const struct kernel_text *text, uint32_t pid, uint16_t misc, uint64_t addr)
{
	const struct mapping *mapping;
	const struct process *process;

	*ret = (struct model_place){.offset = addr, .sighting = SIGHTING_NONE};
	switch (misc & PERF_RECORD_MISC_CPUMODE_MASK) {
	case PERF_RECORD_MISC_KERNEL:
		ret->in_kernel = true;
		locate_in_kernel(text, addr, ret);
		break;
	case PERF_RECORD_MISC_USER:
		process = processes__find(processes, pid);
		mapping = process ? maps__find(process->maps, addr) : NULL;
		if (!mapping)
			break;
		ret->text = MODEL_TEXT_USER;
		take_mapping(ret, mapping);
		ret->offset = addr - mapping->start + mapping->pgoff;
		break;
	default:
		break;
	}
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts a sample in a model: in the ledger, and for the sightings of its address and its callers.
 * It finds them in the mappings that exist at that moment. Changes no mapping.
 */
#include <string.h>

#include "user/base/cursor.h"
#include "user/model/private.h"

static bool is_identified(const struct perfstamp_identity *identity)
{
	return identity->build_id_size || identity->cookie_size;
}

static int apply_user_sample(struct model *model, const struct event *event)
{
	struct process *process = processes__find(&model->processes, event->pid);
	const struct mapping *mapping = process ? maps__find(process->maps, event->sample.ip)
						: NULL;
	struct sighting *sighting;

	if (!mapping) {
		model->ledger.samples_user_unmapped++;
		return 0;
	}
	sighting = sightings__at(&model->sightings, mapping->sighting);
	sighting->samples++;
	if (is_identified(&sighting->identity))
		model->ledger.samples_user_identified++;
	else
		model->ledger.samples_user_unidentified++;
	if (sighting->identity.reason == PERFSTAMP_REASON_ANONYMOUS)
		model->ledger.samples_user_anonymous++;
	return processes__settle(&model->processes, process);
}

/* The kernel names a BPF program bpf_prog_TAG_NAME; its tag is a hash of its code. */
static bool has_tag(const char *name)
{
	static const char prefix[] = "bpf_prog_";

	return !strncmp(name, prefix, sizeof(prefix) - 1) &&
	       strspn(name + sizeof(prefix) - 1, "0123456789abcdef") == 16;
}

static bool is_kernel_identified(
	const struct model *model, const struct mapping *mapping, const struct module_life *life)
{
	const struct sighting *sighting;

	if (life && life->build_id_size)
		return true;
	if (!mapping || mapping->sighting == SIGHTING_NONE)
		return false;
	sighting = sightings__at(&model->sightings, mapping->sighting);
	return is_identified(&sighting->identity) || (sighting->symbol && has_tag(sighting->path));
}

static void apply_kernel_sample(struct model *model, uint64_t ip)
{
	struct model_ledger *ledger = &model->ledger;
	const struct mapping *mapping;
	enum kernel_text_kind kind;
	struct module_life *life = NULL;

	mapping = kernel_text__find(&model->kernel, ip, &kind);
	switch (kind) {
	case KERNEL_TEXT_NONE:
		ledger->samples_kernel_unmapped++;
		return;
	case KERNEL_TEXT_IMAGE:
		ledger->samples_kernel_image++;
		break;
	case KERNEL_TEXT_MODULE:
		ledger->samples_kernel_module++;
		life = module_lives__find(&model->modules, ip);
		if (life)
			life->samples++;
		break;
	case KERNEL_TEXT_SYMBOL:
		ledger->samples_kernel_symbol++;
		break;
	}
	ledger->samples_kernel++;
	if (!is_kernel_identified(model, mapping, life))
		ledger->samples_kernel_unidentified++;
	if (mapping && mapping->sighting != SIGHTING_NONE)
		sightings__at(&model->sightings, mapping->sighting)->samples++;
}

/* Counts callers: each entry of the chain, in the mappings that exist at that moment. */
static void follow_chain(struct model *model, const struct event *event)
{
	struct process *process = processes__find(&model->processes, event->pid);
	const struct event_sample *sample = &event->sample;
	uint64_t context = PERF_CONTEXT_USER;

	for (uint64_t i = 0; i < sample->n_callchain; i++) {
		const struct mapping *mapping = NULL;
		uint64_t ip = sample->callchain[i];
		enum kernel_text_kind kind;

		if (ip >= PERF_CONTEXT_MAX)
			context = ip;
		else if (context == PERF_CONTEXT_KERNEL)
			mapping = kernel_text__find(&model->kernel, ip, &kind);
		else if (context == PERF_CONTEXT_USER && process)
			mapping = maps__find(process->maps, ip);
		if (mapping && mapping->sighting != SIGHTING_NONE)
			sightings__at(&model->sightings, mapping->sighting)->frames++;
	}
}

/*
 * Counts possible callers: each word in the copy of a stack that could be a return address. The
 * result contains all callers, and a few unrelated DSOs.
 */
static void follow_stack(struct model *model, const struct event *event)
{
	struct process *process = processes__find(&model->processes, event->pid);
	const struct event_user_stack *user = &event->sample.user;
	const struct maps *maps = process ? process->maps : NULL;
	bool narrow = user->abi == PERF_SAMPLE_REGS_ABI_32;
	struct cursor in;

	if (!user->stack_size || !maps || !maps->n)
		return;
	cursor__init(&in, user->bytes + user->stack, user->stack_size, user->swap);
	while (cursor__remaining(&in) >= sizeof(uint64_t)) {
		uint64_t word = narrow ? cursor__u32(&in) : cursor__u64(&in);
		const struct mapping *mapping;

		if (word < maps->v[0].start || word >= maps->v[maps->n - 1].end)
			continue;
		mapping = maps__find(maps, word);
		if (mapping && mapping->sighting != SIGHTING_NONE)
			sightings__at(&model->sightings, mapping->sighting)->frames++;
	}
}

int model__apply_sample(struct model *model, const struct event *event)
{
	model->ledger.samples++;
	if (model->follows_chains) {
		follow_chain(model, event);
		follow_stack(model, event);
	}
	switch (event->misc & PERF_RECORD_MISC_CPUMODE_MASK) {
	case PERF_RECORD_MISC_USER:
		return apply_user_sample(model, event);
	case PERF_RECORD_MISC_KERNEL:
		apply_kernel_sample(model, event->sample.ip);
		break;
	default:
		model->ledger.samples_other++;
	}
	return 0;
}

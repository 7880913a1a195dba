// SPDX-License-Identifier: GPL-2.0-only
/*
 * samples: see samples.h. A caller is looked up by the byte before its return address. Where the
 * last instruction of a function is a call, the return address would be in the next function.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/event/code.h"
#include "user/base/hash.h"
#include "user/model/profile/numbers.h"
#include "user/model/profile/samples.h"

struct place_key {
	uint64_t offset;
	uint32_t sighting;
	uint32_t code;
	uint8_t text;
	uint8_t in_kernel;
	uint8_t verdict;
	uint8_t zero[5];
};

struct frame_key {
	uint32_t parent;
	uint32_t place;
};

struct sum_key {
	uint32_t event, frame, pid, tid, cpu, comm, group, zero;
	uint64_t cgroup;
	uint64_t time_ns;
};

/* The name of a thread, by its tid. */
struct name_entry {
	UT_hash_handle hh;
	uint64_t of;
	uint32_t name;
};

struct list {
	void *v;
	size_t n;
	size_t room;
};

struct caller {
	uint64_t addr;
	uint16_t mode;
};

struct samples {
	struct samples_options options;
	struct texts texts;
	struct name_entry *comms;
	struct list places, frames, sums;
	struct list callers; /* frames of the callers of the current sample */
	struct list passed;  /* struct samples_total, by event */
	uint32_t n_events;
	uint32_t counted;
	struct numbers place_by_key, frame_by_key, sum_by_key;
	char *kernel_reference;
	bool has_chains;
};

int samples__new(struct samples **ret, const struct samples_options *options)
{
	*ret = calloc(1, sizeof(**ret));
	if (!*ret)
		return -ENOMEM;
	(*ret)->options = *options;
	return 0;
}

void samples__free(struct samples *samples)
{
	if (!samples)
		return;
	hash__free(samples->comms);
	numbers__free(&samples->place_by_key);
	numbers__free(&samples->frame_by_key);
	numbers__free(&samples->sum_by_key);
	free(samples->places.v);
	free(samples->frames.v);
	free(samples->sums.v);
	free(samples->callers.v);
	free(samples->passed.v);
	free(samples->kernel_reference);
	texts__free(&samples->texts);
	free(samples);
}

/* Appends a zeroed element of @size bytes; NULL: no memory. Indexes stay below SAMPLES_NONE. */
static void *append(struct list *list, size_t size)
{
	char *at;

	if (array__reserve_numbered(&list->v, &list->room, list->n + 1, size))
		return NULL;
	at = (char *)list->v + list->n++ * size;
	return memset(at, 0, size);
}

static int set_name(
	struct samples *samples, struct name_entry **table, uint64_t of, const char *text)
{
	struct name_entry *entry;
	uint32_t name;

	if (texts__add(&samples->texts, text, &name))
		return -ENOMEM;
	HASH_FIND(hh, *table, &of, sizeof(of), entry);
	if (!entry) {
		entry = calloc(1, sizeof(*entry));
		if (!entry)
			return -ENOMEM;
		entry->of = of;
		HASH_ADD(hh, *table, of, sizeof(of), entry);
		if (!hash__added(entry)) {
			free(entry);
			return -ENOMEM;
		}
	}
	entry->name = name;
	return 0;
}

static const char *find_name(const struct samples *samples, struct name_entry *table, uint64_t of)
{
	struct name_entry *entry;

	HASH_FIND(hh, table, &of, sizeof(of), entry);
	return entry ? texts__at(&samples->texts, entry->name) : NULL;
}

/*
 * Sets *@ret to the number of the name of the event's thread. For a name that is not known, perf's
 * word is used.
 */
static int comm_of(struct samples *samples, const struct event *event, uint32_t *ret)
{
	const char *comm = find_name(samples, samples->comms, event->tid);
	char unknown[16];

	if (!comm && event->tid == 0)
		comm = "swapper";
	if (!comm) {
		/* A thread without a record of its name has the name of its process. */
		comm = find_name(samples, samples->comms, event->pid);
	}
	if (!comm) {
		snprintf(unknown, sizeof(unknown), ":%d", (int)event->tid);
		comm = unknown;
	}
	return texts__add(&samples->texts, comm, ret);
}

static bool is_place(const void *places, uint32_t number, const void *wanted)
{
	const struct place *place = (const struct place *)places + number;
	const struct place_key *key = wanted;

	return place->offset == key->offset && place->sighting == key->sighting &&
	       place->text == key->text && place->in_kernel == key->in_kernel &&
	       place->code == key->code && place->verdict == key->verdict;
}

/*
 * Makes a function from run time one place, even if several of its addresses were sampled, unless
 * it has source lines.
 */
static void name_code(const struct samples *samples, const struct model *model,
	const struct event *event, uint64_t addr, struct place_key *key)
{
	const struct code_names *names = samples->options.code_names;
	enum code_verdict verdict;
	struct code_entry entry;

	key->code = CODE_NAMES_NONE;
	if (!names || key->text != MODEL_TEXT_USER ||
		!event_code__is_memory(model__sighting_so_far(model, key->sighting)->path))
		return;
	verdict = code_names__find(names, event->pid, addr, event->time_ns, &key->code);
	if (verdict == CODE_LATER && samples->options.later_names)
		verdict = CODE_NAMED;
	if (verdict != CODE_NAMED) {
		key->code = CODE_NAMES_NONE;
	} else {
		entry = code_names__at(names, key->code);
		key->offset = entry.addr;
		if (code_details__has_lines(code_names__details(names), entry.detail))
			key->offset = addr;
	}
	key->verdict = verdict;
}

static int find_place(struct samples *samples, const struct model *model, const struct event *event,
	uint16_t misc, uint64_t addr, uint32_t *ret)
{
	struct model_place at;
	struct place_key key;
	struct place *place;

	memset(&key, 0, sizeof(key));
	model__locate(model, event->pid, misc, addr, &at);
	key.offset = at.offset;
	key.sighting = at.sighting;
	key.text = at.text;
	key.in_kernel = at.in_kernel;
	name_code(samples, model, event, addr, &key);
	*ret = numbers__find(
		&samples->place_by_key, &key, sizeof(key), is_place, samples->places.v);
	if (*ret != NUMBERS_NONE)
		return 0;
	place = append(&samples->places, sizeof(*place));
	if (!place)
		return -ENOMEM;
	*place = (struct place){
		.text = at.text,
		.in_kernel = at.in_kernel,
		.sighting = at.sighting,
		.offset = key.offset,
		.verdict = key.verdict,
		.code = key.code,
		.map_pgoff = at.pgoff,
		.map_len = at.len,
		.map_start = at.start,
	};
	*ret = samples->places.n - 1;
	return numbers__add(&samples->place_by_key, &key, sizeof(key), *ret);
}

static bool is_frame(const void *frames, uint32_t number, const void *wanted)
{
	const struct frame *frame = (const struct frame *)frames + number;
	const struct frame_key *key = wanted;

	return frame->parent == key->parent && frame->place == key->place;
}

static int push_frame(struct samples *samples, uint32_t *frame, uint32_t place)
{
	struct frame_key key;
	struct frame *new;

	memset(&key, 0, sizeof(key));
	key.parent = *frame;
	key.place = place;
	*frame = numbers__find(
		&samples->frame_by_key, &key, sizeof(key), is_frame, samples->frames.v);
	if (*frame != NUMBERS_NONE)
		return 0;
	new = append(&samples->frames, sizeof(*new));
	if (!new)
		return -ENOMEM;
	new->parent = key.parent;
	new->place = place;
	new->depth = key.parent == SAMPLES_NONE
			     ? 0
			     : ((struct frame *)samples->frames.v)[key.parent].depth + 1;
	*frame = samples->frames.n - 1;
	return numbers__add(&samples->frame_by_key, &key, sizeof(key), *frame);
}

/* Returns the mode that a marker in a call chain begins; 0: a mode that is not shown. */
static uint16_t mode_of(uint64_t marker)
{
	switch (marker) {
	case PERF_CONTEXT_KERNEL:
		return PERF_RECORD_MISC_KERNEL;
	case PERF_CONTEXT_USER:
		return PERF_RECORD_MISC_USER;
	default:
		return 0;
	}
}

/* Adds callers from the sample's stack behind those of its chain, which are the kernel's then. */
static int unwind(struct samples *samples, const struct model *model, const struct event *event)
{
	const uint64_t *addrs;
	struct caller *caller;
	size_t n;
	int err;

	if (!samples->options.unwind || !event->sample.user.bytes)
		return 0;
	samples->has_chains = true;
	err = samples->options.unwind(samples->options.unwind_ctx, model, event, &addrs, &n);
	for (size_t i = 0; !err && i < n; i++) {
		caller = append(&samples->callers, sizeof(*caller));
		if (!caller)
			return -ENOMEM;
		*caller = (struct caller){.addr = addrs[i], .mode = PERF_RECORD_MISC_USER};
	}
	return err;
}

/*
 * Adds the frames of the callers of @event, the outermost first. The chain of the event has the
 * other order, and its first entry repeats the sample's own address.
 */
static int push_callers(struct samples *samples, const struct model *model,
	const struct event *event, uint32_t *frame)
{
	const struct event_sample *sample = &event->sample;
	uint16_t mode = event->misc;
	struct caller *caller;
	bool own = true;
	uint32_t place;
	int err;

	samples->callers.n = 0;
	for (uint64_t i = 0; i < sample->n_callchain; i++) {
		uint64_t addr = sample->callchain[i];
		bool again = own && addr == sample->ip;

		if (addr >= PERF_CONTEXT_MAX) {
			mode = mode_of(addr);
			continue;
		}
		own = false;
		if (again || !mode || !addr)
			continue;
		caller = append(&samples->callers, sizeof(*caller));
		if (!caller)
			return -ENOMEM;
		*caller = (struct caller){.addr = addr - 1, .mode = mode};
	}
	err = unwind(samples, model, event);
	if (err)
		return err;
	/* The sample's own address counts as an entry, too. */
	if (samples->options.max_stack && samples->callers.n >= samples->options.max_stack)
		samples->callers.n = samples->options.max_stack - 1;
	for (size_t i = samples->callers.n; i > 0; i--) {
		caller = (struct caller *)samples->callers.v + i - 1;
		if (find_place(samples, model, event, caller->mode, caller->addr, &place) ||
			push_frame(samples, frame, place))
			return -ENOMEM;
	}
	return 0;
}

static bool is_sum(const void *sums, uint32_t number, const void *wanted)
{
	const struct sample_sum *sum = (const struct sample_sum *)sums + number;
	const struct sum_key *key = wanted;

	return sum->frame == key->frame && sum->event == key->event && sum->pid == key->pid &&
	       sum->tid == key->tid && sum->cpu == key->cpu && sum->comm == key->comm &&
	       sum->group == key->group && sum->cgroup == key->cgroup &&
	       sum->time_ns == key->time_ns;
}

static int count(struct samples *samples, const struct sum_key *key, uint64_t n, uint64_t period)
{
	uint32_t number = numbers__find(
		&samples->sum_by_key, key, sizeof(*key), is_sum, samples->sums.v);
	struct sample_sum *sum;

	if (number == NUMBERS_NONE) {
		number = samples->sums.n;
		sum = append(&samples->sums, sizeof(*sum));
		if (!sum)
			return -ENOMEM;
		*sum = (struct sample_sum){
			.event = key->event,
			.frame = key->frame,
			.pid = key->pid,
			.tid = key->tid,
			.cpu = key->cpu,
			.comm = key->comm,
			.group = key->group,
			.cgroup = key->cgroup,
			.time_ns = key->time_ns,
		};
		if (numbers__add(&samples->sum_by_key, key, sizeof(*key), number)) {
			samples->sums.n--;
			return -ENOMEM;
		}
	}
	sum = (struct sample_sum *)samples->sums.v + number;
	sum->n += n;
	sum->period += period;
	samples->counted = number;
	return 0;
}

int samples__regroup(struct samples *samples, uint32_t (*fn)(void *ctx, uint32_t group), void *ctx)
{
	struct list old = samples->sums;
	int err = 0;

	samples->sums = (struct list){0};
	numbers__free(&samples->sum_by_key);
	samples->sum_by_key = (struct numbers){0};
	for (size_t i = 0; i < old.n && !err; i++) {
		const struct sample_sum *sum = (const struct sample_sum *)old.v + i;
		struct sum_key key;

		memset(&key, 0, sizeof(key));
		key.event = sum->event;
		key.frame = sum->frame;
		key.pid = sum->pid;
		key.tid = sum->tid;
		key.cpu = sum->cpu;
		key.comm = sum->comm;
		key.group = fn(ctx, sum->group);
		key.cgroup = sum->cgroup;
		key.time_ns = sum->time_ns;
		err = count(samples, &key, sum->n, sum->period);
	}
	free(old.v);
	return err;
}

static int pass_over(struct samples *samples, uint32_t event, uint64_t period, uint32_t group)
{
	struct samples_total *total;

	while (samples->passed.n <= event)
		if (!append(&samples->passed, sizeof(*total)))
			return -ENOMEM;
	total = (struct samples_total *)samples->passed.v + event;
	total->n++;
	total->period += period;
	if (samples->options.parallel)
		total->latency += (double)period / group;
	return 0;
}

static bool counts(const struct samples_options *options, const struct event *event)
{
	uint64_t time_ns = event->time_ns;

	return time_ns >= options->from_ns && (!options->to_ns || time_ns <= options->to_ns) &&
	       (!options->takes || options->takes(options->filter_ctx, event));
}

static bool is_wanted(
	const struct samples_options *options, const struct event *event, const char *comm)
{
	return (!options->wants_comm || options->wants_comm(options->filter_ctx, comm)) &&
	       (!options->wants_thread ||
		       options->wants_thread(options->filter_ctx, event->pid, event->tid));
}

static int apply_sample(struct samples *samples, const struct model *model,
	const struct event *event, uint32_t event_index, uint64_t period)
{
	const struct samples_options *options = &samples->options;
	uint32_t comm, place, group = 0;
	struct sum_key key;
	int err;

	if (!counts(options, event))
		return 0;
	if (options->group)
		group = options->group(options->group_ctx, model, event);
	if (group == SAMPLES_NONE)
		return 0;
	if (comm_of(samples, event, &comm))
		return -ENOMEM;
	if (samples->n_events <= event_index)
		samples->n_events = event_index + 1;
	if (!is_wanted(options, event, texts__at(&samples->texts, comm)))
		return pass_over(samples, event_index, period, group);
	memset(&key, 0, sizeof(key));
	key.event = event_index;
	key.frame = SAMPLES_NONE;
	key.comm = options->comm ? comm : SAMPLES_NONE;
	key.pid = options->pid ? event->pid : 0;
	key.tid = options->tid ? event->tid : 0;
	key.cpu = options->cpu ? event->cpu : 0;
	key.group = group;
	key.cgroup = options->cgroup ? event->sample.cgroup : 0;
	if (options->quantum_ns)
		key.time_ns = event->time_ns - event->time_ns % options->quantum_ns;
	if (event->sample.n_callchain)
		samples->has_chains = true;
	err = options->chains ? push_callers(samples, model, event, &key.frame) : 0;
	if (err)
		return err;
	if (find_place(samples, model, event, event->misc, event->sample.ip, &place) ||
		push_frame(samples, &key.frame, place))
		return -ENOMEM;
	return count(samples, &key, 1, period);
}

/* "[kernel.kallsyms]_text": the addresses count from _text. */
static int take_kernel_map(struct samples *samples, const struct event_map *map)
{
	const char *end = !strncmp(map->path, "[kernel.kallsyms]", 17) ? strchr(map->path, ']')
								       : NULL;

	if (!end || !end[1] || samples->kernel_reference)
		return 0;
	samples->kernel_reference = strdup(end + 1);
	return samples->kernel_reference ? 0 : -ENOMEM;
}

int samples__apply(struct samples *samples, const struct model *model, const struct event *event,
	uint32_t event_index, uint64_t period)
{
	const char *parent;

	samples->counted = SAMPLES_NONE;
	switch (event->kind) {
	case EVENT_SAMPLE:
		return apply_sample(samples, model, event, event_index, period);
	case EVENT_COMM:
		return set_name(samples, &samples->comms, event->tid, event->comm.comm);
	case EVENT_FORK:
		parent = find_name(samples, samples->comms, event->fork.ptid);
		return parent ? set_name(samples, &samples->comms, event->tid, parent) : 0;
	case EVENT_MAP:
		return event->map.kernel ? take_kernel_map(samples, &event->map) : 0;
	default:
		return 0;
	}
}

size_t samples__n(const struct samples *samples)
{
	return samples->sums.n;
}

uint32_t samples__counted(const struct samples *samples)
{
	return samples->counted;
}

const struct sample_sum *samples__at(const struct samples *samples, size_t i)
{
	return (const struct sample_sum *)samples->sums.v + i;
}

size_t samples__n_frames(const struct samples *samples)
{
	return samples->frames.n;
}

const struct frame *samples__frame(const struct samples *samples, uint32_t i)
{
	return (const struct frame *)samples->frames.v + i;
}

size_t samples__n_places(const struct samples *samples)
{
	return samples->places.n;
}

const struct place *samples__place(const struct samples *samples, uint32_t i)
{
	return (const struct place *)samples->places.v + i;
}

const char *samples__text(const struct samples *samples, uint32_t i)
{
	return texts__at(&samples->texts, i);
}

const char *samples__kernel_reference(const struct samples *samples)
{
	return samples->kernel_reference;
}

struct samples_total samples__passed_over(const struct samples *samples, uint32_t event)
{
	if (event >= samples->passed.n)
		return (struct samples_total){0};
	return ((const struct samples_total *)samples->passed.v)[event];
}

uint32_t samples__n_events(const struct samples *samples)
{
	return samples->n_events;
}

bool samples__has_chains(const struct samples *samples)
{
	return samples->has_chains;
}

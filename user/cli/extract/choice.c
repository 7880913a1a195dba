// SPDX-License-Identifier: GPL-2.0-only
/* See choice.h. */
#include "user/cli/extract/choice.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/cli/input.h"
#include "user/cli/progress_bar.h"
#include "user/event/branches.h"
#include "user/event/order.h"
#include "user/model/model.h"
#include "user/perfdata/features/features.h"
#include "user/perfdata/layout.h"
#include "user/perfdata/read/reader.h"
#include "user/view/containers.h"

/* Clocks are set while machines run, but only by small amounts. */
#define SAME_BOOT_NS (600ll * 1000000000)

/* The samples of one sighting that --time, --container and --pid select. */
struct sampled {
	uint64_t samples;
	uint64_t last_ns;
};

struct reading {
	struct recording *recording;
	struct perfdata_reader *reader;
	struct model *model;
	struct containers *containers;
	struct sampled *sampled; /* by sighting */
	size_t n_sampled;
	struct error *err;
	int failed; /* an error, with the text in .err */
};

static bool is_binary(
	const struct extract_options *options, const struct perfstamp_identity *identity)
{
	return options->binary && identity->build_id_size == options->segments.build_id_size &&
	       !memcmp(identity->build_id, options->segments.build_id, identity->build_id_size);
}

static bool is_wanted(
	const struct extraction *extraction, const struct perfstamp_identity *identity)
{
	const struct extract_options *options = extraction->options;

	if (is_binary(options, identity))
		return true;
	for (size_t i = 0; i < options->n_builds; i++)
		if (identity->build_id_size >= options->builds[i].size &&
			!memcmp(identity->build_id, options->builds[i].id, options->builds[i].size))
			return true;
	return false;
}

static bool read_wall(struct reading *reading)
{
	struct boot *boot = &reading->recording->boot;
	size_t size;
	const void *bytes = perfdata_reader__feature(reading->reader, HEADER_CLOCK_DATA, &size);

	if (!boot->has_wall && bytes)
		boot->has_wall = feature__wall_offset(bytes, size,
			perfdata_reader__is_foreign_order(reading->reader), &boot->wall_ns);
	return boot->has_wall;
}

/* Returns -1, 0 or 1: @event is before, at or after @time. */
static int compare_time(
	struct reading *reading, const struct event *event, const struct extract_time *time)
{
	uint64_t ns = event->time_ns;

	if (time->is_wall) {
		if (!read_wall(reading)) {
			reading->failed = error__set(reading->err, -EINVAL,
				"%s: the recording does not show the date of its clock: give "
				"--time in seconds",
				reading->recording->path);
			return 0;
		}
		ns += reading->recording->boot.wall_ns;
	}
	return (ns > time->ns) - (ns < time->ns);
}

static bool has_pid(const struct extract_options *options, uint32_t pid)
{
	for (size_t i = 0; i < options->n_pids; i++)
		if (options->pids[i] == pid)
			return true;
	return !options->n_pids;
}

static bool is_in_container(struct reading *reading, const struct event *event)
{
	const char *glob = reading->recording->extraction->options->container_glob;
	uint64_t cgroup = event->sample.cgroup;
	struct container_facts *facts = NULL;
	struct model_process process;

	if (!glob)
		return true;
	if (!cgroup && model__process(reading->model, event->pid, &process))
		cgroup = process.cgroup_id;
	if (cgroup && containers__find(reading->containers, cgroup, &facts))
		reading->failed = error__set(reading->err, -ENOMEM, "out of memory");
	return facts && container_facts__matches(facts, glob);
}

static bool is_in_scope(struct reading *reading, const struct event *event)
{
	const struct extract_options *options = reading->recording->extraction->options;

	if (options->from.is_set && compare_time(reading, event, &options->from) < 0)
		return false;
	if (options->to.is_set && compare_time(reading, event, &options->to) > 0)
		return false;
	return has_pid(options, event->pid) && is_in_container(reading, event);
}

static bool is_in_build(const struct reading *reading, uint32_t pid, uint16_t misc, uint64_t addr,
	uint64_t *ret_offset)
{
	struct model_place place;

	model__locate(reading->model, pid, misc, addr, &place);
	*ret_offset = place.offset;
	return place.sighting != UINT32_MAX &&
	       is_wanted(reading->recording->extraction,
		       &model__sighting_so_far(reading->model, place.sighting)->identity);
}

/* Adds the branches to .bolt. Returns whether one of them is from or to a wanted build. */
static bool take_branches(struct reading *reading, const struct event *event)
{
	struct extraction *extraction = reading->recording->extraction;
	const struct event_branches *branches = &event->sample.branches;
	struct bolt_branch taken = {0}, newer = {0};
	bool is_any = false;

	for (uint64_t i = 0; i < branches->n; i++) {
		struct event_branch branch = event_branches__at(branches, i);

		taken.from_in = is_in_build(
			reading, event->pid, PERF_RECORD_MISC_USER, branch.from, &taken.from);
		taken.to_in = is_in_build(
			reading, event->pid, PERF_RECORD_MISC_USER, branch.to, &taken.to);
		taken.mispredicted = branch.mispredicted;
		is_any |= taken.from_in || taken.to_in;
		if (extraction->bolt && bolt__add(extraction->bolt, &taken, i ? &newer : NULL))
			reading->failed = error__set(reading->err, -ENOMEM, "out of memory");
		newer = taken;
	}
	return is_any;
}

/* Counts a sample for its build. Returns 0 or -ENOMEM. */
static int count(struct reading *reading, const struct event *event, uint32_t sighting)
{
	if (sighting == UINT32_MAX)
		return 0;
	if (array__reach(
		    &reading->sampled, &reading->n_sampled, sighting, sizeof(*reading->sampled)))
		return -ENOMEM;
	reading->sampled[sighting].samples++;
	if (event->time_ns > reading->sampled[sighting].last_ns)
		reading->sampled[sighting].last_ns = event->time_ns;
	return 0;
}

static int take_sample(struct reading *reading, const struct event *event)
{
	struct recording *recording = reading->recording;
	struct extraction *extraction = recording->extraction;
	struct model_place place;
	bool is_in;

	if (!is_in_scope(reading, event)) {
		extraction->n_other_samples++;
		return 0;
	}
	if (reading->failed)
		return 0;
	model__locate(reading->model, event->pid, event->misc, event->sample.ip, &place);
	if (count(reading, event, place.sighting))
		return -ENOMEM;
	is_in = !extraction->by_build ||
		(place.sighting != UINT32_MAX &&
			is_wanted(extraction,
				&model__sighting_so_far(reading->model, place.sighting)->identity));
	if (extraction->by_build)
		is_in |= take_branches(reading, event);
	if (!is_in) {
		extraction->n_other_samples++;
		return 0;
	}
	recording->kept[event->offset / 8] |= 1u << event->offset % 8;
	recording->n_samples++;
	extraction->n_kernel_samples += place.in_kernel;
	runs__want(recording->runs, event->pid, event->time_ns);
	return 0;
}

static bool is_image(const struct event *event)
{
	return event->map.kernel && event->map.path &&
	       !strncmp(event->map.path, "[kernel.kallsyms]", 17);
}

static void take_kernel(struct boot *boot, const struct event *event)
{
	const struct perfstamp_identity *identity = &event->map.identity;

	if (boot->kernel_addr || !is_image(event))
		return;
	boot->kernel_addr = event->map.addr;
	memcpy(boot->build_id, identity->build_id, sizeof(boot->build_id));
}

/* Applies the next event in time order. .offset is the number of the record. */
static int take(void *ctx, const struct event *event)
{
	struct reading *reading = ctx;
	struct recording *recording = reading->recording;
	int err = model__apply(reading->model, event);

	if (!err)
		err = runs__apply(recording->runs, event);
	if (err || reading->failed)
		return err;
	if (event->time_ns && (!recording->first_ns || event->time_ns < recording->first_ns))
		recording->first_ns = event->time_ns;
	if (event->kind == EVENT_MAP)
		take_kernel(&recording->boot, event);
	return event->kind == EVENT_SAMPLE ? take_sample(reading, event) : 0;
}

/* Allocates space for the bit of record @n. */
static int make_room(struct recording *recording, uint64_t n)
{
	const size_t size = 4096;
	uint8_t *kept;

	if (n % (8 * size))
		return 0;
	kept = realloc(recording->kept, n / 8 + size);
	if (!kept)
		return -ENOMEM;
	memset(kept + n / 8, 0, size);
	recording->kept = kept;
	return 0;
}

static int read_records(struct reading *reading)
{
	struct recording *recording = reading->recording;
	struct order *order;
	struct event event;
	int more = 0, failed = order__new(&order, take, reading, 0);

	progress_bar__begin(PROGRESS_BYTES, "reading", perfdata_reader__file_name(reading->reader));
	while (!failed && !reading->failed &&
		(more = perfdata_reader__next(reading->reader, &event, reading->err)) > 0) {
		input__show_progress(reading->reader);
		event.offset = recording->n_records;
		failed = make_room(recording, recording->n_records++);
		if (!failed)
			failed = order__push(order, &event);
	}
	if (!failed && !more && !reading->failed)
		failed = order__flush(order);
	progress_bar__end();
	order__free(order);
	if (failed)
		return error__set(reading->err, failed, "out of memory");
	return reading->failed ? reading->failed : more;
}

static int add_builds(struct reading *reading)
{
	struct extraction *extraction = reading->recording->extraction;
	const struct boot *boot = &reading->recording->boot;
	int err = 0;

	for (size_t i = 0; i < model__n_sightings(reading->model) && !err; i++) {
		const struct sighting *sighting = model__sighting(reading->model, i);
		struct sampled sampled = {0};

		if (i < reading->n_sampled)
			sampled = reading->sampled[i];
		err = builds__add(&extraction->builds, sighting,
			is_wanted(extraction, &sighting->identity), sampled.samples,
			sampled.last_ns && boot->has_wall ? sampled.last_ns + boot->wall_ns : 0);
	}
	return err;
}

static int read_machine(struct reading *reading)
{
	struct boot *boot = &reading->recording->boot;
	bool swap = perfdata_reader__is_foreign_order(reading->reader);
	const char *name;
	const void *bytes;
	size_t size;

	read_wall(reading);
	bytes = perfdata_reader__feature(reading->reader, HEADER_HOSTNAME, &size);
	name = bytes ? feature__string(bytes, size, swap) : NULL;
	boot->hostname = name ? strdup(name) : NULL;
	return name && !boot->hostname ? -ENOMEM : 0;
}

int recording__read(
	struct recording *ret, struct extraction *extraction, const char *path, struct error *err)
{
	struct reading reading = {.recording = ret, .err = err};
	int failed;

	*ret = (struct recording){.path = path, .extraction = extraction};
	failed = perfdata_reader__open(&reading.reader, path, err);
	if (!failed && (model__new(&reading.model) || runs__new(&ret->runs) ||
			       containers__new(&reading.containers, reading.model)))
		failed = error__set(err, -ENOMEM, "out of memory");
	if (!failed)
		failed = read_records(&reading);
	if (!failed && (read_machine(&reading) || add_builds(&reading)))
		failed = error__set(err, -ENOMEM, "out of memory");
	if (!failed)
		input__warn_if_cut(reading.reader, path);
	extraction->n_samples += ret->n_samples;
	perfdata_reader__free(reading.reader);
	containers__free(reading.containers);
	model__free(reading.model);
	free(reading.sampled);
	return failed;
}

void recording__free(struct recording *recording)
{
	runs__free(recording->runs);
	free(recording->kept);
	free(recording->boot.hostname);
}

bool boot__is_same(const struct boot *one, const struct boot *other)
{
	int64_t apart = one->wall_ns - other->wall_ns;

	if (one->hostname && other->hostname && strcmp(one->hostname, other->hostname) != 0)
		return false;
	if (one->has_wall && other->has_wall && (apart > SAME_BOOT_NS || apart < -SAME_BOOT_NS))
		return false;
	return one->kernel_addr == other->kernel_addr &&
	       !memcmp(one->build_id, other->build_id, sizeof(one->build_id));
}

static bool has_name(const struct extraction *extraction, const char *path)
{
	const char *binary = extraction->options->binary_path;

	return builds__has_name(&extraction->builds, path) ||
	       (binary && !strcmp(builds__base_name(binary), builds__base_name(path)));
}

/*
 * Whether a map record is kept. Other tools look up a file name by the build-id, and then use every
 * mapping with that name. So mappings of other builds must be removed.
 */
static bool keeps_map(const struct recording *recording, const struct event *event)
{
	const struct extraction *extraction = recording->extraction;

	if (event->map.kernel)
		return extraction->keeps_kernel && (recording->is_first || !is_image(event));
	if (!runs__wants(recording->runs, event->pid, event->time_ns))
		return false;
	return !extraction->by_build || !event->map.path ||
	       is_wanted(extraction, &event->map.identity) ||
	       !has_name(extraction, event->map.path);
}

bool recording__keeps(void *ctx, uint64_t n, const struct event *event)
{
	const struct recording *recording = ctx;
	const struct extraction *extraction = recording->extraction;

	if (n >= recording->n_records)
		return false;
	switch (event->kind) {
	case EVENT_SAMPLE:
		return recording->kept[n / 8] >> n % 8 & 1;
	case EVENT_MAP:
		return keeps_map(recording, event);
	case EVENT_COMM:
	case EVENT_FORK:
	case EVENT_EXIT:
		return event->pid == UINT32_MAX ||
		       runs__wants(recording->runs, event->pid, event->time_ns);
	case EVENT_NAMESPACES:
		return !extraction->by_build &&
		       runs__wants(recording->runs, event->pid, event->time_ns);
	case EVENT_MODULE: /* the other records are only for perfstamp (docs/format.md) */
		return event->type == PERF_RECORD_MMAP2 && extraction->keeps_kernel;
	case EVENT_CODE:
		return false;
	case EVENT_KSYMBOL:
	case EVENT_BPF:
		return extraction->keeps_kernel;
	case EVENT_CGROUP:
		return !extraction->several_boots && !extraction->by_build;
	default:
		return extraction->options->n_paths == 1 || event->kind == EVENT_LOST;
	}
}

/*
 * Changes the time of a kernel record. Records of a later file before its first sample were valid
 * at its start, so they get that time. A reader would apply a record without a time at once.
 */
static void change_kernel(
	const struct recording *recording, const struct event *event, struct record_change *ret)
{
	if (!event->time_ns && !recording->is_first)
		ret->time_ns = recording->first_ns;
}

/*
 * Changes the path of a map record. Other tools expect one file name for a build: that of the given
 * file, if it is known.
 */
static void change_map(
	const struct extraction *extraction, const struct event *event, struct record_change *ret)
{
	const struct perfstamp_identity *identity = &event->map.identity;

	if (!event->map.path || !is_wanted(extraction, identity))
		return;
	if (is_binary(extraction->options, identity))
		ret->path = extraction->options->binary_path;
	else
		ret->path = builds__main_path(
			&extraction->builds, identity->build_id, identity->build_id_size);
	if (ret->path && !strcmp(ret->path, event->map.path))
		ret->path = NULL;
}

int recording__changes(void *ctx, uint64_t n, const struct event *event, struct record_change *ret)
{
	struct recording *recording = ctx;
	struct extraction *extraction = recording->extraction;
	struct run_numbers *numbers = extraction->numbers;
	int err = 0;

	(void)n;
	switch (event->kind) {
	case EVENT_FORK:
	case EVENT_EXIT:
		err = runs__renumber(recording->runs, numbers, event->fork.ppid, event->fork.ptid,
			event->time_ns, &ret->ppid, &ret->ptid);
		break;
	case EVENT_MAP:
		if (event->map.kernel) {
			change_kernel(recording, event, ret);
			return 0;
		}
		change_map(extraction, event, ret);
		break;
	case EVENT_SAMPLE:
	case EVENT_COMM:
	case EVENT_NAMESPACES:
		break;
	default:
		change_kernel(recording, event, ret);
		return 0;
	}
	if (err || event->pid == UINT32_MAX)
		return err;
	return runs__renumber(recording->runs, numbers, event->pid, event->tid, event->time_ns,
		&ret->pid, &ret->tid);
}

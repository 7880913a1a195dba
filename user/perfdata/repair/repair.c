// SPDX-License-Identifier: GPL-2.0-only
/*
 * See repair.h. Each input is read twice: first to find out how late its records are, then to copy
 * them. A pipe is read once more before that, for its attributes.
 */
#include "user/perfdata/repair/repair.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "user/perfdata/repair/clean_file.h"
#include "user/perfdata/read/reader.h"
#include "user/perfdata/repair/features.h"
#include "user/perfdata/repair/plain_record.h"
#include "user/perfdata/repair/round_marks.h"
#include "user/perfdata/repair/salvage.h"

/* The copying of one input. */
struct copying {
	struct repair *repair;
	const struct repair_input *input;
	const struct repair_choice *choice; /* NULL: keep everything */
	struct input_events events;
	bool no_rounds;                 /* do not copy marks of rounds */
	struct perfdata_reader *all;    /* knows the events and the header's features */
	struct perfdata_reader *reader; /* reader of the current pass */
	struct clean_file *file;        /* NULL in the first pass */
	struct round_marks rounds;
	struct repair_header header;
	struct buffer plain; /* the current record, without extensions */
	uint32_t cpus;
	uint64_t n_events; /* read by the first pass; the file may be growing */
};

static int no_memory(struct error *err)
{
	return error__set(err, -ENOMEM, "out of memory");
}

static struct repair_drop *find_drop(
	struct repair *repair, enum repair_reason reason, uint32_t type)
{
	struct repair_drop *drop;

	for (size_t i = 0; i < repair->n_drops; i++) {
		drop = &repair->drops[i];
		if (drop->reason == reason && drop->type == type)
			return drop;
	}
	if (repair->n_drops == REPAIR_DROPS_MAX)
		return NULL;
	drop = &repair->drops[repair->n_drops++];
	*drop = (struct repair_drop){.reason = reason, .type = type};
	return drop;
}

static void report_drop(struct copying *copying, enum repair_reason reason, uint32_t type,
	uint64_t offset, uint64_t size)
{
	struct repair *repair = copying->repair;
	struct repair_drop *drop;

	if (!copying->file)
		return;
	/*
	 * One place for each reason is kept free, because damage can produce any number of types.
	 */
	if (repair->n_drops >= REPAIR_DROPS_MAX - REPAIR_REASONS)
		type = 0;
	drop = find_drop(repair, reason, type);
	if (drop && drop->count < REPAIR_OFFSETS) {
		drop->offsets[drop->count] = offset;
		/* If there is no memory for the name, only the offset is reported. */
		if (perfdata_reader__is_directory(copying->reader))
			drop->files[drop->count] = strdup(
				perfdata_reader__file_name(copying->reader));
	}
	if (drop) {
		drop->count++;
		drop->bytes += size;
	}
	if (reason == REPAIR_LATE_ROUND)
		return;
	repair->dropped++;
	repair->dropped_bytes += size;
}

static bool is_plain(const struct copying *copying)
{
	return copying->choice && copying->choice->plain;
}

static bool is_same(const struct record_change *one, const struct record_change *other)
{
	return one->pid == other->pid && one->tid == other->tid && one->ppid == other->ppid &&
	       one->ptid == other->ptid && one->time_ns == other->time_ns &&
	       one->path == other->path && one->without_chain == other->without_chain;
}

/* Changes the record in .plain. */
static int change(struct copying *copying, uint64_t n, const struct event *event, struct error *err)
{
	const struct record_change same = record_change__none(event);
	struct record_change change = same;
	int code = 0;

	change.without_chain = copying->choice->without_chains && event->kind == EVENT_SAMPLE &&
			       event->sample.callchain_at;
	if (copying->choice->changes)
		code = copying->choice->changes(copying->choice->ctx, n, event, &change);
	if (code)
		return no_memory(err);
	if (!copying->events.changes && is_same(&change, &same))
		return 0;
	code = record_change__apply(
		&copying->plain, event, &change, &copying->events, copying->file->swap);
	if (code == -EBADMSG)
		return error__set(err, code,
			"%s: its records do not show of which event they are, so they cannot be "
			"in one file with others",
			copying->input->name);
	if (code == -EOVERFLOW)
		return error__set(err, code,
			"%s: one of its records has no room for the id of its event, so they "
			"cannot be in one file with others",
			copying->input->name);
	return code ? no_memory(err) : 0;
}

static int keep(struct copying *copying, uint64_t n, const struct event *event, struct error *err)
{
	int code;

	if (is_plain(copying) && plain_record__is_note(event))
		return 0;
	/*
	 * A check relies on records that may have been dropped, and could then end live processes.
	 */
	if (event->kind == EVENT_CHECK && copying->repair->dropped)
		return 0;
	if (!copying->file) {
		round_marks__note_time(&copying->rounds, event->time_ns);
		return 0;
	}
	round_marks__time(&copying->rounds, event->time_ns);
	repair_header__kept(&copying->header, event);
	copying->repair->kept++;
	if (!is_plain(copying))
		return clean_file__record(copying->file, event->raw, event->raw_size, err);
	buffer__reset(&copying->plain);
	if (plain_record__put(&copying->plain, event, copying->file->swap))
		return no_memory(err);
	code = change(copying, n, event, err);
	if (code)
		return code;
	return clean_file__record(copying->file, copying->plain.data, copying->plain.size, err);
}

static int end_round(struct copying *copying, const struct event *event, struct error *err)
{
	if (!copying->file)
		return round_marks__note_mark(&copying->rounds) ? no_memory(err) : 0;
	switch (round_marks__mark(&copying->rounds)) {
	case ROUND_TRUE:
		if (copying->no_rounds)
			return 0;
		return clean_file__record(copying->file, event->raw, event->raw_size, err);
	case ROUND_UNTRUE:
		report_drop(
			copying, REPAIR_LATE_ROUND, event->type, event->offset, event->raw_size);
		return 0;
	case ROUND_SAYS_NOTHING:
		return 0;
	}
	return 0;
}

/* Skips from a damaged record to the next one. Returns 1, 0 if there is none, or an error. */
static int pass_over(
	struct copying *copying, enum repair_reason reason, uint32_t type, struct error *err)
{
	uint64_t from, to;
	int ret = perfdata_reader__resync(copying->reader, &from, &to);

	if (ret < 0)
		return error__errno(err, ret, "cannot read on");
	report_drop(copying, reason, type, from, to - from);
	return ret;
}

/*
 * Judges a record. In the copy, all events are known from the start, so a pipe's records are
 * checked against all events.
 */
static int judge(struct copying *copying, struct event *event)
{
	int err = 0;

	if (perfdata_reader__is_pipe(copying->all) && event->type < PERF_RECORD_USER_TYPE_START)
		err = perfdata_reader__decode_again(copying->all, event);
	if (err)
		return err == -EBADMSG ? SALVAGE_CONTRADICTS : err;
	return salvage__judge(copying->all, event, copying->cpus);
}

static bool is_chosen(const struct copying *copying, uint64_t n, const struct event *event)
{
	return !copying->choice || copying->choice->keeps(copying->choice->ctx, n, event);
}

/* Handles @event, number @n. Returns 1 to continue, 0 if nothing is left to read, or an error. */
static int take(struct copying *copying, uint64_t n, struct event *event, struct error *err)
{
	int verdict = judge(copying, event), ret = 0;

	switch (verdict) {
	case SALVAGE_KEEP:
		if (is_chosen(copying, n, event))
			ret = keep(copying, n, event, err);
		break;
	case SALVAGE_ROUND:
		ret = end_round(copying, event, err);
		break;
	case SALVAGE_HEADER:
		if (!copying->file)
			ret = repair_header__take(&copying->header, copying->reader, event, err);
		break;
	case SALVAGE_NO_EVENT:
		report_drop(copying, REPAIR_NO_EVENT, event->type, event->offset, event->raw_size);
		break;
	case SALVAGE_NOT_READABLE:
		report_drop(
			copying, REPAIR_NOT_READABLE, event->type, event->offset, event->raw_size);
		break;
	case SALVAGE_CONTRADICTS: /* its size may be wrong, and hide other records */
		return pass_over(copying, REPAIR_CONTRADICTS, event->type, err);
	default:
		return no_memory(err);
	}
	return ret ? ret : 1;
}

static int pass(struct copying *copying, struct error *err)
{
	struct event event;
	uint64_t n = 0;
	int more = 1;

	while (more > 0 && (!copying->file || n < copying->n_events)) {
		more = perfdata_reader__next(copying->reader, &event, err);
		if (more > 0)
			more = take(copying, n, &event, err);
		else if (more == -EBADMSG)
			more = pass_over(copying, REPAIR_DAMAGE, 0, err);
		n++;
	}
	copying->n_events = n;
	return more < 0 ? more : 0;
}

/* Reads a pipe to its end, because its records describe its events and the machine. */
static int read_header(struct copying *copying, struct error *err)
{
	struct event event;
	uint64_t from, to;
	int more = perfdata_reader__open_fd(
		&copying->all, copying->input->fd, copying->input->name, err);

	if (more)
		return more;
	more = perfdata_reader__is_pipe(copying->all);
	while (more > 0) {
		more = perfdata_reader__next(copying->all, &event, err);
		if (more == -EBADMSG)
			more = perfdata_reader__resync(copying->all, &from, &to);
	}
	copying->cpus = repair_header__cpus(copying->all);
	return more;
}

static int first_pass(struct copying *copying, struct error *err)
{
	int ret = perfdata_reader__open_fd(
		&copying->reader, copying->input->fd, copying->input->name, err);

	if (ret)
		return ret;
	ret = pass(copying, err);
	perfdata_reader__free(copying->reader);
	copying->reader = NULL;
	if (!ret && round_marks__settle(&copying->rounds))
		return no_memory(err);
	return ret;
}

static int second_pass(struct copying *copying, struct clean_file *file, struct error *err)
{
	const struct repair_choice *choice = copying->choice;
	int ret = 0;

	copying->file = file;
	if (choice && choice->first)
		ret = clean_file__record(file, choice->first->data, choice->first->size, err);
	if (!ret)
		ret = perfdata_reader__open_fd(
			&copying->reader, copying->input->fd, copying->input->name, err);
	if (!ret)
		ret = pass(copying, err);
	perfdata_reader__free(copying->reader);
	copying->reader = NULL;
	return ret;
}

static int merge_events(
	struct copying *copyings, size_t n, struct merged_events *events, bool adds_ids)
{
	const struct merged_events chosen = {
		.without_chains = events->without_chains, .adds_ids = adds_ids};
	int err = 0;

	merged_events__free(events);
	*events = chosen;
	for (size_t i = 0; i < n && !err; i++) {
		input_events__free(&copyings[i].events);
		err = merged_events__add(events, copyings[i].all, &copyings[i].events);
	}
	return err;
}

/* Checks that the inputs can be in one file, and collects what the copy has of each. */
static int join_headers(
	struct copying *copyings, size_t n, struct merged_events *events, struct error *err)
{
	bool swap = perfdata_reader__is_foreign_order(copyings[0].all);
	struct repair_header *header = &copyings[0].header;
	int code;

	for (size_t i = 1; i < n; i++)
		if (perfdata_reader__is_foreign_order(copyings[i].all) != swap)
			return error__set(err, -EBADMSG,
				"%s: has another byte order than %s, so they cannot be in one file",
				copyings[i].input->name, copyings[0].input->name);
	code = merge_events(copyings, n, events, false);
	/* A file with one event needs no ids, but one with several does. */
	if (!code && events->n > 1 && events->lacks_ids)
		code = merge_events(copyings, n, events, true);
	if (!code)
		code = merged_events__finish(events);
	if (code)
		return no_memory(err);
	header->attrs = events->attrs;
	header->n_attrs = events->n;
	code = repair_header__check(header, copyings[0].all, copyings[0].input->name, err);
	for (size_t i = 1; i < n && !code; i++)
		if (!repair_header__same_tracing(
			    header, copyings[0].all, &copyings[i].header, copyings[i].all))
			code = error__set(err, -EBADMSG,
				"%s: the formats of its tracepoints are others than in %s, so they "
				"cannot be in one file",
				copyings[i].input->name, copyings[0].input->name);
	return code;
}

static int write_copy(
	struct copying *copyings, size_t n, int out, const char *out_name, struct error *err)
{
	struct repair_header *header = &copyings[0].header;
	struct clean_file file;
	int ret;

	if (clean_file__init(
		    &file, out, out_name, perfdata_reader__is_foreign_order(copyings[0].all))) {
		ret = no_memory(err);
		goto cleanup;
	}
	ret = clean_file__begin(&file, header->attrs, header->n_attrs, err);
	for (size_t i = 0; i < n && !ret; i++) {
		copyings[i].no_rounds = n > 1 || (copyings[i].choice && copyings[i].choice->first);
		ret = second_pass(&copyings[i], &file, err);
		if (i)
			repair_header__join(header, &copyings[i].header);
	}
	header->is_extract = is_plain(&copyings[0]);
	if (!ret && repair_header__put(header, copyings[0].repair, copyings[0].all, &file))
		ret = no_memory(err);
	if (!ret)
		ret = clean_file__finish(&file, err);
cleanup:
	clean_file__free(&file);
	return ret;
}

static void copying__init(
	struct copying *copying, struct repair *repair, const struct repair_input *input)
{
	*copying = (struct copying){.repair = repair, .input = input, .choice = input->choice};
	round_marks__init(&copying->rounds);
	repair_header__init(&copying->header);
	buffer__init(&copying->plain, 0);
}

static void copying__free(struct copying *copying)
{
	perfdata_reader__free(copying->all);
	round_marks__free(&copying->rounds);
	repair_header__free(&copying->header);
	buffer__free(&copying->plain);
	input_events__free(&copying->events);
}

int repair__copy(struct repair *ret, const struct repair_input *inputs, size_t n, int out,
	const char *out_name, struct error *err)
{
	struct copying *copyings = calloc(n, sizeof(*copyings));
	struct merged_events events = {
		.without_chains = inputs[0].choice && inputs[0].choice->without_chains};
	int code = 0;

	memset(ret, 0, sizeof(*ret));
	if (!copyings)
		return no_memory(err);
	for (size_t i = 0; i < n; i++)
		copying__init(&copyings[i], ret, &inputs[i]);
	for (size_t i = 0; i < n && !code; i++) {
		code = read_header(&copyings[i], err);
		if (!code)
			code = first_pass(&copyings[i], err);
	}
	if (!code)
		code = join_headers(copyings, n, &events, err);
	if (!code)
		code = write_copy(copyings, n, out, out_name, err);
	for (size_t i = 0; i < n; i++)
		copying__free(&copyings[i]);
	merged_events__free(&events);
	free(copyings);
	return code;
}

void repair__free(struct repair *repair)
{
	for (size_t i = 0; i < repair->n_drops; i++)
		for (size_t j = 0; j < REPAIR_OFFSETS; j++)
			free(repair->drops[i].files[j]);
	repair->n_drops = 0;
}

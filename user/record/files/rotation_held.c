// SPDX-License-Identifier: GPL-2.0-only
/*
 * --overwrite: a part of the rotation. Records are written to memory, in pieces (flight.h).
 * The next piece begins like a next file, at one moment, with the state at that time. So
 * the oldest piece can be dropped, and a file can begin with any piece.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "user/base/array.h"
#include "user/base/text.h"
#include "user/record/files/features.h"
#include "user/record/files/rotation.h"
#include "user/record/files/rotation_private.h"

/* The sums of a piece; flight.c has its other data. */
struct piece_sums {
	uint64_t begin_ns;        /* in the samples' clock; 0: the first piece */
	struct counters base;     /* counters of the recording when the piece began */
	struct counters own;      /* per-file counters, without those of the initial state */
	struct counters repeated; /* per-file counters of the initial state */
};

struct held {
	struct flight *flight;
	struct perfdata_writer *like; /* model for files: features, compression */
	struct piece_sums *v;         /* for each piece in flight.c */
	size_t n;
	size_t room;
	uint64_t samples;      /* samples in the written files */
	uint64_t samples_seen; /* samples of the recording when the last file was written */
	bool ended;            /* the newest piece is complete, and no other follows */
};

static struct piece_sums *newest(const struct held *held)
{
	return &held->v[held->n - 1];
}

static int begin_piece(struct held *held, int *ret_fd, struct error *err)
{
	*ret_fd = -1;
	if (array__reserve(&held->v, &held->room, held->n + 1, sizeof(*held->v)))
		return error__set(err, -ENOMEM, "out of memory");
	memset(&held->v[held->n++], 0, sizeof(*held->v));
	return flight__begin(held->flight, clock__now(CLOCK_MONOTONIC), ret_fd, err);
}

static void forget_oldest(struct held *held, size_t n)
{
	held->n -= n;
	memmove(held->v, held->v + n, held->n * sizeof(*held->v));
}

/* Checks before recording that files can be created. */
static int try_output(struct rotation *rotation, struct error *err)
{
	int fd, code = series__make_next(rotation->series, &fd, err);

	if (code)
		return code;
	close(fd);
	series__drop_next(rotation->series);
	return 0;
}

int rotation_held__new(struct rotation *rotation, struct error *err)
{
	struct recorder *recorder = rotation->recorder;
	struct perfdata_writer *writer;
	struct held *held;
	int fd = -1, code = try_output(rotation, err);

	if (code)
		return code;
	held = rotation->held = calloc(1, sizeof(*held));
	if (!held || flight__new(&held->flight, &rotation->options->overwrite))
		return error__set(err, -ENOMEM, "out of memory");
	code = begin_piece(held, &fd, err);
	if (code)
		return code;
	if (perfdata_writer__new_like(&writer, recorder->writer, fd, recorder->output.name, true))
		return error__set(err, -ENOMEM, "out of memory");
	held->like = recorder->writer;
	recorder->writer = writer;
	map_writer__set_file(recorder->maps, writer);
	code = perfdata_writer__begin(writer, err);
	flight__begun(held->flight, perfdata_writer__size(writer), perfdata_writer__size(writer));
	return code;
}

void rotation_held__free(struct held *held)
{
	if (!held)
		return;
	perfdata_writer__free(held->like);
	flight__free(held->flight);
	free(held->v);
	free(held);
}

/* ---- Sums ---- */

/* Sums up the newest piece, which is complete. */
static void sum_up(struct rotation *rotation)
{
	struct recorder_summary sums;

	recorder__sums(rotation->recorder, &sums);
	/* Bytes in memory do not belong to a file. */
	sums.counters.n[COUNTER_BYTES] = 0;
	counters__add_file(&newest(rotation->held)->own, &sums.counters, &rotation->repeated);
	counters__add_file(&rotation->files, &sums.counters, &rotation->repeated);
}

/* Called when all pieces are complete. */
void rotation_held__file_summary(const struct rotation *rotation, struct recorder_summary *sums)
{
	const struct held *held = rotation->held;
	struct counters all = held->v[0].repeated;

	for (size_t i = 0; i < held->n; i++)
		counters__add_file(&all, &held->v[i].own, NULL);
	counters__take_anew(&sums->counters, &all);
	counters__subtract(&sums->counters, &held->v[0].base);
}

void rotation_held__add_files(const struct rotation *rotation, struct recorder_summary *sums)
{
	struct counters all = rotation->files;

	sums->counters.n[COUNTER_BYTES] = 0;
	if (!rotation->held->ended)
		counters__add_file(&all, &sums->counters, &rotation->repeated);
	counters__take_anew(&sums->counters, &all);
	sums->files = rotation->n_files;
	sums->removed = rotation->n_removed;
	sums->counters.n[COUNTER_SAMPLES] = rotation->held->samples;
}

/* ---- The next piece ---- */

bool rotation_held__is_due(const struct rotation *rotation, uint64_t now_ns)
{
	return flight__is_full(
		rotation->held->flight, perfdata_writer__size(rotation->recorder->writer), now_ns);
}

static void forget(struct rotation *rotation, size_t n)
{
	struct held *held = rotation->held;

	if (!n)
		return;
	forget_oldest(held, n);
	losses__begin_file(rounds__losses(rotation->recorder->rounds), held->v[0].begin_ns);
}

void rotation_held__trim(struct rotation *rotation)
{
	struct held *held = rotation->held;

	flight__grown(held->flight, perfdata_writer__size(rotation->recorder->writer));
	forget(rotation, flight__trim(held->flight, clock__now(CLOCK_MONOTONIC)));
}

static int end_piece(struct rotation *rotation, struct error *err)
{
	struct perfdata_writer *writer = rotation->recorder->writer;
	int code = perfdata_writer__checkpoint(writer, err);

	flight__grown(rotation->held->flight, perfdata_writer__size(writer));
	sum_up(rotation);
	return code;
}

static int take_writer(struct rotation *rotation, struct perfdata_writer *writer, uint64_t cut_ns,
	struct error *err)
{
	struct recorder *recorder = rotation->recorder;
	struct held *held = rotation->held;
	int code = 0;

	memset(&rotation->repeated, 0, sizeof(rotation->repeated));
	perfdata_writer__free(recorder->writer);
	recorder->writer = writer;
	rounds__set_writer(recorder->rounds, writer);
	map_writer__begin_file(recorder->maps, writer);
	if (recorder->programs)
		code = bpf_record__begin_file(recorder->programs, writer, cut_ns,
			held->v[0].begin_ns, rotation__is_loaded, recorder->living);
	return code ? error__set(err, code, "out of memory") : 0;
}

/* Stores the counters of the initial state. */
static void count_repeated(struct rotation *rotation)
{
	newest(rotation->held)->repeated = rotation->repeated = rotation->recorder->counters;
}

static int fill_piece(struct rotation *rotation, uint64_t cut_ns, struct error *err)
{
	struct recorder *recorder = rotation->recorder;
	struct perfdata_writer *writer = recorder->writer;
	uint64_t data;
	int code = perfdata_writer__begin(writer, err);

	data = perfdata_writer__size(writer);
	if (!code)
		code = rotation__write_alive(recorder, cut_ns, err);
	if (!code)
		code = perfdata_writer__finish_init(writer, err);
	if (!code)
		code = perfdata_writer__finish_round(writer, err);
	count_repeated(rotation);
	perfdata_writer__forget_notes(writer);
	flight__begun(rotation->held->flight, data, perfdata_writer__size(writer));
	return code;
}

static int next_piece(struct rotation *rotation, uint64_t cut_ns, struct error *err)
{
	struct recorder *recorder = rotation->recorder;
	struct held *held = rotation->held;
	struct perfdata_writer *writer;
	struct recorder_summary sums;
	int fd = -1, code = 0;

	if (recorder->modules && module_writer__end_part(recorder->modules, cut_ns))
		return map_writer__explain(recorder->maps, -EIO, "kernel modules", err);
	code = end_piece(rotation, err);
	if (!code)
		code = begin_piece(held, &fd, err);
	if (code)
		return code;
	newest(held)->begin_ns = cut_ns;
	recorder__sums(recorder, &sums);
	newest(held)->base = sums.counters;
	if (perfdata_writer__new_like(&writer, recorder->writer, fd, recorder->output.name, true))
		return error__set(err, -ENOMEM, "out of memory");
	code = take_writer(rotation, writer, cut_ns, err);
	return code ? code : fill_piece(rotation, cut_ns, err);
}

/* ---- A file ---- */

/* Writes all pieces, except the newest if it was begun for this file. */
static int write_file(struct rotation *rotation, const char **ret_name, struct error *err)
{
	struct recorder *recorder = rotation->recorder;
	struct held *held = rotation->held;
	struct perfdata_writer *writer;
	int fd = -1, code;

	code = series__make_next(rotation->series, &fd, err);
	if (code)
		return code;
	if (perfdata_writer__new_like(&writer, held->like, fd, recorder->output.name, false)) {
		close(fd);
		return error__set(err, -ENOMEM, "out of memory");
	}
	code = features__clock(writer, recorder->events.clockid, err);
	if (!code)
		code = perfdata_writer__begin(writer, err);
	if (!code)
		code = flight__copy(held->flight, writer, err);
	if (!code)
		code = rotation__finish_file(rotation, writer, err);
	if (!code)
		rotation->files.n[COUNTER_BYTES] += perfdata_writer__size(writer);
	perfdata_writer__free(writer);
	if (close(fd) && !code)
		code = error__errno(err, -errno, "cannot write %s", recorder->output.name);
	if (!code)
		code = series__put_next_away(rotation->series, ret_name, err);
	if (code)
		series__drop_next(rotation->series);
	return code;
}

static void report_file(const struct rotation *rotation, const char *name, uint64_t samples,
	uint64_t begun_ns, uint64_t now_ns)
{
	char shown[PATH_MAX];

	text__escape(shown, sizeof(shown), name);
	recorder__note(rotation->recorder, "%s: %" PRIu64 " samples, the last %.1f s", shown,
		samples, (double)(now_ns - begun_ns) / 1e9);
}

/* Writes all pieces to a file, and drops them. */
static int write_held(struct rotation *rotation, uint64_t drained_ns, struct error *err)
{
	struct held *held = rotation->held;
	uint64_t begun_ns = flight__begin_ns(held->flight),
		 before = held->v[0].base.n[COUNTER_SAMPLES], samples;
	struct recorder_summary sums;
	const char *name = NULL;
	int code;

	recorder__sums(rotation->recorder, &sums);
	samples = sums.counters.n[COUNTER_SAMPLES];
	rotation->file.begin_ns = held->v[0].begin_ns;
	rotation->file.repeated_bytes = flight__begin_size(held->flight);
	rotation->file.overwritten = before - held->samples_seen;
	code = write_file(rotation, &name, err);
	if (code)
		return code;
	rotation->n_files++;
	rotation->file.number++;
	rotation->file.seam_ns = clock__now(CLOCK_MONOTONIC) - drained_ns;
	held->samples += samples - before;
	held->samples_seen = samples;
	report_file(rotation, name, samples - before, begun_ns, drained_ns);
	rotation__tidy(rotation);
	return 0;
}

int rotation_held__run(struct rotation *rotation, bool asked, struct error *err)
{
	struct error why;
	uint64_t cut_ns, drained_ns;
	int code = rounds__cut(rotation->recorder->rounds, &cut_ns, err);

	drained_ns = clock__now(CLOCK_MONOTONIC);
	if (!code)
		code = next_piece(rotation, cut_ns, err);
	if (code)
		return code;
	if (asked && write_held(rotation, drained_ns, &why))
		recorder__note(rotation->recorder, "%s; the records stay in memory", why.text);
	else if (asked)
		forget(rotation, flight__reset(rotation->held->flight));
	rotation__forget_cgroups(rotation->recorder);
	return 0;
}

int rotation__write_last(struct rotation *rotation, struct error *err)
{
	int code = end_piece(rotation, err);

	rotation->held->ended = true;
	return code ? code : write_held(rotation, clock__now(CLOCK_MONOTONIC), err);
}

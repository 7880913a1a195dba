// SPDX-License-Identifier: GPL-2.0-only
/*
 * input: see input.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfstamp/cookie.h"
#include "user/cli/cli.h"
#include "user/cli/input.h"
#include "user/cli/progress_bar.h"
#include "user/event/order.h"
#include "user/perfdata/features/features.h"
#include "user/perfdata/layout.h"
#include "user/perfdata/read/reader.h"

struct applying {
	struct model *model;
	struct perfdata_reader *reader;
	const struct input_tap *tap;
	uint64_t since_ns; /* time of the last sample in the previous file */
	uint64_t last_ns;  /* time of the last sample */
	bool overlaps;     /* a sample is older than .since_ns */
};

static int apply(void *ctx, const struct event *event)
{
	struct applying *applying = ctx;
	int err;

	if (event->kind == EVENT_SAMPLE) {
		applying->overlaps |= event->time_ns < applying->since_ns;
		if (event->time_ns > applying->last_ns)
			applying->last_ns = event->time_ns;
	}
	err = model__apply(applying->model, event);

	if (err || !applying->tap)
		return err;
	return applying->tap->fn(applying->tap->ctx, applying->reader, applying->model, event);
}

/* Adds an entry of the build-id table. The table of a pipe is in records. */
static int add_header_id(
	struct input *input, const struct perfdata_reader *reader, const struct event *event)
{
	bool swap = perfdata_reader__is_foreign_order(reader);
	int err;

	if (event->type != PERF_RECORD_HEADER_BUILD_ID)
		return 0;
	err = header_ids__add(&input->header_ids, event->raw, event->raw_size, swap);
	return err == -ENOMEM ? err : 0;
}

/*
 * Reads the next event. Each file of a directory is read as far as possible: *@damage is set to the
 * first damage, and -EBADMSG is returned after the last file.
 */
static int next_event(
	struct perfdata_reader *reader, struct event *ret, struct error *damage, struct error *err)
{
	const char *missing = perfdata_reader__missing_file(reader);
	int more = perfdata_reader__next(reader, ret, err);

	while (more == -EBADMSG) {
		if (!damage->text[0])
			*damage = *err;
		if (!perfdata_reader__skip_file(reader)) {
			*err = *damage;
			return -EBADMSG;
		}
		more = perfdata_reader__next(reader, ret, err);
	}
	if (more)
		return more;
	if (damage->text[0]) {
		*err = *damage;
		return -EBADMSG;
	}
	return missing ? error__set(err, -EBADMSG,
				 "%s: missing, although later files of the directory exist: its "
				 "samples are lost unless it is copied there too",
				 missing)
		       : 0;
}

void input__show_progress(const struct perfdata_reader *reader)
{
	uint64_t done, total;

	perfdata_reader__progress(reader, &done, &total);
	progress_bar__set(done, total);
}

/*
 * Returns 0, -ENOMEM, or -EBADMSG with text. In the last case, all events before the damage are in
 * the model.
 */
static int read_records(
	struct input *input, struct perfdata_reader *reader, struct order *order, struct error *err)
{
	struct error damage = {0};
	struct event event;
	int more, failed;

	while ((more = next_event(reader, &event, &damage, err)) > 0) {
		input->records++;
		input__show_progress(reader);
		if (event.kind == EVENT_MAP && event.map.unresolved)
			input->unresolved++;
		failed = add_header_id(input, reader, &event);
		if (!failed)
			failed = order__push(order, &event);
		if (failed)
			return error__set(err, failed, "out of memory");
	}
	input->end = perfdata_reader__offset(reader);
	if (order__flush(order))
		return error__set(err, -ENOMEM, "out of memory");
	input->late += order__late(order);
	return more;
}

/* Cookies like those in the BUILD_ID feature: padded with zeros, in ascending order. */
struct cookies {
	uint8_t (*v)[PERFSTAMP_BUILD_ID_MAX];
	size_t n;
};

static int compare_cookies(const void *a, const void *b)
{
	return memcmp(a, b, PERFSTAMP_BUILD_ID_MAX);
}

static int find_cookies(struct model *model, struct cookies *ret)
{
	size_t n = model__n_sightings(model);

	_Static_assert(PERFSTAMP_COOKIE_MAX <= PERFSTAMP_BUILD_ID_MAX, "a cookie fits an entry");
	*ret = (struct cookies){calloc(n ? n : 1, sizeof(*ret->v)), 0};
	if (!ret->v)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		const struct perfstamp_identity *identity = &model__sighting(model, i)->identity;

		if (identity->cookie_size)
			memcpy(ret->v[ret->n++], identity->cookie, identity->cookie_size);
	}
	qsort(ret->v, ret->n, sizeof(*ret->v), compare_cookies);
	return 0;
}

/*
 * Whether the entry exists only for perf, and contains a cookie (docs/format.md). perf inject
 * copies it; version 6.1 extends it to the 20 bytes of a build-id.
 */
static bool is_cookie(const struct cookies *cookies, const struct header_id *id)
{
	return id->build_id[0] == PERFSTAMP_COOKIE_V1 &&
	       bsearch(id->build_id, cookies->v, cookies->n, sizeof(*cookies->v), compare_cookies);
}

static int read_build_id_table(struct input *input, const struct perfdata_reader *reader)
{
	struct header_ids *ids = &input->header_ids;
	size_t size, n = 0;
	const void *bytes = perfdata_reader__feature(reader, HEADER_BUILD_ID, &size);
	bool swap = perfdata_reader__is_foreign_order(reader);
	struct cookies cookies;
	int err = 0;

	if (bytes && !perfdata_reader__is_pipe(reader))
		err = header_ids__add(ids, bytes, size, swap);
	if (err == -ENOMEM || !ids->n)
		return err == -ENOMEM ? err : 0;
	if (find_cookies(input->model, &cookies))
		return -ENOMEM;
	for (size_t i = 0; i < ids->n; i++) {
		if (is_cookie(&cookies, &ids->v[i]))
			free(ids->v[i].path);
		else
			ids->v[n++] = ids->v[i];
	}
	ids->n = n;
	header_ids__sort(ids);
	free(cookies.v);
	return 0; /* ignore the rest of a malformed table */
}

void input__warn_if_cut(const struct perfdata_reader *reader, const char *path)
{
	const char *name = strcmp(path, "-") ? path : "standard input";

	switch (perfdata_reader__extent(reader)) {
	case PERFDATA_NO_SIZE:
		cli__fail("warning: %s: its header has no size: its recorder is still running or "
			  "was killed; the existing data is read",
			name);
		return;
	case PERFDATA_CUT_DATA:
		cli__fail("warning: %s: the file was cut off at offset %" PRIu64
			  ", before the end of its data; the existing data is read",
			name, perfdata_reader__data_end(reader));
		return;
	case PERFDATA_WHOLE:
		if (!perfdata_reader__n_cut_features(reader))
			return;
		break;
	case PERFDATA_CUT_FEATURES:
		break;
	}
	cli__fail("warning: %s: the file was cut off after its data: header features are missing",
		name);
}

static char *copy_string(const struct perfdata_reader *reader, unsigned int id)
{
	bool swap = perfdata_reader__is_foreign_order(reader);
	const char *string;
	const void *bytes;
	size_t size;

	bytes = perfdata_reader__feature(reader, id, &size);
	string = bytes ? feature__string(bytes, size, swap) : NULL;
	return string ? strdup(string) : NULL;
}

static bool read_clock(const struct perfdata_reader *reader, int64_t *ret)
{
	bool swap = perfdata_reader__is_foreign_order(reader);
	const void *bytes;
	size_t size;

	bytes = perfdata_reader__feature(reader, HEADER_CLOCK_DATA, &size);
	return bytes && feature__wall_offset(bytes, size, swap, ret);
}

static int add_stamp(struct input *input, const struct perfdata_reader *reader)
{
	const void *stamp;
	size_t size;
	char *grown;

	stamp = perfdata_reader__feature(reader, PERFSTAMP_FEATURE, &size);
	if (!stamp)
		return 0;
	grown = realloc(input->stamp, input->stamp_size + size + 1);
	if (!grown)
		return -ENOMEM;
	memcpy(grown + input->stamp_size, stamp, size);
	input->stamp = grown;
	input->stamp_size += size;
	return 0;
}

/* Reads the features about the machine and the recording itself. Returns 0 or -ENOMEM. */
static int copy_features(struct input *input, const struct perfdata_reader *reader)
{
	if (!input->osrelease)
		input->osrelease = copy_string(reader, HEADER_OSRELEASE);
	if (!input->arch)
		input->arch = copy_string(reader, HEADER_ARCH);
	if (!input->hostname)
		input->hostname = copy_string(reader, HEADER_HOSTNAME);
	if (!input->has_wall)
		input->has_wall = read_clock(reader, &input->wall_ns);
	return add_stamp(input, reader);
}

/* Reads one file. Damage is not an error; the next file follows. */
static int read_file(
	struct input *ret, const char *path, struct applying *applying, struct error *err)
{
	const struct input_tap *tap = applying->tap;
	struct order *order = NULL;
	int failed = perfdata_reader__open(&applying->reader, path, err);

	if (failed)
		return failed;
	if (order__new(&order, apply, applying, 0)) {
		failed = error__set(err, -ENOMEM, "out of memory");
		goto cleanup;
	}
	progress_bar__begin(PROGRESS_BYTES, "reading", strcmp(path, "-") ? path : "standard input");
	failed = read_records(ret, applying->reader, order, err);
	progress_bar__end();
	if (applying->overlaps)
		failed = error__set(err, -EINVAL,
			"%s: its samples are older than those of the file before: these are not "
			"files of one series",
			path);
	if (failed == -EBADMSG) {
		if (!ret->damaged)
			ret->damage = *err;
		ret->damaged = true;
		failed = 0;
	} else if (!failed && !(tap && tap->again)) {
		input__warn_if_cut(applying->reader, path);
	}
	ret->pipe = perfdata_reader__is_pipe(applying->reader);
	ret->features_cut += perfdata_reader__n_cut_features(applying->reader);
	ret->directory = perfdata_reader__is_directory(applying->reader);
	ret->unfinished |= perfdata_reader__is_unfinished(applying->reader);
	if (!failed && (read_build_id_table(ret, applying->reader) ||
			       copy_features(ret, applying->reader)))
		failed = error__set(err, -ENOMEM, "out of memory");
cleanup:
	order__free(order);
	perfdata_reader__free(applying->reader);
	return failed;
}

static int read_into_model(struct input *ret, const char *const *paths, size_t n,
	bool follow_chains, const struct input_tap *tap, struct error *err)
{
	struct applying applying = {.tap = tap};
	int failed;

	memset(ret, 0, sizeof(*ret));
	failed = model__new(&ret->model);
	if (!failed && follow_chains)
		model__follow_chains(ret->model);
	if (!failed && tap && tap->lives)
		failed = model__follow_lives(ret->model);
	if (failed)
		return error__set(err, failed, "out of memory");
	applying.model = ret->model;
	for (size_t i = 0; i < n && !failed; i++) {
		if (i && tap && tap->next_file)
			tap->next_file(tap->ctx);
		applying.since_ns = applying.last_ns;
		failed = read_file(ret, paths[i], &applying, err);
	}
	return failed;
}

int input__read(struct input *ret, const char *path, struct error *err)
{
	return read_into_model(ret, &path, 1, false, NULL, err);
}

int input__read_chains(struct input *ret, const char *path, struct error *err)
{
	return read_into_model(ret, &path, 1, true, NULL, err);
}

int input__read_with(
	struct input *ret, const char *path, const struct input_tap *tap, struct error *err)
{
	return read_into_model(ret, &path, 1, false, tap, err);
}

int input__read_series(struct input *ret, const char *const *paths, size_t n,
	const struct input_tap *tap, struct error *err)
{
	return read_into_model(ret, paths, n, false, tap, err);
}

int input__keep_standard(struct error *err)
{
	static char bytes[1 << 16];
	FILE *kept = NULL;
	struct stat st;
	ssize_t n = 0;
	int code = 0;

	if (!fstat(STDIN_FILENO, &st) && S_ISREG(st.st_mode))
		return 0;
	errno = 0;
	kept = tmpfile();
	if (!kept)
		return error__errno(err, -errno, "temporary file for standard input");
	while ((n = read(STDIN_FILENO, bytes, sizeof(bytes))) > 0 || (n < 0 && errno == EINTR))
		if (n > 0 && fwrite(bytes, 1, n, kept) != (size_t)n)
			break;
	if (n || fflush(kept) || dup2(fileno(kept), STDIN_FILENO) < 0)
		code = error__errno(err, errno ? -errno : -EIO, "%s",
			n < 0 ? "standard input" : "temporary file for standard input");
	fclose(kept);
	return code;
}

void input__free(struct input *input)
{
	model__free(input->model);
	header_ids__free(&input->header_ids);
	free(input->osrelease);
	free(input->arch);
	free(input->hostname);
	free(input->stamp);
}

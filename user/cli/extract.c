// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfstamp extract: the samples of one build, as a perf.data for the tools of
 * others, which take the samples of every build that ran at its path. The recording
 * is read into the model, which assigns each sample to a build; then the records
 * that are wanted are copied (perfdata/repair/).
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/cli/cli.h"
#include "user/cli/input.h"
#include "user/cli/repair.h"
#include "user/event/order.h"
#include "user/model/model.h"
#include "user/perfdata/read/reader.h"

struct options {
	const char *path;
	const char *out;
	uint8_t build_id[PERFSTAMP_BUILD_ID_MAX]; /* how it begins */
	int build_id_size;
	bool force;
};

/* What the model found out, and the copy is made by. */
struct extract {
	const struct options *options;
	struct model *model;
	uint8_t *kept;        /* a bit for each record, in file order */
	uint64_t n_records;   /* that were read; .kept has room for more */
	uint64_t n_samples;   /* that are kept */
	uint64_t n_elsewhere; /* samples of other builds, or of none, at its paths */
	size_t n_paths;
	const char **paths; /* that the build was mapped at; the model's */
	uint8_t build_id[PERFSTAMP_BUILD_ID_MAX];
	uint8_t build_id_size;
};

enum { KEY_BUILD_ID = 256 };

static const struct argp_option OPTIONS[] = {
	{"build-id", KEY_BUILD_ID, "HEX", 0, "Extract the build whose build-id begins with HEX", 0},
	{"output", 'o', "OUT", 0, "Write the samples to the file OUT", 0},
	{"force", 'f', NULL, 0, "Replace OUT if it exists", 0},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->path;
		return 0;
	case KEY_BUILD_ID:
		options->build_id_size = text__parse_hex(
			options->build_id, sizeof(options->build_id), arg);
		if (options->build_id_size <= 0)
			argp_error(state,
				"--build-id requires 2 to 40 hexadecimal digits, an even number of "
				"them: `%s'",
				arg);
		return 0;
	case 'o':
		options->out = arg;
		return 0;
	case 'f':
		options->force = true;
		return 0;
	case ARGP_KEY_END:
		if (!options->build_id_size || !options->out)
			argp_error(state, "--build-id and --output are required");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static bool is_wanted(const struct extract *extract, const struct perfstamp_identity *identity)
{
	const struct options *options = extract->options;

	return identity->build_id_size >= options->build_id_size &&
	       !memcmp(identity->build_id, options->build_id, options->build_id_size);
}

/* In time order; .offset is the record's number. */
static int take(void *ctx, const struct event *event)
{
	struct extract *extract = ctx;
	struct model_place place;
	int err = model__apply(extract->model, event);

	if (err || event->kind != EVENT_SAMPLE)
		return err;
	model__locate(extract->model, event->pid, event->misc, event->sample.ip, &place);
	if (place.sighting == UINT32_MAX ||
		!is_wanted(
			extract, &model__sighting_so_far(extract->model, place.sighting)->identity))
		return 0;
	extract->kept[event->offset / 8] |= 1u << event->offset % 8;
	extract->n_samples++;
	return 0;
}

/* Room for the bit of record @n. */
static int make_room(struct extract *extract, uint64_t n)
{
	uint8_t *kept;
	size_t size = 4096;

	if (n % (8 * size))
		return 0;
	kept = realloc(extract->kept, n / 8 + size);
	if (!kept)
		return -ENOMEM;
	memset(kept + n / 8, 0, size);
	extract->kept = kept;
	return 0;
}

static int read_records(struct extract *extract, struct perfdata_reader *reader, struct error *err)
{
	struct order *order;
	struct event event;
	int more = 0, failed = order__new(&order, take, extract, 0);

	while (!failed && (more = perfdata_reader__next(reader, &event, err)) > 0) {
		event.offset = extract->n_records;
		failed = make_room(extract, extract->n_records++);
		if (!failed)
			failed = order__push(order, &event);
	}
	if (!failed && !more)
		failed = order__flush(order);
	order__free(order);
	if (failed)
		return error__set(err, failed, "out of memory");
	return more;
}

static bool has_path(const struct extract *extract, const char *path)
{
	for (size_t i = 0; i < extract->n_paths; i++)
		if (!strcmp(extract->paths[i], path))
			return true;
	return false;
}

/* The paths of the build that is wanted; there must be only one such build. */
static int find_build(struct extract *extract, struct error *err)
{
	size_t n = model__n_sightings(extract->model);

	extract->paths = calloc(n ? n : 1, sizeof(*extract->paths));
	if (!extract->paths)
		return error__set(err, -ENOMEM, "out of memory");
	extract->n_paths = 0;
	for (size_t i = 0; i < n; i++) {
		const struct sighting *one = model__sighting(extract->model, i);
		const struct perfstamp_identity *identity = &one->identity;

		if (!is_wanted(extract, identity))
			continue;
		if (extract->build_id_size && (extract->build_id_size != identity->build_id_size ||
						      memcmp(extract->build_id, identity->build_id,
							      identity->build_id_size)))
			return error__set(err, -EINVAL,
				"several build-ids begin with these digits: give more (see "
				"perfstamp list)");
		extract->build_id_size = identity->build_id_size;
		memcpy(extract->build_id, identity->build_id, sizeof(extract->build_id));
		if (!has_path(extract, one->path))
			extract->paths[extract->n_paths++] = one->path;
	}
	for (size_t i = 0; i < n; i++) {
		const struct sighting *one = model__sighting(extract->model, i);

		if (!is_wanted(extract, &one->identity) && has_path(extract, one->path))
			extract->n_elsewhere += one->samples;
	}
	return 0;
}

/*
 * Other tools look a file name up by the build-id, and then take every mapping of
 * that name: so those of other builds must not be there.
 */
static bool keeps(void *ctx, uint64_t n, const struct event *event)
{
	const struct extract *extract = ctx;

	switch (event->kind) {
	case EVENT_SAMPLE:
		return n < extract->n_records && extract->kept[n / 8] >> n % 8 & 1;
	case EVENT_MAP:
		return event->map.kernel || !event->map.path ||
		       !has_path(extract, event->map.path) ||
		       is_wanted(extract, &event->map.identity);
	case EVENT_MODULE: /* a KSYMBOL is only for perfstamp (docs/format.md) */
		return event->type == PERF_RECORD_MMAP2;
	default:
		return true;
	}
}

static int write_file(struct extract *extract)
{
	const struct options *options = extract->options;
	const struct repair_choice choice = {
		.keeps = keeps,
		.ctx = extract,
		.plain = true,
	};
	char id[2 * PERFSTAMP_BUILD_ID_MAX + 1];
	struct repair copied;
	int status = cli__copy(options->path, options->out, &choice, options->force, &copied);

	text__hex(id, sizeof(id), extract->build_id, extract->build_id_size);
	if (status == CLI_DONE) {
		printf("%s: %" PRIu64 " sample%s of build %s; %" PRIu64
		       " of other builds at the same path%s omitted\n",
			options->out, extract->n_samples, extract->n_samples == 1 ? "" : "s", id,
			extract->n_elsewhere, extract->n_paths == 1 ? "" : "s");
		if (copied.dropped)
			cli__fail("warning: %" PRIu64
				  " records that stock perf cannot read were omitted",
				copied.dropped);
	}
	repair__free(&copied);
	return status;
}

static int extract_build(struct extract *extract)
{
	const char *name = extract->options->path;
	struct perfdata_reader *reader = NULL;
	struct error err;
	int failed = perfdata_reader__open(&reader, name, &err);

	if (!failed && model__new(&extract->model))
		failed = error__set(&err, -ENOMEM, "out of memory");
	if (!failed)
		failed = read_records(extract, reader, &err);
	perfdata_reader__free(reader);
	if (failed == -EBADMSG)
		return cli__fail("%s; `perfstamp check --repair' makes a clean copy", err.text);
	if (!failed)
		failed = find_build(extract, &err);
	if (failed)
		return cli__fail("%s", err.text);
	if (!extract->n_paths)
		return cli__fail("%s: no mapping has this build-id", name);
	if (!extract->n_samples)
		return cli__fail("%s: no sample is in this build", name);
	return write_file(extract);
}

int cmd_extract(int argc, char **argv)
{
	static const struct argp ARGP = {
		.options = OPTIONS,
		.parser = parse,
		.args_doc = "[FILE]",
		.doc = "Write the samples of one build into a perf.data file for perf2bolt, "
		       "create_llvm_prof, llvm-profgen and other tools.",
		.children = CLI_INPUT_FILE,
	};
	struct options options = {0};
	struct extract extract = {.options = &options};
	struct error err;
	int status;

	cli__parse(&ARGP, argc, argv, &options);
	if (!strcmp(options.path, "-") && input__keep_standard(&err))
		return cli__fail("%s", err.text);
	status = extract_build(&extract);
	model__free(extract.model);
	free(extract.kept);
	free(extract.paths);
	return status;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfstamp extract: copies samples of one build, or of a part of the recordings, to a perf.data
 * file or to BOLT's pre-aggregated format. For tools that would otherwise use the samples of every
 * build at its path.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "user/cli/cli.h"
#include "user/cli/extract/account.h"
#include "user/cli/extract/choice.h"
#include "user/cli/input.h"
#include "user/cli/new_file.h"
#include "user/cli/repair.h"

struct extract {
	struct extract_options options;
	struct extraction extraction;
	struct recording *recordings;
	size_t n; /* number of recordings that were read */
	size_t n_with_samples;
	size_t n_boots; /* number of boots with samples */
};

/* Raises the limit of open files: all recordings with samples are open at once. */
static void allow_files(size_t n)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= n)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit); /* otherwise, opening a file fails with the reason */
}

static int read_all(struct extract *extract)
{
	const struct extract_options *options = &extract->options;
	struct error err;
	int failed = 0;

	extract->recordings = calloc(options->n_paths, sizeof(*extract->recordings));
	if (!extract->recordings)
		return cli__fail("out of memory");
	while (!failed && extract->n < options->n_paths) {
		failed = recording__read(&extract->recordings[extract->n], &extract->extraction,
			options->paths[extract->n], &err);
		extract->n++;
	}
	if (failed == -EBADMSG)
		return cli__fail(
			"%s; try `perfstamp check --repair', which copies what can be read",
			err.text);
	if (failed)
		return cli__fail("%s", err.text);
	if (builds__finish(&extract->extraction.builds))
		return cli__fail("out of memory");
	return CLI_DONE;
}

/* Checks that the digits of each option match exactly one build. */
static int check_builds(const struct extract *extract)
{
	const struct extract_options *options = &extract->options;
	const struct builds *builds = &extract->extraction.builds;
	const char *name = options->n_paths == 1 ? options->paths[0] : "the recordings";
	struct error err;
	int failed = 0;

	for (size_t i = 0; i < options->n_builds && !failed; i++)
		failed = builds__check_prefix(
			builds, options->builds[i].id, options->builds[i].size, &err);
	if (!failed && options->binary)
		failed = builds__check_prefix(
			builds, options->segments.build_id, options->segments.build_id_size, &err);
	if (!failed)
		failed = builds__check_names(builds, &err);
	return failed ? cli__fail("%s: %s", name, err.text) : CLI_DONE;
}

static int count_boots(struct extract *extract)
{
	struct extraction *extraction = &extract->extraction;

	for (size_t i = 0; i < extract->n; i++) {
		bool is_new = true;

		if (!extract->recordings[i].n_samples)
			continue;
		for (size_t k = 0; k < i && is_new; k++)
			is_new = !extract->recordings[k].n_samples ||
				 !boot__is_same(&extract->recordings[k].boot,
					 &extract->recordings[i].boot);
		extract->n_boots += is_new;
		extract->recordings[i].is_first = !extract->n_with_samples++;
	}
	extraction->keeps_kernel = extraction->n_kernel_samples && extract->n_boots == 1 &&
				   (!extraction->by_build ||
					   builds__has_kernel(&extraction->builds));
	extraction->several_boots = extract->n_boots > 1;
	if (!extraction->several_boots || !extraction->n_kernel_samples || extraction->bolt ||
		(extraction->by_build && !builds__has_kernel(&extraction->builds)))
		return CLI_DONE;
	if (extraction->by_build)
		return cli__fail("this build is a kernel's, which is at other addresses in each of "
				 "these %zu boots: extract their files separately",
			extract->n_boots);
	cli__fail("warning: the files are of %zu machines or boots: the addresses of their kernels "
		  "have no names in %s",
		extract->n_boots, extract->options.out);
	return CLI_DONE;
}

static int write_recording(struct extract *extract)
{
	const struct extract_options *options = &extract->options;
	struct cli_input_choice *inputs = calloc(extract->n, sizeof(*inputs));
	struct repair_choice *choices = calloc(extract->n, sizeof(*choices));
	struct repair copied = {0};
	size_t n = 0;
	int status;

	if (!inputs || !choices) {
		free(inputs);
		free(choices);
		return cli__fail("out of memory");
	}
	for (size_t i = 0; i < extract->n; i++) {
		if (!extract->recordings[i].n_samples)
			continue;
		choices[n] = (struct repair_choice){
			.keeps = recording__keeps,
			.changes = recording__changes,
			.ctx = &extract->recordings[i],
			.plain = true,
			.without_chains = options->no_chains,
		};
		inputs[n] = (struct cli_input_choice){options->paths[i], &choices[n]};
		runs__number(extract->recordings[i].runs, extract->extraction.numbers);
		n++;
	}
	allow_files(3 * n + 64);
	status = cli__copy(inputs, n, options->out, options->force, &copied);
	if (status == CLI_DONE && copied.dropped)
		cli__fail("warning: %" PRIu64 " records that stock perf cannot read were omitted",
			copied.dropped);
	repair__free(&copied);
	free(inputs);
	free(choices);
	return status;
}

static int write_bolt(struct extract *extract)
{
	const struct extract_options *options = &extract->options;
	struct new_file file = {.fd = -1};
	FILE *out = NULL;
	int status;

	if (!bolt__n_branches(extract->extraction.bolt))
		return cli__fail("no branch records are from or to this build: record with -b or "
				 "-j; or write a perf.data file for perf2bolt -nl, without --bolt");
	for (size_t i = 0; i < options->n_paths; i++)
		if (cli__is_same_file(options->out, options->paths[i]))
			return cli__fail(
				"%s: is the input file, which is never changed", options->out);
	status = new_file__open(&file, options->out, options->force);
	if (status == CLI_DONE) {
		out = fdopen(file.fd, "w");
		if (!out)
			status = cli__fail("%s: %s", options->out, strerror(errno));
	}
	if (out) {
		bolt__write(extract->extraction.bolt, out);
		if (fflush(out) || ferror(out))
			status = cli__fail("%s: %s", options->out, strerror(errno));
	}
	if (status == CLI_DONE)
		status = new_file__finish(&file);
	if (out) {
		fclose(out);
		file.fd = -1;
	}
	new_file__free(&file);
	return status;
}

static int extract_samples(struct extract *extract)
{
	const struct extract_options *options = &extract->options;
	struct extraction *extraction = &extract->extraction;
	struct error err;
	int status;

	extraction->by_build = options->n_builds || options->binary;
	if (options->binary) {
		if (segments__read(&extract->options.segments, options->binary, &err))
			return cli__fail("%s", err.text);
		extract->options.binary_path = realpath(options->binary, NULL);
		if (!extract->options.binary_path)
			return cli__fail("%s: %s", options->binary, strerror(errno));
	}
	if (run_numbers__new(&extraction->numbers) ||
		(options->bolt && bolt__new(&extraction->bolt, &options->segments)))
		return cli__fail("out of memory");
	status = read_all(extract);
	if (status == CLI_DONE && extraction->by_build)
		status = check_builds(extract);
	if (status != CLI_DONE)
		return status;
	if (!extraction->n_samples)
		return cli__fail("%s: no sample is in %s",
			options->n_paths == 1 ? options->paths[0] : "the recordings",
			extraction->by_build ? "this build" : "this part");
	status = count_boots(extract);
	if (status == CLI_DONE)
		status = options->bolt ? write_bolt(extract) : write_recording(extract);
	if (status == CLI_DONE)
		account__print(extraction, extract->n_with_samples, extract->n_boots);
	return status;
}

/* If standard input is among the files, keeps its content in a file. It may be named once. */
static int keep_standard(const struct extract_options *options)
{
	struct error err;
	size_t n = 0;

	for (size_t i = 0; i < options->n_paths; i++)
		n += !strcmp(options->paths[i], "-");
	if (n > 1)
		return cli__fail("standard input is given more than once");
	if (n && input__keep_standard(&err))
		return cli__fail("%s", err.text);
	return CLI_DONE;
}

int cmd_extract(int argc, char **argv)
{
	struct extract extract = {0};
	int status;

	extract_options__parse(&extract.options, argc, argv);
	extract.extraction.options = &extract.options;
	status = keep_standard(&extract.options);
	if (status == CLI_DONE)
		status = extract_samples(&extract);
	for (size_t i = 0; i < extract.n; i++)
		recording__free(&extract.recordings[i]);
	free(extract.recordings);
	builds__free(&extract.extraction.builds);
	run_numbers__free(extract.extraction.numbers);
	bolt__free(extract.extraction.bolt);
	extract_options__free(&extract.options);
	return status;
}

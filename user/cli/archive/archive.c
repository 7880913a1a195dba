// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfstamp archive: the options, the files, and the import. collect.c chooses the contents of a
 * bundle.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/cli/archive/archive.h"
#include "user/cli/cli.h"
#include "user/cli/new_file.h"
#include "user/cli/progress_bar.h"
#include "user/io/regular.h"
#include "user/store/bundle/embedded.h"
#include "user/store/files/copy.h"
#include "user/view/format/escaped.h"

enum { KEY_BUILDID_DIR = 256, KEY_ALL, KEY_EMBED, KEY_IMPORT };

static const struct argp_option OPTIONS[] = {
	{"output", 'o', "OUT", 0,
		"Write to OUT (default: FILE.tar.zst, with --embed FILE.embedded)", 0},
	{"force", 'f', NULL, 0, "Replace OUT if it exists", 0},
	{"all", KEY_ALL, NULL, 0, "Also bundle binaries without samples", 0},
	{"embed", KEY_EMBED, NULL, 0, "Write one file that contains the recording and the bundle",
		0},
	{"import", KEY_IMPORT, "BUNDLE", 0,
		"Add the files in BUNDLE, or in a recording that contains a bundle, to the cache",
		0},
	{"buildid-dir", KEY_BUILDID_DIR, "DIR", 0, "Build-id cache (default: perf's)", 0},
	{0},
};

struct options {
	const char *recording;
	const char *import;
	const char *output;
	const char *dir;
	bool force;
	bool all;
	bool embed;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'o':
		options->output = arg;
		return 0;
	case 'f':
		options->force = true;
		return 0;
	case KEY_ALL:
		options->all = true;
		return 0;
	case KEY_EMBED:
		options->embed = true;
		return 0;
	case KEY_IMPORT:
		options->import = arg;
		return 0;
	case KEY_BUILDID_DIR:
		options->dir = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (options->recording)
			argp_error(
				state, "more than one file given: %s, %s", options->recording, arg);
		options->recording = arg;
		return 0;
	case ARGP_KEY_END:
		if (options->import && (options->recording || options->output || options->all ||
					       options->embed || options->force))
			argp_error(state, "--import can only be combined with --buildid-dir");
		if (!options->recording)
			options->recording = cli__default_recording();
		if (!options->import && !options->output && !strcmp(options->recording, "-"))
			argp_error(state, "standard input has no name: name the output with -o");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void note(void *ctx, const char *text)
{
	(void)ctx;
	cli__fail("%s", text);
}

static int import(const struct options *options, const char *dir)
{
	struct cache *cache = NULL;
	struct bundle_counts counts;
	uint64_t offset = 0, size = 0;
	struct error err;
	struct stat st;
	int fd, code;

	fd = regular__open(options->import);
	if (fd < 0 || fstat(fd, &st) < 0)
		return cli__fail("%s: %s", options->import, strerror(fd < 0 ? -fd : errno));
	code = embedded__find(fd, &offset, &size);
	if (code == -ENOENT) {
		size = st.st_size;
		code = 0;
	}
	if (code)
		error__set(&err, code, "%s: the bundle in it is cut off", options->import);
	else
		code = cache__open(&cache, dir, true, &err);
	if (!code)
		code = bundle__import(
			cache, fd, offset, size, options->import, note, NULL, &counts, &err);
	cache__free(cache);
	close(fd);
	if (code)
		return cli__fail("%s", err.text);
	printf("%" PRIu64 " file%s imported", counts.files, counts.files == 1 ? "" : "s");
	if (counts.had)
		printf(", %" PRIu64 " of them were there", counts.had);
	if (counts.refused)
		printf("; %" PRIu64 " refused", counts.refused);
	putchar('\n');
	return counts.refused ? CLI_FAILED : CLI_DONE;
}

/* Returns the name of the output, which the caller frees; NULL: no memory. */
static char *output_name(const struct options *options)
{
	int len = strlen(options->recording), n;
	char *name;

	/* If the recording is a directory, the output is beside it, not in it. */
	while (len > 1 && options->recording[len - 1] == '/')
		len--;
	n = options->output ? asprintf(&name, "%s", options->output)
			    : asprintf(&name, "%.*s.%s", len, options->recording,
				      options->embed ? "embedded" : "tar.zst");
	return n < 0 ? NULL : name;
}

static int open_output(struct new_file *output, const char *name, const struct options *options)
{
	struct stat st;

	*output = (struct new_file){.fd = -1};
	if (!name)
		return cli__fail("out of memory");
	if (!options->embed && (options->force || lstat(name, &st)) &&
		cli__is_same_file(name, options->recording))
		return cli__fail("%s: is the input file", name);
	return new_file__open(output, name, options->force);
}

static void show_written(void *ctx, uint64_t done, uint64_t total)
{
	(void)ctx;
	progress_bar__set(done, total);
}

static int write_bundle(struct bundle_plan *plan, int to, struct error *err)
{
	int code;

	progress_bar__begin(PROGRESS_BYTES, "writing the bundle", NULL);
	code = bundle_plan__write(plan, to, show_written, NULL, err);
	progress_bar__end();
	return code;
}

/* Copies the recording without any bundle that it already contains. Returns 0 or -errno. */
static int copy_recording(const char *path, int to, struct error *err)
{
	int fd = embedded__open(path), code;
	uint64_t offset, size;

	if (fd < 0)
		return error__errno(err, fd, "%s", path);
	code = copy__file(fd, to);
	if (!code && !embedded__find(fd, &offset, &size) && ftruncate(to, offset) < 0)
		code = -errno;
	close(fd);
	return code ? error__errno(err, code, "%s", path) : 0;
}

static int embed(const struct options *options, struct bundle_plan *plan, int to, struct error *err)
{
	char *dir = NULL, path[PATH_MAX];
	int bundle = -1, code;

	code = copy_recording(options->recording, to, err);
	if (!code)
		code = embedded__make_directory(&dir, err);
	if (!code) {
		snprintf(path, sizeof(path), "%s/bundle", dir);
		bundle = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (bundle < 0)
			code = error__errno(err, -errno, "%s", path);
	}
	if (!code)
		code = write_bundle(plan, bundle, err);
	if (!code)
		code = embedded__append(to, bundle, err);
	if (bundle >= 0)
		close(bundle);
	embedded__remove(dir);
	return code;
}

static void show(const struct archive_collection *collection, const char *name)
{
	struct stat st = {0};

	if (stat(name, &st))
		return;
	escaped__write(stdout, name);
	printf(": %zu of %zu contents, %" PRIu64 " bytes\n", collection->taken, collection->needed,
		(uint64_t)st.st_size);
}

static int archive(const struct options *options, const char *dir)
{
	struct archive_collection collection = {.recording = options->recording,
		.store = dir,
		.all = options->all,
		.embed = options->embed};
	struct new_file output = {.fd = -1};
	char *name = NULL;
	struct error err;
	int status, code;

	if (!strcmp(options->recording, "-") && input__keep_standard(&err))
		return cli__fail("%s", err.text);
	status = archive_collect(&collection);
	if (status == CLI_DONE) {
		name = output_name(options);
		status = open_output(&output, name, options);
	}
	if (status == CLI_DONE) {
		code = options->embed ? embed(options, collection.plan, output.fd, &err)
				      : write_bundle(collection.plan, output.fd, &err);
		if (code)
			status = cli__fail("%s: %s", name, err.text);
		if (status == CLI_DONE)
			status = new_file__finish(&output);
		if (status == CLI_DONE)
			show(&collection, name);
	}
	new_file__free(&output);
	free(name);
	if (status == CLI_DONE && (collection.damaged || collection.taken < collection.needed))
		status = CLI_FAILED;
	archive_collection__free(&collection);
	return status;
}

int cmd_archive(int argc, char **argv)
{
	static const struct argp ARGP = {
		.options = OPTIONS,
		.parser = parse,
		.args_doc = "[FILE]\n--import BUNDLE",
		.doc = "Bundle the executables, libraries and kernel symbols that a recording's "
		       "samples refer to, for use on another machine.",
	};
	struct options options = {0};
	char *dir = NULL;
	struct error err;
	int status;

	cli__parse(&ARGP, argc, argv, &options);
	if (store__directory(&dir, options.dir, &err))
		return cli__fail("%s", err.text);
	status = options.import ? import(&options, dir) : archive(&options, dir);
	free(dir);
	return status;
}

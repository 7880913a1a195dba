// SPDX-License-Identifier: GPL-2.0-only
/*
 * check --repair and the file of extract: see repair.h. The copy is written beside its place and
 * gets its name when it is whole: a full disk leaves what was there.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/cli/cli.h"
#include "user/cli/repair.h"
#include "user/perfdata/repair/repair.h"
#include "user/view/check/repair.h"

struct places {
	int in;
	const char *in_name;
	const char *out_name;
	char *part; /* the copy until it is whole */
	int out;
};

static int open_input(struct places *places, const char *path)
{
	struct stat st;

	places->in_name = strcmp(path, "-") ? path : "standard input";
	places->in = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	if (places->in < 0 || fstat(places->in, &st))
		return cli__fail("%s: cannot open: %s", places->in_name, strerror(errno));
	if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return cli__fail(
			"%s: not a regular file: it is read twice, so save it to a file first",
			places->in_name);
	return CLI_DONE;
}

/* Whether @path is, or would be, a file in the directory @fd. */
static bool is_inside(int fd, const char *path)
{
	struct stat in, out;
	char *copy = strdup(path);
	bool inside;

	inside = copy && !fstat(fd, &in) && S_ISDIR(in.st_mode) && !stat(dirname(copy), &out) &&
		 in.st_dev == out.st_dev && in.st_ino == out.st_ino;
	free(copy);
	return inside;
}

static int open_output(struct places *places, const char *path, bool force)
{
	struct stat in, out;

	places->out_name = path;
	if (!lstat(path, &out) && !force)
		return cli__fail("%s: exists; -f replaces it", path);
	if (!fstat(places->in, &in) && !stat(path, &out) && in.st_dev == out.st_dev &&
		in.st_ino == out.st_ino)
		return cli__fail("%s: is the input file, which is never changed", path);
	if (is_inside(places->in, path))
		return cli__fail("%s: is inside the recording, which is never changed", path);
	if (asprintf(&places->part, "%s.XXXXXX", path) < 0) {
		places->part = NULL;
		return cli__fail("out of memory");
	}
	places->out = mkostemp(places->part, O_CLOEXEC); /* mode 0600, as recordings have */
	if (places->out >= 0)
		return CLI_DONE;
	free(places->part);
	places->part = NULL;
	return cli__fail("%s: cannot create: %s", path, strerror(errno));
}

/* Without @force nothing that came meanwhile is replaced. */
static int take_name(const struct places *places, bool force)
{
	unsigned int flags = force ? 0 : RENAME_NOREPLACE;

	if (fsync(places->out))
		return -errno;
	if (!renameat2(AT_FDCWD, places->part, AT_FDCWD, places->out_name, flags))
		return 0;
	if (force || errno != EINVAL)
		return -errno;
	/* A file system that cannot tell: a second name is refused where there is one. */
	if (link(places->part, places->out_name))
		return -errno;
	unlink(places->part);
	return 0;
}

static int copy(
	struct places *places, const struct repair_choice *choice, struct repair *ret, bool force)
{
	struct error err;
	int code = repair__copy(
		ret, choice, places->in, places->in_name, places->out, places->out_name, &err);

	if (code)
		return cli__fail("%s", err.text);
	code = take_name(places, force);
	if (code)
		return cli__fail("%s: %s", places->out_name, strerror(-code));
	free(places->part);
	places->part = NULL;
	return CLI_DONE;
}

int cli__copy(const char *in, const char *out, const struct repair_choice *choice, bool force,
	struct repair *ret)
{
	struct places places = {.in = -1, .out = -1};
	int status = open_input(&places, in);

	*ret = (struct repair){0};
	if (status == CLI_DONE)
		status = open_output(&places, out, force);
	if (status == CLI_DONE && places.part)
		status = copy(&places, choice, ret, force);
	if (places.part)
		unlink(places.part);
	free(places.part);
	if (places.out >= 0)
		close(places.out);
	if (places.in > STDERR_FILENO)
		close(places.in);
	return status;
}

int cli__repair(const char *in, const char *out, bool force, bool json)
{
	const char *name = strcmp(in, "-") ? in : "standard input";
	struct repair repair;
	int status = cli__copy(in, out, NULL, force, &repair);

	if (status == CLI_DONE)
		repair__write(stdout, &repair, name, out, json);
	repair__free(&repair);
	return status;
}

// SPDX-License-Identifier: GPL-2.0-only
/* check --repair, and the files of extract and inject: see repair.h. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/cli/cli.h"
#include "user/cli/new_file.h"
#include "user/cli/repair.h"
#include "user/perfdata/repair/repair.h"
#include "user/view/check/repair.h"

struct places {
	struct repair_input *inputs;
	size_t n;
	struct new_file out;
};

static int open_input(struct places *places, const struct cli_input_choice *choice)
{
	struct repair_input *input = &places->inputs[places->n];
	bool is_standard = !strcmp(choice->path, "-");
	struct stat st;

	*input = (struct repair_input){
		.fd = is_standard ? STDIN_FILENO : open(choice->path, O_RDONLY | O_CLOEXEC),
		.name = is_standard ? "standard input" : choice->path,
		.choice = choice->choice,
	};
	if (input->fd < 0)
		return cli__fail("%s: cannot open: %s", input->name, strerror(errno));
	places->n++;
	if (fstat(input->fd, &st))
		return cli__fail("%s: cannot open: %s", input->name, strerror(errno));
	if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return cli__fail(
			"%s: not a regular file: it is read twice, so save it to a file first",
			input->name);
	return CLI_DONE;
}

/* Whether @path is a file in the directory @fd, or would be created there. */
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

/* Refuses an output that is one of the inputs, or is inside of one. */
static int check_output(const struct places *places, const char *path)
{
	struct stat in, out;

	for (size_t i = 0; i < places->n; i++) {
		int fd = places->inputs[i].fd;

		if (!fstat(fd, &in) && !stat(path, &out) && in.st_dev == out.st_dev &&
			in.st_ino == out.st_ino)
			return cli__fail("%s: is the input file, which is never changed", path);
		if (is_inside(fd, path))
			return cli__fail(
				"%s: is inside the recording, which is never changed", path);
	}
	return CLI_DONE;
}

static int copy(struct places *places, struct repair *ret)
{
	struct error err;

	if (repair__copy(ret, places->inputs, places->n, places->out.fd, places->out.path, &err))
		return cli__fail("%s", err.text);
	return new_file__finish(&places->out);
}

int cli__copy(const struct cli_input_choice *inputs, size_t n, const char *out, bool force,
	struct repair *ret)
{
	struct places places = {.inputs = calloc(n, sizeof(*places.inputs)), .out = {.fd = -1}};
	int status = CLI_DONE;
	struct stat st;

	*ret = (struct repair){0};
	if (!places.inputs)
		return cli__fail("out of memory");
	for (size_t i = 0; i < n && status == CLI_DONE; i++)
		status = open_input(&places, &inputs[i]);
	if (status == CLI_DONE && (force || lstat(out, &st)))
		status = check_output(&places, out);
	if (status == CLI_DONE)
		status = new_file__open(&places.out, out, force);
	if (status == CLI_DONE)
		status = copy(&places, ret);
	new_file__free(&places.out);
	for (size_t i = 0; i < places.n; i++)
		if (places.inputs[i].fd > STDERR_FILENO)
			close(places.inputs[i].fd);
	free(places.inputs);
	return status;
}

int cli__repair(const char *in, const char *out, bool force, bool json)
{
	const char *name = strcmp(in, "-") ? in : "standard input";
	const struct cli_input_choice input = {.path = in};
	struct repair repair;
	int status = cli__copy(&input, 1, out, force, &repair);

	if (status == CLI_DONE)
		repair__write(stdout, &repair, name, out, json);
	repair__free(&repair);
	return status;
}

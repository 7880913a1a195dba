// SPDX-License-Identifier: GPL-2.0-only
/* See code_files.h. */
#include "user/cli/dump/code_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "user/io/whole.h"
#include "user/view/list/code_paths.h"

#define SIZE_MAX_BYTES (1ull << 30) /* recorders keep at most this much of a file */

/* Gives the file of an older stream, which has the name that @code has now, its own name. */
static int move_older(struct code_files *files, const struct event_code *code, uint32_t stream,
	const char *name, struct error *err)
{
	char older[CODE_PATH_SIZE];

	code_paths__get(files->names, code->pid, code->kind, stream, older);
	if (renameat(files->directory, name, files->directory, older))
		return error__errno(err, -errno, "%s", older);
	return 0;
}

int code_files__take(struct code_files *files, const struct event_code *code, struct error *err)
{
	int flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | (code->offset ? 0 : O_TRUNC), fd;
	char name[CODE_PATH_SIZE];
	int64_t before = -1;
	int failed = code_paths__add(&files->names, code, &before);

	if (failed < 0)
		return error__set(err, failed, "out of memory");
	code_paths__get(files->names, code->pid, code->kind, code->stream, name);
	if (code->offset > SIZE_MAX_BYTES)
		return error__set(
			err, -EFBIG, "%s: the recording says that it is larger than 1 GiB", name);
	failed = before < 0 ? 0 : move_older(files, code, (uint32_t)before, name, err);
	if (failed)
		return failed;
	fd = openat(files->directory, name, flags, 0644);
	if (fd < 0)
		return error__errno(err, -errno, "%s", name);
	failed = whole__pwrite(fd, code->bytes, code->size, code->offset);
	if (close(fd) < 0 && !failed)
		failed = -errno;
	files->n += !code->offset;
	return failed ? error__errno(err, failed, "%s", name) : 0;
}

void code_files__free(struct code_files *files)
{
	by_number__free(&files->names);
}

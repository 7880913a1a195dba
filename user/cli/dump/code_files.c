// SPDX-License-Identifier: GPL-2.0-only
/* See code_files.h. If a file was rewritten during the recording, its last content is restored. */
#include "user/cli/dump/code_files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "user/io/whole.h"

#define SIZE_MAX_BYTES (1ull << 30) /* recorders keep at most this much of a file */

int code_files__take(struct code_files *files, const struct event_code *code, struct error *err)
{
	int flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | (code->offset ? 0 : O_TRUNC), fd;
	char name[40];
	int failed;

	snprintf(name, sizeof(name),
		code->kind == PERFSTAMP_CODE_JITDUMP ? "jit-%" PRIu32 ".dump"
						     : "perf-%" PRIu32 ".map",
		code->pid);
	if (code->offset > SIZE_MAX_BYTES)
		return error__set(
			err, -EFBIG, "%s: the recording says that it is larger than 1 GiB", name);
	fd = openat(files->directory, name, flags, 0644);
	if (fd < 0)
		return error__errno(err, -errno, "%s", name);
	failed = whole__pwrite(fd, code->bytes, code->size, code->offset);
	if (close(fd) < 0 && !failed)
		failed = -errno;
	files->n += !code->offset;
	return failed ? error__errno(err, failed, "%s", name) : 0;
}

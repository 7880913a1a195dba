// SPDX-License-Identifier: GPL-2.0-only
/* See kallsyms.h. Reads it in parts, because it is megabytes long. */
#include "user/source/kernel/kallsyms.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "user/io/whole.h"

int kallsyms__read_fd(int fd, int copy_fd, kallsyms_symbol_fn *fn, void *ctx)
{
	struct kallsyms kallsyms;
	char bytes[16384];
	int code = 0;

	kallsyms__init(&kallsyms);
	while (!code) {
		ssize_t n = read(fd, bytes, sizeof(bytes));

		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n < 0)
			code = -errno;
		if (n <= 0)
			break;
		if (copy_fd >= 0)
			code = whole__write(copy_fd, bytes, n);
		if (!code)
			code = kallsyms__feed(&kallsyms, bytes, n, fn, ctx);
	}
	return code;
}

int proc_kallsyms__read(const char *root, int copy_fd, kallsyms_symbol_fn *fn, void *ctx)
{
	char path[PATH_MAX];
	int fd, code;

	snprintf(path, sizeof(path), "%s/proc/kallsyms", root);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	code = kallsyms__read_fd(fd, copy_fd, fn, ctx);
	close(fd);
	return code;
}

// SPDX-License-Identifier: GPL-2.0-only
/* See elf_file.h. */
#include "user/source/content/elf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Read, not mapped: a file may shrink while it is looked at. */
static int read_fd(void *ctx, uint64_t offset, void *dst, size_t size)
{
	const int *fd = ctx;
	ssize_t n;

	if (offset > INT64_MAX - size)
		return -EBADMSG;
	do {
		n = pread(*fd, dst, size, offset);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	return (size_t)n == size ? 0 : -EBADMSG;
}

int elf_file__build_id(const char *path, uint8_t ret[ELF_BUILD_ID_MAX])
{
	struct stat st;
	int fd, code;

	/* Nothing that waits for somebody to write. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0)
		code = -errno;
	else
		code = S_ISREG(st.st_mode) ? elf_build_id__read(read_fd, &fd, ret) : -ENOEXEC;
	close(fd);
	return code;
}

// SPDX-License-Identifier: GPL-2.0-only
/* See regular.h. */
#include "user/io/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int regular__take(int fd)
{
	struct stat st;

	if (fd < 0)
		return -errno;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		return fd;
	close(fd);
	return -ENOENT;
}

int regular__open(const char *path)
{
	return regular__take(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
}

// SPDX-License-Identifier: GPL-2.0-only
/* See elf_file.h. */
#include "user/source/content/elf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/io/whole.h"

int elf_file__build_id(const char *path, uint8_t ret[ELF_BUILD_ID_MAX])
{
	struct stat st;
	int fd, code;

	/* Must not block on a FIFO. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0)
		code = -errno;
	else
		code = S_ISREG(st.st_mode) ? elf_build_id__read(whole__read_exactly, &fd, ret)
					   : -ENOEXEC;
	close(fd);
	return code;
}

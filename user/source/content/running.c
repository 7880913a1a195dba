// SPDX-License-Identifier: GPL-2.0-only
/* See running.h. */
#include "user/source/content/running.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "user/source/machine/release.h"

#ifndef XFS_SUPER_MAGIC
#define XFS_SUPER_MAGIC 0x58465342
#endif

/*
 * Other file systems may not enforce it: a server's files can be written to by other
 * machines, and an overlay's files through its layers.
 */
static bool is_on_known_file_system(int fd)
{
	static const unsigned long KNOWN[] = {EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC, BTRFS_SUPER_MAGIC,
		F2FS_SUPER_MAGIC, TMPFS_MAGIC, SQUASHFS_MAGIC, EROFS_SUPER_MAGIC_V1};
	struct statfs fs;

	if (fstatfs(fd, &fs))
		return false;
	for (size_t i = 0; i < sizeof(KNOWN) / sizeof(*KNOWN); i++)
		if ((unsigned long)fs.f_type == KNOWN[i])
			return true;
	return false;
}

/* Linux 6.11 dropped the rule. 6.13 and some stable releases of 6.12 restored it. */
static bool release_has_rule(void)
{
	unsigned int major, minor;

	return release__read(&major, &minor) && (major != 6 || (minor != 11 && minor != 12));
}

/*
 * Nothing is written: if the file can be opened, it is closed again. On a read-only mount
 * this cannot be tried, and the kernel's release decides.
 */
static bool kernel_denies_writing(void)
{
	static enum { UNKNOWN, DENIES, ALLOWS } answer;
	bool denies;
	int fd;

	if (answer == UNKNOWN) {
		fd = open("/proc/self/exe", O_WRONLY | O_CLOEXEC);
		denies = fd < 0 && (errno == ETXTBSY || release_has_rule());
		answer = denies ? DENIES : ALLOWS;
		if (fd >= 0)
			close(fd);
	}
	return answer == DENIES;
}

void running__learn(void)
{
	kernel_denies_writing();
}

bool running__proves_unwritten(pid_t pid, int fd)
{
	struct stat runs, st;
	char link[32];

	if (!is_on_known_file_system(fd) || !kernel_denies_writing() || fstat(fd, &st))
		return false;
	snprintf(link, sizeof(link), "/proc/%d/exe", pid);
	return !stat(link, &runs) && S_ISREG(runs.st_mode) && runs.st_dev == st.st_dev &&
	       runs.st_ino == st.st_ino;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * See sandbox.h. Landlock denies access by path, and does not restrict files that are already open.
 * Each version of its ABI in Documentation/userspace-api/landlock.rst adds some rights; an older
 * kernel does not restrict the rights that it does not know.
 */
#include "user/helper/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Names that older headers do not have; the numbers are the kernel's ABI. */
#define FS_REFER (1ull << 13)
#define FS_TRUNCATE (1ull << 14)
#define FS_IOCTL_DEV (1ull << 15)
#define NET_TCP (1ull << 0 | 1ull << 1) /* bind and connect */
#define SCOPE (1ull << 0 | 1ull << 1)   /* abstract UNIX sockets, and signals */

#define FS_READ (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define FS_WRITE                                                                                   \
	(LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |                           \
		LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |                    \
		LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |                        \
		LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |                      \
		LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM)

/* struct landlock_ruleset_attr as of ABI 6; an older kernel gets only the part that it knows. */
struct ruleset {
	uint64_t fs;
	uint64_t net;
	uint64_t scoped;
};

static size_t make_ruleset(struct ruleset *ret, unsigned int needs, int abi)
{
	*ret = (struct ruleset){.fs = FS_WRITE | LANDLOCK_ACCESS_FS_EXECUTE};
	if (!(needs & SANDBOX_READ))
		ret->fs |= FS_READ;
	if (abi >= 2)
		ret->fs |= FS_REFER;
	if (abi >= 3)
		ret->fs |= FS_TRUNCATE;
	if (abi >= 5)
		ret->fs |= FS_IOCTL_DEV;
	if (abi >= 4 && !(needs & SANDBOX_CONNECT))
		ret->net = NET_TCP;
	/* The daemon that caches host names may listen on an abstract socket. */
	if (abi >= 6)
		ret->scoped = needs & SANDBOX_CONNECT ? SCOPE & ~1ull : SCOPE;
	return abi >= 6   ? sizeof(*ret)
	       : abi >= 4 ? offsetof(struct ruleset, scoped)
			  : offsetof(struct ruleset, net);
}

/* Allows @access below @dir. */
static int allow(int ruleset, const char *dir, uint64_t access)
{
	struct landlock_path_beneath_attr below = {.allowed_access = access};
	int code = 0;

	below.parent_fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (below.parent_fd < 0)
		return -errno;
	if (syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &below, 0) < 0)
		code = -errno;
	close(below.parent_fd);
	return code;
}

int sandbox__enter_landlock(const struct sandbox *sandbox)
{
	struct sandbox_support support;
	struct ruleset ruleset;
	size_t size;
	int fd, code = 0;

	sandbox__look(&support);
	if (!support.landlock)
		return -ENOSYS;
	size = make_ruleset(&ruleset, sandbox->needs, support.landlock);
	fd = syscall(SYS_landlock_create_ruleset, &ruleset, size, 0);
	if (fd < 0)
		return -errno;
	if (sandbox->needs & SANDBOX_WRITE)
		code = allow(fd, sandbox->dir ? sandbox->dir : "/",
			ruleset.fs & ~LANDLOCK_ACCESS_FS_EXECUTE);
	if (!code && (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
			     syscall(SYS_landlock_restrict_self, fd, 0) < 0))
		code = -errno;
	close(fd);
	return code;
}

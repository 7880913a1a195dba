// SPDX-License-Identifier: GPL-2.0-only
/*
 * See sandbox.h. Lists the allowed system calls by name. A name that the architecture or an older
 * library does not know is skipped. Other calls fail with EPERM, so that code which only tries them
 * can continue. clone3 fails with ENOSYS, after which libc uses clone.
 */
#include "user/helper/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "user/helper/rule.h"

#define ALWAYS 0
#define LISTED(needs, ...)                                                                         \
	{                                                                                          \
		needs, (const char *const[])                                                       \
		{                                                                                  \
			__VA_ARGS__, NULL                                                          \
		}                                                                                  \
	}

/* A helper with one of a row's needs may make the row's calls. */
static const struct {
	unsigned int needs; /* of enum sandbox_need, or ALWAYS */
	const char *const *calls;
} CALLS[] = {
	/* The process's own memory, time and signals. */
	LISTED(ALWAYS, "brk", "munmap", "mremap", "madvise", "mincore", "exit", "exit_group",
		"restart_syscall", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigreturn",
		"sigaltstack", "setitimer", "getitimer", "futex", "futex_time64", "sched_yield",
		"set_robust_list", "rseq", "clock_gettime", "clock_gettime64", "clock_getres",
		"clock_nanosleep", "nanosleep", "gettimeofday", "time", "getrandom", "uname",
		"sysinfo", "getrusage", "times", "getrlimit", "ugetrlimit", "getcpu",
		"sched_getaffinity", "membarrier"),
	/* The process's own ids. */
	LISTED(ALWAYS, "getpid", "gettid", "getppid", "getuid", "geteuid", "getgid", "getegid",
		"getresuid", "getresgid", "getgroups", "getcwd"),
	/* Descriptors that are already open. */
	LISTED(ALWAYS, "read", "readv", "pread64", "preadv", "preadv2", "write", "writev", "close",
		"close_range", "dup", "dup2", "dup3", "lseek", "_llseek", "fstat", "fstat64",
		"fstatfs", "fstatfs64", "fcntl", "fcntl64", "fadvise64", "poll", "ppoll", "select",
		"pselect6", "recvfrom", "recvmsg", "recv", "sendto", "sendmsg", "send",
		"getsockopt"),
	LISTED(SANDBOX_READ | SANDBOX_WRITE, "newfstatat", "fstatat64", "stat", "stat64", "lstat",
		"lstat64", "statx", "statfs", "statfs64", "readlink", "readlinkat", "access",
		"faccessat", "faccessat2", "getdents", "getdents64", "flock", "readahead",
		"getxattr", "lgetxattr", "fgetxattr"),
	/* Waiting for other processes to end, or for their files to change. */
	LISTED(SANDBOX_PROCESSES, "pidfd_open", "inotify_init1", "inotify_add_watch",
		"inotify_rm_watch"),
	LISTED(SANDBOX_OPENAT2, "openat2"),
	LISTED(SANDBOX_WRITE, "open", "openat", "creat", "mkdir", "mkdirat", "rmdir", "unlink",
		"unlinkat", "rename", "renameat", "renameat2", "link", "linkat", "symlink",
		"symlinkat", "truncate", "ftruncate", "ftruncate64", "fallocate", "pwrite64",
		"pwritev", "fsync", "fdatasync", "sync_file_range", "copy_file_range", "sendfile",
		"sendfile64", "splice", "chmod", "fchmod", "fchmodat", "chown", "fchown",
		"fchownat", "utime", "utimes", "futimesat", "utimensat", "umask"),
	LISTED(SANDBOX_FORK, "clone", "fork", "vfork", "wait4", "waitid", "kill", "pidfd_open",
		"sched_setscheduler", "setpriority", "ioprio_set", "socketpair", "setsockopt",
		"capget", "capset", "prctl", "setrlimit", "prlimit64", "seccomp",
		"landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self"),
	LISTED(SANDBOX_CONNECT, "socket", "socketpair", "connect", "bind", "getsockname",
		"getpeername", "setsockopt", "shutdown", "sendmmsg", "recvmmsg", "pipe", "pipe2",
		"eventfd2", "epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait", "ioctl",
		"mmap", "mmap2", "mprotect", "setrlimit", "prlimit64"),
};

#define CALLS_N (sizeof(CALLS) / sizeof(CALLS[0]))

static int allow(scmp_filter_ctx filter, const char *call, unsigned int n,
	const struct scmp_arg_cmp *conditions)
{
	return rule__add(filter, SCMP_ACT_ALLOW, call, n, conditions);
}

static int allow_listed(scmp_filter_ctx filter, unsigned int needs)
{
	int code = 0;

	for (size_t i = 0; i < CALLS_N; i++)
		for (const char *const *call = CALLS[i].calls; !code && *call; call++)
			if (CALLS[i].needs == ALWAYS || CALLS[i].needs & needs)
				code = allow(filter, *call, 0, NULL);
	return code;
}

/* Allows @call if argument @arg has no bit of @mask. */
static int allow_without(scmp_filter_ctx filter, const char *call, unsigned int arg, uint64_t mask)
{
	const struct scmp_arg_cmp condition = SCMP_CMP64(arg, SCMP_CMP_MASKED_EQ, mask, 0);

	return allow(filter, call, 1, &condition);
}

static int allow_equal(scmp_filter_ctx filter, const char *call, unsigned int arg, uint64_t value)
{
	const struct scmp_arg_cmp condition = SCMP_CMP64(arg, SCMP_CMP_EQ, value, 0);

	return allow(filter, call, 1, &condition);
}

/* Memory must not be executable. */
static int allow_memory(scmp_filter_ctx filter)
{
	int code = allow_without(filter, "mmap", 2, PROT_EXEC);

	if (!code)
		code = allow_without(filter, "mmap2", 2, PROT_EXEC);
	return code ? code : allow_without(filter, "mprotect", 2, PROT_EXEC);
}

static int allow_reading(scmp_filter_ctx filter)
{
	const uint64_t writes = O_ACCMODE | O_CREAT | O_TRUNC;
	int code = allow_without(filter, "open", 1, writes);

	return code ? code : allow_without(filter, "openat", 2, writes);
}

/* Calls that are allowed with some arguments only. */
static int allow_some(scmp_filter_ctx filter, unsigned int needs)
{
	int code = 0;

	if (!(needs & SANDBOX_CONNECT))
		code = allow_memory(filter);
	if (!code && needs & SANDBOX_READ && !(needs & SANDBOX_WRITE))
		code = allow_reading(filter);
	if (!code && !(needs & SANDBOX_CONNECT))
		code = allow_equal(filter, "ioctl", 1, FS_IOC_GETVERSION);
	if (!code && needs & SANDBOX_WRITE && !(needs & SANDBOX_CONNECT))
		code = allow_equal(filter, "ioctl", 1, FICLONE);
	/* The process may read and lower its own limits. */
	if (!code && !(needs & (SANDBOX_FORK | SANDBOX_CONNECT)))
		code = allow_equal(filter, "prlimit64", 0, 0);
	/* A helper sets its timer slack, to wake up on time. */
	if (!code && !(needs & SANDBOX_FORK))
		code = allow_equal(filter, "prctl", 0, PR_SET_TIMERSLACK);
	/* It may create threads, but no processes. */
	if (!code && needs & SANDBOX_CONNECT) {
		const struct scmp_arg_cmp thread = SCMP_CMP64(
			0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD);

		code = allow(filter, "clone", 1, &thread);
	}
	return code;
}

/* Returns 0 or -errno. */
static int make(scmp_filter_ctx *ret, const struct sandbox *sandbox)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	int code;

	*ret = filter;
	if (!filter)
		return -ENOMEM;
	code = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
	if (!code)
		code = allow_listed(filter, sandbox->needs);
	if (!code)
		code = allow_some(filter, sandbox->needs);
	return code;
}

int sandbox__enter_seccomp(const struct sandbox *sandbox)
{
	struct sandbox_support support;
	scmp_filter_ctx filter;
	int code;

	sandbox__look(&support);
	if (!support.seccomp)
		return -ENOSYS;
	code = make(&filter, sandbox);
	if (!code)
		code = seccomp_load(filter);
	seccomp_release(filter);
	return code;
}

/* Reads the filter that the library writes to a file, from the start of @fd. */
static int take_program(int fd, struct sandbox_filter *ret)
{
	const off_t size = lseek(fd, 0, SEEK_END);
	const size_t n = size > 0 ? (size_t)size / sizeof(*ret->v) : 0;

	if (size < 0)
		return -errno;
	if (!n || n > USHRT_MAX)
		return -EINVAL;
	ret->v = malloc(size);
	if (!ret->v)
		return -ENOMEM;
	if (pread(fd, ret->v, size, 0) != size)
		return -EIO;
	ret->n = n;
	return 0;
}

int sandbox__make_filter(struct sandbox_filter *ret, const struct sandbox *sandbox)
{
	struct sandbox_support support;
	scmp_filter_ctx filter;
	int fd, code;

	*ret = (struct sandbox_filter){0};
	sandbox__look(&support);
	if (!support.seccomp)
		return 0;
	fd = memfd_create("filter", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	code = make(&filter, sandbox);
	if (!code)
		code = seccomp_export_bpf(filter, fd);
	if (!code)
		code = take_program(fd, ret);
	seccomp_release(filter);
	close(fd);
	return code;
}

void sandbox__free_filter(struct sandbox_filter *filter)
{
	free(filter->v);
}

int sandbox__enter_filter(const struct sandbox_filter *filter)
{
	const struct sock_fprog program = {.len = filter->n, .filter = filter->v};

	if (filter->n && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) < 0)
		return -errno;
	return 0;
}

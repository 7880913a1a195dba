// SPDX-License-Identifier: GPL-2.0-only
/* See guard.h. */
#include "user/helper/guard.h"

#include <errno.h>
#include <linux/bpf.h>
#include <sched.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "user/helper/rule.h"
#include "user/helper/sandbox.h"

static const char *const DENIED[] = {
	"execve",
	"execveat",
	/* Other processes. */
	"ptrace",
	"process_vm_readv",
	"process_vm_writev",
	"process_madvise",
	"pidfd_getfd",
	/* Users and privileges. */
	"setuid",
	"setgid",
	"setreuid",
	"setregid",
	"setresuid",
	"setresgid",
	"setgroups",
	"setfsuid",
	"setfsgid",
	"add_key",
	"request_key",
	"keyctl",
	"personality",
	/* Mounts and namespaces. */
	"mount",
	"umount2",
	"move_mount",
	"mount_setattr",
	"open_tree",
	"fsopen",
	"fsmount",
	"fsconfig",
	"fspick",
	"pivot_root",
	"chroot",
	"unshare",
	"setns",
	"mknod",
	"mknodat",
	/* The kernel. */
	"init_module",
	"finit_module",
	"delete_module",
	"kexec_load",
	"kexec_file_load",
	"reboot",
	"swapon",
	"swapoff",
	"iopl",
	"ioperm",
	"acct",
	"quotactl",
	"quotactl_fd",
	"settimeofday",
	"clock_settime",
	"clock_settime64",
	"clock_adjtime",
	"clock_adjtime64",
	"adjtimex",
	"sethostname",
	"setdomainname",
	/* Calls that can bypass a seccomp filter, and calls that exploits of the kernel need. */
	"io_uring_setup",
	"io_uring_enter",
	"io_uring_register",
	"userfaultfd",
	/* Can map memory executable (SHM_EXEC). */
	"shmat",
};

static int deny(scmp_filter_ctx filter, const char *call, unsigned int n,
	const struct scmp_arg_cmp *conditions)
{
	return rule__add(filter, SCMP_ACT_ERRNO(EPERM), call, n, conditions);
}

/* Denies @call if argument @arg has any bit of @mask. One rule is needed for each bit. */
static int deny_with(scmp_filter_ctx filter, const char *call, unsigned int arg, uint64_t mask)
{
	int code = 0;

	for (uint64_t bit = 1; !code && bit && bit <= mask; bit <<= 1)
		if (mask & bit)
			code = deny(
				filter, call, 1, &SCMP_CMP64(arg, SCMP_CMP_MASKED_EQ, bit, bit));
	return code;
}

static int add_rules(scmp_filter_ctx filter)
{
	const uint64_t namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
				    CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
	int code = 0;

	for (size_t i = 0; !code && i < sizeof(DENIED) / sizeof(DENIED[0]); i++)
		code = deny(filter, DENIED[i], 0, NULL);
	if (!code)
		code = deny_with(filter, "mmap", 2, PROT_EXEC);
	if (!code)
		code = deny_with(filter, "mmap2", 2, PROT_EXEC);
	if (!code)
		code = deny_with(filter, "mprotect", 2, PROT_EXEC);
	if (!code)
		code = deny_with(filter, "pkey_mprotect", 2, PROT_EXEC);
	/* The kernel uses only the lower half of the register. */
	if (!code)
		code = deny(filter, "bpf", 1,
			&SCMP_CMP64(0, SCMP_CMP_MASKED_EQ, UINT32_MAX, BPF_PROG_LOAD));
	if (!code)
		code = deny(filter, "socket", 1, &SCMP_CMP64(0, SCMP_CMP_NE, AF_UNIX, 0));
	if (!code)
		code = deny_with(filter, "clone", 0, namespaces);
	/*
	 * The flags of clone3 are in memory, which a filter cannot read. After ENOSYS, libc uses
	 * clone.
	 */
	if (!code)
		code = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
	return code;
}

int guard__enter(void)
{
	struct sandbox_support support;
	scmp_filter_ctx filter;
	int code;

	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	/* Also prevents core dumps to a program, and tracing by processes of the same user. */
	prctl(PR_SET_DUMPABLE, 0);
	sandbox__look(&support);
	if (!support.seccomp)
		return -ENOSYS;
	filter = seccomp_init(SCMP_ACT_ALLOW);
	if (!filter)
		return -ENOMEM;
	code = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
	/*
	 * A container may deny seccomp(2) and allow prctl(2). The filter then applies to this
	 * thread only, but there is no other thread yet.
	 */
	if (!code || code == -EOPNOTSUPP)
		code = add_rules(filter);
	if (!code)
		code = seccomp_load(filter);
	seccomp_release(filter);
	return code;
}

// SPDX-License-Identifier: GPL-2.0-only
/* See refusal.h. */
#include "user/source/bpf/refusal.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/source/machine/privilege.h"
#include "user/source/proc/file.h"

#define ENOTSUPP 524 /* include/linux/errno.h: the kernel returns it to user space */

/* libbpf needs several copies of it in memory, and returns -ESRCH without memory. */
static bool has_memory_for_btf(void)
{
	struct stat st;
	void *room;

	if (stat("/sys/kernel/btf/vmlinux", &st) < 0)
		return true;
	room = mmap(
		NULL, 3 * st.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (room == MAP_FAILED)
		return false;
	munmap(room, 3 * st.st_size);
	return true;
}

/* The reason why attached programs are not called. */
static const char *why_silent(const struct rung_row *row, char *ret, size_t size)
{
	int64_t ftrace_enabled;

	if (!proc_file__number(&ftrace_enabled, "/proc/sys/kernel/ftrace_enabled") &&
		!ftrace_enabled && row->by_ftrace)
		return "it can be attached but is not called: kernel.ftrace_enabled is 0";
	snprintf(ret, size, "it can be attached but is not called%s%s%s",
		row->off_switch ? " (are kprobes disabled in " : "",
		row->off_switch ? row->off_switch : "", row->off_switch ? "?)" : "");
	return ret;
}

const char *bpf_refusal__of_btf(const char **ret_advice)
{
	if (!access("/sys/kernel/btf/vmlinux", R_OK))
		return NULL;
	if (access("/sys/kernel", F_OK)) {
		*ret_advice = "mount -t sysfs sysfs /sys";
		return "the kernel's BTF cannot be read: /sys is not mounted";
	}
	*ret_advice = "use a kernel that was built with CONFIG_DEBUG_INFO_BTF";
	return "the kernel has no BTF (CONFIG_DEBUG_INFO_BTF)";
}

void bpf_refusal__explain(struct rung_attempt *attempt, enum rung rung, int code, const char *step)
{
	const struct rung_row *row = rung__row(rung);
	const char *advice, *why = bpf_refusal__of_btf(&advice);
	char silent[128];

	if (why)
		; /* this explains all other failures */
	else if (code == -EPERM && !privilege__tracing_bpf())
		why = "it needs root, or CAP_BPF and CAP_PERFMON";
	/* The verifier then only returns EINVAL. */
	else if (privilege__is_confidential())
		why = "the kernel is locked down (lockdown=confidentiality)";
	else if (row->needs_kprobes && access("/sys/bus/event_source/devices/kprobe", F_OK))
		why = "the kernel has no kprobes (CONFIG_KPROBES, CONFIG_KPROBE_EVENTS)";
	else if (row->function && (code == -EOPNOTSUPP || code == -EINVAL))
		why = "the kernel has no kprobe.multi (5.18 on, on arm64 6.14 on; CONFIG_FPROBE)";
	else if (row->needs_fentry && code == -ENOTSUPP)
		why = "the kernel has no BPF trampolines (on arm64 6.4 on)";
	else if (code == -EPERM)
		why = "the kernel's policy refuses it (lockdown, a security module, or a user "
		      "namespace)";
	else if (code == -ENODATA)
		why = why_silent(row, silent, sizeof(silent));
	else if (code == -ESRCH && !strcmp(step, "load") && !has_memory_for_btf())
		why = "not enough memory to read the kernel's BTF (ulimit -v?)";
	else if (code == -ESRCH || code == -ENOENT)
		why = "the kernel has no perf_event_mmap that can be attached to";
	else
		why = strerror(-code);
	snprintf(attempt->text, sizeof(attempt->text), "%s: %s", step, why);
	attempt->code = code;
}

/* PROC_PID_INIT_INO, include/linux/proc_ns.h */
bool bpf_refusal__in_initial_pid_namespace(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) < 0 || st.st_ino == 0xeffffffcu;
}

/* -EINVAL if they are allowed: it names no function. */
bool bpf_refusal__of_fentry(void)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_FENTRY);
	const struct bpf_insn nothing[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
		{.code = BPF_JMP | BPF_EXIT},
	};
	int fd = bpf_prog_load(BPF_PROG_TYPE_TRACING, "nothing", "GPL", nothing,
		sizeof(nothing) / sizeof(*nothing), &opts);

	if (fd >= 0)
		close(fd);
	return fd == -EPERM;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a command for which the kernel refuses to load the BPF programs of one name, as if its
 * verifier did: a supervisor answers bpf(BPF_PROG_LOAD).
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define STACK 65536

static const char *refused;
static int listener_is[2]; /* a pipe that has its number */

static int is_refused(const struct seccomp_notif *call)
{
	char path[64], name[BPF_OBJ_NAME_LEN + 1] = "";
	int mem;

	snprintf(path, sizeof(path), "/proc/%u/mem", call->pid);
	mem = open(path, O_RDONLY | O_CLOEXEC);
	if (mem >= 0 && pread(mem, name, BPF_OBJ_NAME_LEN,
				call->data.args[1] + offsetof(union bpf_attr, prog_name)) < 0)
		perror(path);
	close(mem);
	return !strcmp(name, refused);
}

/* Shares the table of descriptors until the other process executes the command. */
static int supervise(void *unused)
{
	struct pollfd pollfd = {.events = POLLIN};

	(void)unused;
	if (read(listener_is[0], &pollfd.fd, sizeof(pollfd.fd)) != sizeof(pollfd.fd))
		return 1;
	while (poll(&pollfd, 1, -1) > 0 && pollfd.revents & POLLIN) {
		struct seccomp_notif call = {0};
		struct seccomp_notif_resp answer = {0};

		if (ioctl(pollfd.fd, SECCOMP_IOCTL_NOTIF_RECV, &call))
			continue;
		answer.id = call.id;
		if (is_refused(&call))
			answer.error = -EINVAL;
		else
			answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
		ioctl(pollfd.fd, SECCOMP_IOCTL_NOTIF_SEND, &answer);
	}
	return 0;
}

int main(int argc, char **argv)
{
	static char stack[STACK];
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_bpf, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, BPF_PROG_LOAD, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};
	int listener;

	if (argc < 3) {
		fputs("Usage: refuse_program NAME COMMAND [ARGUMENT...]\n", stderr);
		return 2;
	}
	refused = argv[1];
	if (pipe2(listener_is, O_CLOEXEC) ||
		clone(supervise, stack + STACK, CLONE_FILES | SIGCHLD, NULL) < 0 ||
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) {
		perror("refuse_program");
		return 1;
	}
	listener = syscall(
		SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
	if (listener < 0 || write(listener_is[1], &listener, sizeof(listener)) < 0) {
		perror("refuse_program: seccomp");
		return 1;
	}
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 127;
}

// SPDX-License-Identifier: GPL-2.0-only
/* See workload.h. */
#include "user/source/machine/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct workload {
	char *const *argv;
	pid_t pid;
	int pidfd;
	int go;     /* a byte is written to it when the child may execute */
	int failed; /* carries the errno of a failed exec; a successful exec closes it */
	bool waited;
	int status;
};

static int check_file(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EACCES;
	return faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) < 0 ? -errno : 0;
}

/* Like execvp: skips a file that may not be executed, but remembers this for the error. */
static int check_path(const char *name, const char *path)
{
	int code = -ENOENT, found;
	char file[PATH_MAX];

	for (;;) {
		size_t size = strcspn(path, ":");

		/* An empty entry stands for the working directory. */
		if (snprintf(file, sizeof(file), "%.*s%s%s", (int)size, path, size ? "/" : "",
			    name) < (int)sizeof(file)) {
			found = check_file(file);
			if (!found)
				return 0;
			if (found == -EACCES)
				code = found;
		}
		if (!path[size])
			return code;
		path += size + 1;
	}
}

int workload__check(char *const *argv, struct error *err)
{
	const char *path = getenv("PATH");
	int code;

	if (!*argv[0])
		return error__errno(err, -ENOENT, "cannot execute ''");
	/* Without $PATH, execvp uses confstr(_CS_PATH). */
	code = strchr(argv[0], '/') ? check_file(argv[0])
				    : check_path(argv[0], path ? path : "/bin:/usr/bin");
	return code ? error__errno(err, code, "cannot execute '%s'", argv[0]) : 0;
}

static void child(char *const *argv, int go, int failed, bool keep_stdout)
{
	sigset_t none;
	char byte;
	int code;

	/* The workload must not inherit the signals that the recorder blocks for its signalfd. */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	if (!keep_stdout)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	/* End of file means that the recorder has exited, or gave up. */
	if (read(go, &byte, 1) != 1)
		_exit(125);
	execvp(argv[0], argv);
	code = errno;
	if (write(failed, &code, sizeof(code)) != sizeof(code))
		_exit(126);
	_exit(code == ENOENT ? 127 : 126);
}

int workload__new(struct workload **ret, char *const *argv, bool keep_stdout, struct error *err)
{
	struct workload *workload;
	int go[2], failed[2], code;

	*ret = NULL;
	workload = calloc(1, sizeof(*workload));
	if (!workload)
		return error__set(err, -ENOMEM, "out of memory");
	workload->argv = argv;
	if (pipe2(go, O_CLOEXEC) < 0) {
		code = -errno;
		free(workload);
		return error__errno(err, code, "pipe to '%s'", argv[0]);
	}
	if (pipe2(failed, O_CLOEXEC) < 0) {
		code = -errno;
		goto no_pipe;
	}
	workload->pid = fork();
	if (workload->pid < 0) {
		code = -errno;
		goto no_fork;
	}
	if (workload->pid == 0) {
		close(go[1]);
		close(failed[0]);
		child(argv, go[0], failed[1], keep_stdout);
	}
	close(go[0]);
	close(failed[1]);
	workload->go = go[1];
	workload->failed = failed[0];
	workload->pidfd = syscall(SYS_pidfd_open, workload->pid, 0);
	if (workload->pidfd < 0) {
		code = -errno;
		workload__free(workload);
		return error__errno(err, code, "pidfd_open of '%s'", argv[0]);
	}
	*ret = workload;
	return 0;
no_fork:
	close(failed[0]);
	close(failed[1]);
no_pipe:
	close(go[0]);
	close(go[1]);
	free(workload);
	return error__errno(err, code, "start of '%s'", argv[0]);
}

void workload__free(struct workload *workload)
{
	if (!workload)
		return;
	if (workload->go >= 0)
		close(workload->go);
	workload->go = -1;
	workload__wait(workload, true);
	if (workload->failed >= 0)
		close(workload->failed);
	if (workload->pidfd >= 0)
		close(workload->pidfd);
	free(workload);
}

pid_t workload__pid(const struct workload *workload)
{
	return workload->pid;
}

int workload__fd(const struct workload *workload)
{
	return workload->pidfd;
}

int workload__start(struct workload *workload, struct error *err)
{
	int code = 0;
	ssize_t n;

	n = write(workload->go, "", 1);
	if (n != 1)
		return error__errno(err, -EPIPE, "start of '%s'", workload->argv[0]);
	close(workload->go);
	workload->go = -1;
	do
		n = read(workload->failed, &code, sizeof(code));
	while (n < 0 && errno == EINTR);
	close(workload->failed);
	workload->failed = -1;
	if (n == sizeof(code))
		return error__errno(err, -code, "cannot execute '%s'", workload->argv[0]);
	return 0;
}

int workload__wait(struct workload *workload, bool terminate)
{
	int status;

	if (workload->waited)
		return workload->status;
	if (terminate)
		kill(workload->pid, SIGTERM);
	while (waitpid(workload->pid, &status, 0) < 0)
		if (errno != EINTR)
			return 1;
	workload->waited = true;
	workload->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return workload->status;
}

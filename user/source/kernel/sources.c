// SPDX-License-Identifier: GPL-2.0-only
/*
 * kernel_sources: see sources.h. This file starts the command, writes the script to it and waits
 * for its end. The parser checks the answer of the other machine
 * (user/parse/kernel/remote_notes.h).
 */
#include "user/source/kernel/sources.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "perfstamp/record.h"
#include "user/io/whole.h"
#include "user/parse/kernel/remote_notes.h"
#include "user/source/kernel/proc_kernel.h"

#define NOTES_FILE_MAX (1u << 20)

static const char *reason_text(enum perfstamp_reason reason)
{
	switch (reason) {
	case PERFSTAMP_REASON_IO_ERROR:
		return "its notes cannot be read";
	case PERFSTAMP_REASON_MALFORMED:
		return "its notes contradict themselves";
	case PERFSTAMP_REASON_TOO_LONG:
		return "its build-id is longer than 20 bytes";
	default:
		return "its notes have no build-id";
	}
}

static int add_running_modules(struct kernel_ids *ids, const char *root)
{
	struct perfstamp_identity identity;
	struct dirent *entry;
	char path[PATH_MAX];
	struct stat st;
	int code = 0;
	DIR *dir;

	ids->knows_modules = true;
	snprintf(path, sizeof(path), "%s/sys/module", root);
	dir = opendir(path);
	if (!dir)
		return errno == ENOENT ? 0 : -errno; /* CONFIG_MODULES=n */
	while (!code && (entry = readdir(dir))) {
		/*
		 * Built-in modules have no coresize. Modules that are unloaded meanwhile are
		 * skipped.
		 */
		snprintf(path, sizeof(path), "%s/sys/module/%s/coresize", root, entry->d_name);
		if (entry->d_name[0] == '.' || stat(path, &st))
			continue;
		proc_kernel__module_identity(root, entry->d_name, &identity);
		if (stat(path, &st))
			continue;
		code = kernel_ids__add_module(
			ids, entry->d_name, identity.build_id, identity.build_id_size);
	}
	closedir(dir);
	return code;
}

int kernel_sources__running(struct kernel_ids *ids, const char *root, struct error *err)
{
	struct perfstamp_identity identity;
	struct utsname name;
	int code;

	if (!uname(&name)) {
		snprintf(ids->release, sizeof(ids->release), "%s", name.release);
		snprintf(ids->machine, sizeof(ids->machine), "%s", name.machine);
	}
	proc_kernel__identity(root, &identity);
	memcpy(ids->kernel.build_id, identity.build_id, identity.build_id_size);
	ids->kernel.size = identity.build_id_size;
	if (!ids->kernel.size)
		ids->why = reason_text(identity.reason);
	code = add_running_modules(ids, root);
	if (code)
		return error__errno(err, code, "%s/sys/module", root);
	kernel_ids__sort(ids);
	return 0;
}

int kernel_sources__notes_file(struct kernel_ids *ids, const char *path, struct error *err)
{
	char *bytes = malloc(NOTES_FILE_MAX + 1);
	ssize_t size;
	int fd;

	if (!bytes)
		return error__set(err, -ENOMEM, "out of memory");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	size = fd < 0 ? -errno : whole__read(fd, bytes, NOTES_FILE_MAX + 1);
	if (fd >= 0)
		close(fd);
	if (size >= 0 && size <= NOTES_FILE_MAX)
		kernel_dso__take_notes(&ids->kernel, bytes, size);
	free(bytes);
	if (size < 0)
		return error__errno(err, size, "%s", path);
	if (size > NOTES_FILE_MAX)
		return error__set(err, -EBADMSG,
			"%s: not a copy of /sys/kernel/notes: it is larger than %u bytes", path,
			NOTES_FILE_MAX);
	if (!ids->kernel.size)
		return error__set(err, -EBADMSG,
			"%s: not a copy of /sys/kernel/notes: it has no note with a build-id",
			path);
	return 0;
}

struct ssh {
	pid_t pid;
	int in;  /* its standard input: the script */
	int out; /* its standard output */
};

static int start_ssh(struct ssh *ssh, const char *command, const char *host)
{
	int in[2], out[2], code;
	char *line;

	if (asprintf(&line, "%s \"$@\"", command) < 0)
		return -ENOMEM;
	if (pipe2(in, O_CLOEXEC) < 0) {
		code = -errno;
		free(line);
		return code;
	}
	if (pipe2(out, O_CLOEXEC) < 0) {
		code = -errno;
		free(line);
		close(in[0]);
		close(in[1]);
		return code;
	}
	ssh->pid = fork();
	code = -errno;
	if (!ssh->pid) {
		signal(SIGPIPE, SIG_DFL);
		if (dup2(in[0], 0) == 0 && dup2(out[1], 1) == 1)
			execl("/bin/sh", "sh", "-c", line, "ssh", host, "exec sh", (char *)NULL);
		_exit(127);
	}
	free(line);
	close(in[0]);
	close(out[1]);
	ssh->in = in[1];
	ssh->out = out[0];
	if (ssh->pid > 0)
		return 0;
	close(ssh->in);
	close(ssh->out);
	return code;
}

/* The script is shorter than a pipe's buffer, so writing never blocks. */
static void send_script(struct ssh *ssh)
{
	void (*old)(int) = signal(SIGPIPE, SIG_IGN);
	ssize_t n = write(ssh->in, REMOTE_NOTES_SCRIPT, strlen(REMOTE_NOTES_SCRIPT));

	/* A process that did not receive the script gives no answer, which is reported. */
	(void)n;
	close(ssh->in);
	signal(SIGPIPE, old);
}

static int take_answer(struct ssh *ssh, struct remote_notes *notes, struct error *err)
{
	char bytes[8192];

	for (;;) {
		ssize_t n = read(ssh->out, bytes, sizeof(bytes));
		int code;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error__errno(err, -errno, "read");
		if (!n)
			return 0;
		code = remote_notes__feed(notes, bytes, n, err);
		if (code)
			return code;
	}
}

/* Returns the command's exit status as a shell reports it. */
static int end_ssh(struct ssh *ssh, bool early)
{
	int status;

	close(ssh->out);
	/* A command that writes more than we read would otherwise block for ever. */
	if (early)
		kill(ssh->pid, SIGTERM);
	while (waitpid(ssh->pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int kernel_sources__ssh(
	struct kernel_ids *ids, const char *command, const char *host, struct error *err)
{
	struct remote_notes notes;
	struct error why = {0};
	struct ssh ssh = {.in = -1, .out = -1};
	int code, status;

	if (!*host || *host == '-')
		return error__set(err, -EINVAL, "`%s' is not a host name", host);
	code = start_ssh(&ssh, command, host);
	if (code)
		return error__errno(err, code, "%s: cannot start `%s'", host, command);
	remote_notes__init(&notes, ids);
	send_script(&ssh);
	code = take_answer(&ssh, &notes, &why);
	status = end_ssh(&ssh, code);
	if (!code)
		code = remote_notes__finish(&notes, &why);
	/* A complete answer counts, whatever status the shell ended with. */
	if (code && status == 127)
		error__set(err, code, "%s: `%s' cannot be run: is ssh installed?", host, command);
	else if (code && status == 255 && !notes.bytes)
		error__set(err, code, "%s: ssh failed; see its message above", host);
	else if (code)
		error__set(err, code, "%s: %s", host, why.text);
	if (!code && !ids->kernel.size)
		ids->why = reason_text(PERFSTAMP_REASON_NO_NOTE);
	remote_notes__free(&notes);
	return code;
}

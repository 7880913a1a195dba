// SPDX-License-Identifier: GPL-2.0-only
/* See units.h. */
#include "user/source/machine/units.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#define WORDS_MAX 8
#define SHOWN_MAX 512 /* bytes of what systemctl shows of a unit; it is four short lines */

extern char **environ;

bool units__has_systemd(void)
{
	return sd_booted() > 0;
}

/* Starts @argv with standard output at @out. Returns 0 or -errno. */
static int start(char *const *argv, int out, pid_t *ret)
{
	posix_spawn_file_actions_t actions;
	int code = posix_spawn_file_actions_init(&actions);

	if (code)
		return -code;
	code = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	if (!code)
		code = posix_spawnp(ret, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return -code;
}

static int finish(pid_t pid, const char *command, struct error *err)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return error__errno(err, -errno, "%s", command);
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	if (WIFEXITED(status))
		return error__set(
			err, -EIO, "%s: failed with exit status %d", command, WEXITSTATUS(status));
	return error__set(err, -EIO, "%s: ended by signal %d", command, WTERMSIG(status));
}

/* Reads as much as fits, and adds a NUL. Reads the rest, too, so that no writer blocks. */
static void read_all(int fd, char *ret, size_t size)
{
	char rest[256];
	size_t n = 0;
	ssize_t got;

	for (;;) {
		bool full = n + 1 >= size;

		got = full ? read(fd, rest, sizeof(rest)) : read(fd, ret + n, size - n - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		if (!full)
			n += (size_t)got;
	}
	ret[n] = '\0';
}

static bool has_line(const char *text, const char *line)
{
	const char *at = text;
	size_t n = strlen(line);

	while ((at = strstr(at, line))) {
		if ((at == text || at[-1] == '\n') && (!at[n] || at[n] == '\n'))
			return true;
		at += n;
	}
	return false;
}

int units__why_not(const char *unit, const char **ret, struct error *err)
{
	char *argv[] = {"systemctl", "show",
		"--property=Type,RefuseManualStart,RefuseManualStop,LoadState", "--", (char *)unit,
		NULL};
	char shown[SHOWN_MAX];
	int ends[2], code;
	pid_t pid = -1;

	*ret = NULL;
	if (pipe2(ends, O_CLOEXEC) < 0)
		return error__errno(err, -errno, "pipe to systemctl");
	code = start(argv, ends[1], &pid);
	close(ends[1]);
	if (code) {
		close(ends[0]);
		return error__errno(err, code, "systemctl cannot be executed");
	}
	read_all(ends[0], shown, sizeof(shown));
	close(ends[0]);
	code = finish(pid, "systemctl show", err);
	if (code)
		return code;
	if (has_line(shown, "Type=oneshot"))
		*ret = "a restart does its job again";
	else if (has_line(shown, "RefuseManualStart=yes") ||
		 has_line(shown, "RefuseManualStop=yes"))
		*ret = "the unit refuses to be restarted by hand";
	else if (!has_line(shown, "LoadState=loaded"))
		*ret = "systemd does not know the unit any more";
	return 0;
}

int units__run(const char *command, struct error *err)
{
	char *words = strdup(command), *argv[WORDS_MAX + 1] = {0}, *rest;
	size_t n = 0;
	pid_t pid = -1;
	int code;

	if (!words)
		return error__set(err, -ENOMEM, "out of memory");
	for (char *word = strtok_r(words, " ", &rest); word && n < WORDS_MAX;
		word = strtok_r(NULL, " ", &rest))
		argv[n++] = word;
	if (!n) {
		free(words);
		return error__set(err, -EINVAL, "no command to run");
	}
	code = start(argv, STDERR_FILENO, &pid);
	if (code)
		error__errno(err, code, "%s cannot be executed", argv[0]);
	else
		code = finish(pid, command, err);
	free(words);
	return code;
}

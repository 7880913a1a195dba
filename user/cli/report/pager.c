// SPDX-License-Identifier: GPL-2.0-only
/* See pager.h. */
#include "user/cli/report/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t pager;

/* Runs the pager in the child process. Without @command, runs less, if it is installed. */
static void run(const char *command, int in)
{
	dup2(in, 0);
	/* Like git: less exits if the text fits on the screen, and leaves the text there. */
	setenv("LESS", "FRSX", 0);
	if (command)
		execl("/bin/sh", "sh", "-c", command, NULL);
	execlp("less", "less", NULL);
	execlp("cat", "cat", NULL);
	_exit(127);
}

void pager__begin(void)
{
	const char *command = getenv("PAGER");
	int pipes[2];

	if (!isatty(1) || (command && (!*command || !strcmp(command, "cat"))))
		return;
	if (pipe2(pipes, O_CLOEXEC) < 0)
		return;
	pager = fork();
	if (!pager)
		run(command, pipes[0]);
	if (pager > 0) {
		fflush(stdout);
		dup2(pipes[1], 1);
		signal(SIGPIPE, SIG_IGN); /* the user may quit the pager early */
		signal(SIGINT, SIG_IGN);  /* ^C is for the pager */
	}
	close(pipes[0]);
	close(pipes[1]);
}

void pager__end(void)
{
	int null;

	if (pager <= 0)
		return;
	fflush(stdout);
	clearerr(stdout);
	null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (null >= 0)
		dup2(null, 1);
	while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
		;
	pager = 0;
}

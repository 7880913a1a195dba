// SPDX-License-Identifier: GPL-2.0-only
/* See temporary.h. */
#include "user/store/files/temporary.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "user/store/files/inside.h"

#define PATHS 8 /* limit of files and directories that a process has at the same time */

static const char *volatile paths[PATHS];
static volatile pid_t owner;

static void remove_all(int signal_number)
{
	if (owner == getpid())
		for (size_t i = 0; i < PATHS; i++)
			if (paths[i])
				inside__remove(AT_FDCWD, paths[i]);
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

/* A signal that nohup or a pager ignores remains ignored. */
static void take_signal(int signal_number)
{
	const struct sigaction action = {.sa_handler = remove_all};
	struct sigaction old;

	if (!sigaction(signal_number, NULL, &old) && old.sa_handler == SIG_DFL)
		sigaction(signal_number, &action, NULL);
}

void temporary__add(const char *path)
{
	static const int SIGNALS[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ};

	owner = getpid();
	for (size_t i = 0; i < sizeof(SIGNALS) / sizeof(SIGNALS[0]); i++)
		take_signal(SIGNALS[i]);
	for (size_t i = 0; i < PATHS; i++)
		if (!paths[i]) {
			paths[i] = path;
			return;
		}
}

void temporary__forget(const char *path)
{
	for (size_t i = 0; i < PATHS; i++)
		if (paths[i] == path)
			paths[i] = NULL;
}

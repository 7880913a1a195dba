// SPDX-License-Identifier: GPL-2.0-only
/*
 * The processes of a busy server, at rest: PROCESSES children, each of which maps
 * MAPPINGS of the libraries named executable, on top of its own. Prints "ready" and
 * all pids on one line, and holds everything until its standard input ends.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/lib/tool.h"

#define PAGE 4096
#define PROCESSES_MAX 100000

/* Different pages of one file do not merge if they are mapped out of order. */
static void map_libraries(char **files, int n_files, int mappings)
{
	int i, fd;

	for (i = 0; i < mappings; i++) {
		fd = open(files[i % n_files], O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			fail(files[i % n_files]);
		if (mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED)
			fail("mmap");
		close(fd);
	}
}

static void live(int ready, char **files, int n_files, int mappings)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	map_libraries(files, n_files, mappings);
	if (write(ready, "", 1) != 1)
		fail("pipe");
	close(ready);
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	int processes, mappings, ready[2], i;
	pid_t *pids;
	char byte;

	if (argc < 4) {
		fprintf(stderr, "Usage: population PROCESSES MAPPINGS LIBRARY...\n");
		return 2;
	}
	processes = atoi(argv[1]);
	mappings = atoi(argv[2]);
	if (processes < 1 || processes > PROCESSES_MAX || mappings < 0 || pipe(ready))
		return 2;
	pids = calloc(processes, sizeof(*pids));
	if (!pids)
		fail("calloc");
	for (i = 0; i < processes; i++) {
		pids[i] = fork();
		if (pids[i] < 0)
			fail("fork");
		if (!pids[i])
			live(ready[1], argv + 3, argc - 3, mappings);
	}
	for (i = 0; i < processes; i++)
		if (read(ready[0], &byte, 1) != 1)
			fail("pipe");
	printf("ready");
	for (i = 0; i < processes; i++)
		printf(" %d", pids[i]);
	printf("\n");
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	for (i = 0; i < processes; i++)
		kill(pids[i], SIGKILL);
	while (wait(NULL) > 0)
		;
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/* See comparisons.h. */
#include "user/cli/watch/comparisons.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user/base/text.h"
#include "user/base/hash.h"
#include "user/model/replaced/replaced.h"

#define WAITING_MAX 64
#define RUN_NS 600000000000ull /* limit of a comparison's run time */
#define ANSWER_MAX (64 << 20)  /* limit of its output, in bytes */
#define PREFIX "perfstamp diff: "

extern char **environ;

/* The content of a path. */
struct mapped {
	char *key; /* container, NUL, path */
	const char *path;
	struct perfstamp_identity identity;
	uint64_t due_ns; /* 0: nothing to compare */
	UT_hash_handle hh;
};

struct comparisons {
	struct comparisons_options options;
	struct mapped *by_key;
	struct mapped *waiting[WAITING_MAX];
	size_t n_waiting;
	char *path; /* the path that is being compared; NULL: none */
	pid_t pid;
	int out_fd, said_fd; /* output and errors of the process */
	uint64_t started_ns;
};

int comparisons__new(struct comparisons **ret, const struct comparisons_options *options)
{
	*ret = calloc(1, sizeof(**ret));
	if (!*ret)
		return -ENOMEM;
	(*ret)->options = *options;
	(*ret)->out_fd = (*ret)->said_fd = -1;
	return 0;
}

static void close_run(struct comparisons *comparisons)
{
	if (comparisons->out_fd >= 0)
		close(comparisons->out_fd);
	if (comparisons->said_fd >= 0)
		close(comparisons->said_fd);
	comparisons->out_fd = comparisons->said_fd = -1;
	free(comparisons->path);
	comparisons->path = NULL;
	comparisons->pid = 0;
}

void comparisons__free(struct comparisons *comparisons)
{
	struct mapped *mapped, *next;

	if (!comparisons)
		return;
	if (comparisons->pid) {
		kill(comparisons->pid, SIGKILL);
		while (waitpid(comparisons->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	close_run(comparisons);
	HASH_ITER (hh, comparisons->by_key, mapped, next) {
		HASH_DEL(comparisons->by_key, mapped);
		free(mapped->key);
		free(mapped);
	}
	free(comparisons);
}

size_t comparisons__n_waiting(const struct comparisons *comparisons)
{
	return comparisons->n_waiting + (comparisons->pid ? 1 : 0);
}

/* ---- Waiting comparisons ---- */

static int get(struct comparisons *comparisons, const char *home, const char *path,
	struct mapped **ret, bool *ret_new)
{
	size_t home_size = strlen(home) + 1, size = home_size + strlen(path);
	char *key = malloc(size + 1);
	struct mapped *mapped;

	if (!key)
		return -ENOMEM;
	memcpy(key, home, home_size);
	memcpy(key + home_size, path, size + 1 - home_size);
	HASH_FIND(hh, comparisons->by_key, key, size, mapped);
	*ret = mapped;
	*ret_new = !mapped;
	if (mapped) {
		free(key);
		return 0;
	}
	mapped = calloc(1, sizeof(*mapped));
	if (!mapped) {
		free(key);
		return -ENOMEM;
	}
	mapped->key = key;
	mapped->path = key + home_size;
	HASH_ADD_KEYPTR(hh, comparisons->by_key, mapped->key, size, mapped);
	if (!hash__added(mapped)) {
		free(key);
		free(mapped);
		return -ENOMEM;
	}
	*ret = mapped;
	return 0;
}

int comparisons__mapped(struct comparisons *comparisons, const char *home, const char *path,
	const struct perfstamp_identity *identity, bool begun, uint64_t now_ns)
{
	struct mapped *mapped;
	bool new;
	int code = get(comparisons, home, path, &mapped, &new);

	if (code)
		return code;
	if (new) {
		mapped->identity = *identity;
		return 0;
	}
	if (!begun || !replaced__have_other_content(&mapped->identity, identity))
		return 0;
	mapped->identity = *identity;
	if (!mapped->due_ns && comparisons->n_waiting == WAITING_MAX) {
		comparisons->options.fn(comparisons->options.ctx, path, NULL, 0,
			"too many other replacements wait to be compared");
		return 0;
	}
	if (!mapped->due_ns)
		comparisons->waiting[comparisons->n_waiting++] = mapped;
	mapped->due_ns = now_ns + comparisons->options.after_ns;
	return 0;
}

static struct mapped *take_due(struct comparisons *comparisons, uint64_t now_ns)
{
	for (size_t i = 0; i < comparisons->n_waiting; i++) {
		struct mapped *mapped = comparisons->waiting[i];

		if (mapped->due_ns > now_ns)
			continue;
		mapped->due_ns = 0;
		comparisons->n_waiting--;
		memmove(&comparisons->waiting[i], &comparisons->waiting[i + 1],
			(comparisons->n_waiting - i) * sizeof(struct mapped *));
		return mapped;
	}
	return NULL;
}

/* ---- The process ---- */

static int spawn(struct comparisons *comparisons, char **argv)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none;
	int code = posix_spawn_file_actions_init(&actions);

	if (code)
		return -code;
	code = posix_spawnattr_init(&attributes);
	if (code) {
		posix_spawn_file_actions_destroy(&actions);
		return -code;
	}
	sigemptyset(&none);
	code = posix_spawnattr_setsigmask(&attributes, &none);
	if (!code)
		code = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	if (!code)
		code = posix_spawn_file_actions_adddup2(
			&actions, comparisons->out_fd, STDOUT_FILENO);
	if (!code)
		code = posix_spawn_file_actions_adddup2(
			&actions, comparisons->said_fd, STDERR_FILENO);
	if (!code)
		code = posix_spawn(
			&comparisons->pid, "/proc/self/exe", &actions, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return -code;
}

/* Reports that a comparison failed. The next one may work. */
static void fail(struct comparisons *comparisons, const char *what, int code)
{
	char text[256];

	snprintf(text, sizeof(text), "%s: %s", what, strerror(-code));
	comparisons->options.fn(comparisons->options.ctx, comparisons->path, NULL, 0, text);
}

/* Returns 0, also if the process cannot be started, or -ENOMEM. */
static int start(struct comparisons *comparisons, const struct mapped *mapped, uint64_t now_ns)
{
	const struct comparisons_options *options = &comparisons->options;
	const char *argv[12] = {"perfstamp", "diff", "--json", "--since-replaced", mapped->path};
	const struct perfstamp_identity *identity = &mapped->identity;
	char after[sizeof("build-id=") + 2 * PERFSTAMP_BUILD_ID_MAX] = "build-id=";
	size_t n = 5;
	int code;

	/* Another container may have another build at this path. */
	if (identity->build_id_size) {
		text__hex(after + strlen(after), sizeof(after) - strlen(after), identity->build_id,
			identity->build_id_size);
		argv[n++] = "--after";
		argv[n++] = after;
	}

	if (options->buildid_dir) {
		argv[n++] = "--buildid-dir";
		argv[n++] = options->buildid_dir;
	}
	argv[n++] = "--";
	argv[n] = options->file;
	comparisons->path = strdup(mapped->path);
	if (!comparisons->path)
		return -ENOMEM;
	comparisons->out_fd = memfd_create("perfstamp", MFD_CLOEXEC);
	comparisons->said_fd = memfd_create("perfstamp", MFD_CLOEXEC);
	code = comparisons->out_fd < 0 || comparisons->said_fd < 0
		       ? -errno
		       : spawn(comparisons, (char **)argv);
	comparisons->started_ns = now_ns;
	if (code) {
		fail(comparisons, "perfstamp diff cannot be started", code);
		close_run(comparisons);
	}
	return 0;
}

/* Returns the content of a memfd, followed by a NUL, which the caller frees. NULL: no memory. */
static char *read_all(int fd, size_t *ret_size)
{
	struct stat st;
	size_t size;
	char *ret;
	ssize_t n;

	*ret_size = 0;
	if (fstat(fd, &st))
		return NULL;
	size = st.st_size < ANSWER_MAX ? st.st_size : ANSWER_MAX;
	ret = malloc(size + 1);
	if (!ret)
		return NULL;
	n = pread(fd, ret, size, 0);
	*ret_size = n > 0 ? n : 0;
	ret[*ret_size] = '\0';
	return ret;
}

/* Returns the last line, without the name of the command. */
static const char *error_in(char *said)
{
	size_t size = strlen(said);
	char *line;

	while (size && said[size - 1] == '\n')
		said[--size] = '\0';
	line = strrchr(said, '\n');
	line = line ? line + 1 : said;
	if (!strncmp(line, PREFIX, strlen(PREFIX)))
		line += strlen(PREFIX);
	return *line ? line : "perfstamp diff failed";
}

static int report(struct comparisons *comparisons, int status)
{
	size_t size, said_size;
	char *json = read_all(comparisons->out_fd, &size);
	char *said = read_all(comparisons->said_fd, &said_size);
	int code = json && said ? 0 : -ENOMEM;

	if (!code && WIFEXITED(status) && !WEXITSTATUS(status))
		comparisons->options.fn(
			comparisons->options.ctx, comparisons->path, json, size, NULL);
	else if (!code)
		comparisons->options.fn(comparisons->options.ctx, comparisons->path, NULL, 0,
			WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL
				? "perfstamp diff was ended: it took too long, or too much memory"
				: error_in(said));
	free(json);
	free(said);
	return code;
}

static int look_after(struct comparisons *comparisons, uint64_t now_ns)
{
	int status, code = 0;
	pid_t ended = waitpid(comparisons->pid, &status, WNOHANG);

	if (!ended && now_ns - comparisons->started_ns > RUN_NS)
		kill(comparisons->pid, SIGKILL);
	if (!ended || (ended < 0 && errno == EINTR))
		return 0;
	if (ended < 0)
		fail(comparisons, "perfstamp diff", -errno);
	else
		code = report(comparisons, status);
	close_run(comparisons);
	return code;
}

int comparisons__run(struct comparisons *comparisons, uint64_t now_ns, struct error *err)
{
	const struct mapped *mapped;
	int code = 0;

	if (comparisons->pid)
		code = look_after(comparisons, now_ns);
	else if ((mapped = take_due(comparisons, now_ns)))
		code = start(comparisons, mapped, now_ns);
	return code ? error__errno(err, code, "perfstamp diff") : 0;
}

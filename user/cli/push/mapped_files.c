// SPDX-License-Identifier: GPL-2.0-only
/* See mapped_files.h. One child process checks many files, as long as they respond. */
#include "user/cli/push/mapped_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/cli/cli.h"
#include "user/event/identity.h"
#include "user/helper/capability.h"
#include "user/helper/confined.h"
#include "user/io/whole.h"
#include "user/parse/elf/build_id.h"
#include "user/store/files/digest.h"

#define MEMORY (256ull << 20) /* bytes */
#define SILENCE_MS 10000
#define SILENT_MAX 3 /* limit of directories for each recording */
#define PATH_SIZE_MAX (2 * PERFSTAMP_PATH_MAX)

struct mapped_files {
	struct confined child;
	bool started;
	char *silent[SILENT_MAX]; /* directories, each with its trailing slash */
	size_t n_silent;
};

struct request {
	struct perfstamp_identity identity;
	uint32_t path_size; /* with its NUL */
};

struct answer {
	uint8_t here;
	uint32_t note_size; /* without a NUL */
};

/* ---- In the child ---- */

bool mapped_files__is(int fd, const struct perfstamp_identity *wanted)
{
	struct perfstamp_identity is;
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || digest__identity(fd, &is))
		return false;
	if (wanted->build_id_size && !identity__same_build_id(&is, wanted))
		return false;
	if (wanted->cookie_size && !identity__same_cookie(&is, wanted))
		return false;
	return wanted->build_id_size || wanted->cookie_size;
}

void mapped_files__read_note(int fd, char ret[ELF_PACKAGE_MAX])
{
	if (elf_package__read(whole__read_exactly, &fd, ret) <= 0)
		*ret = '\0';
}

/* The path comes from a recording, and opening a device can have side effects. */
static int open_regular(const char *path)
{
	int fd = open(path, O_PATH | O_CLOEXEC), opened = -1;
	char link[32];
	struct stat st;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode)) {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		opened = open(link, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	}
	close(fd);
	return opened;
}

static bool answer_one(int to, const struct request *request, const char *path)
{
	char note[ELF_PACKAGE_MAX] = "";
	int fd = open_regular(path);
	struct answer answer = {0};

	answer.here = fd >= 0 && mapped_files__is(fd, &request->identity);
	if (answer.here)
		mapped_files__read_note(fd, note);
	if (fd >= 0)
		close(fd);
	answer.note_size = strlen(note);
	return !whole__write(to, &answer, sizeof(answer)) &&
	       !whole__write(to, note, answer.note_size);
}

static void run(void *ctx, int fd)
{
	static char path[PATH_SIZE_MAX];
	struct request request;

	(void)ctx;
	while (whole__read(fd, &request, sizeof(request)) == sizeof(request) && request.path_size &&
		request.path_size <= sizeof(path) &&
		whole__read(fd, path, request.path_size) == (ssize_t)request.path_size &&
		!path[request.path_size - 1])
		if (!answer_one(fd, &request, path))
			return;
}

/* ---- In the parent ---- */

int mapped_files__new(struct mapped_files **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? 0 : -ENOMEM;
}

void mapped_files__begin(struct mapped_files *files)
{
	for (size_t i = 0; i < files->n_silent; i++)
		free(files->silent[i]);
	files->n_silent = 0;
}

static void end_child(struct mapped_files *files)
{
	if (files->started)
		confined__end(&files->child, true);
	files->started = false;
}

void mapped_files__free(struct mapped_files *files)
{
	if (!files)
		return;
	end_child(files);
	mapped_files__begin(files);
	free(files);
}

bool mapped_files__is_silent(const struct mapped_files *files, const char *path)
{
	for (size_t i = 0; i < files->n_silent; i++)
		if (!strncmp(path, files->silent[i], strlen(files->silent[i])))
			return true;
	return files->n_silent == SILENT_MAX;
}

bool mapped_files__any_silent(const struct mapped_files *files)
{
	return files->n_silent > 0;
}

static void take_silence(struct mapped_files *files, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *directory = strndup(path, slash ? slash - path + 1 : 0);

	cli__fail("warning: %s: does not answer: files there get no packages%s", path,
		files->n_silent + 1 < SILENT_MAX
			? ""
			: ", and no further files of this recording are looked at");
	if (directory)
		files->silent[files->n_silent++] = directory;
}

static bool start(struct mapped_files *files)
{
	const struct confined_options options = {
		.what = "looking at mapped files",
		.memory = MEMORY,
		.silence_ms = SILENCE_MS,
		.sandbox.needs = SANDBOX_READ,
		.capabilities = CAPABILITY_READ,
		.run = run,
	};
	struct error err;

	if (!files->started && confined__start(&files->child, &options, &err))
		cli__fail("warning: %s", err.text);
	else
		files->started = true;
	return files->started;
}

static bool ask(struct mapped_files *files, const char *path,
	const struct perfstamp_identity *identity, struct mapped_file *ret)
{
	const struct request request = {.identity = *identity, .path_size = strlen(path) + 1};
	struct answer answer;

	if (!confined__give(&files->child, &request, sizeof(request)) ||
		!confined__give(&files->child, path, request.path_size) ||
		!confined__take(&files->child, &answer, sizeof(answer)) ||
		answer.note_size >= sizeof(ret->note) ||
		!confined__take(&files->child, ret->note, answer.note_size))
		return false;
	ret->note[answer.note_size] = '\0';
	ret->here = answer.here;
	return true;
}

void mapped_files__look(struct mapped_files *files, const char *path,
	const struct perfstamp_identity *identity, struct mapped_file *ret)
{
	ret->here = false;
	*ret->note = '\0';
	if (*path != '/' || strlen(path) >= PATH_SIZE_MAX || mapped_files__is_silent(files, path) ||
		!start(files))
		return;
	if (ask(files, path, identity, ret))
		return;
	if (files->child.timed_out)
		take_silence(files, path);
	/* If a file crashed the child, it counts as a file without a package. */
	end_child(files);
	ret->here = false;
	*ret->note = '\0';
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * See directory.h.
 */
#include "user/perfdata/read/directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/base/array.h"

#define PREFIX "data."
#define NUMBER_MAX 65535 /* the highest N of perf record's threads, of which there is one a CPU */

struct numbers {
	unsigned int *v;
	size_t n;
};

static int no_memory(struct error *err)
{
	error__set(err, -ENOMEM, "out of memory");
	return -ENOMEM;
}

/* Returns the N of a name data.N in perf's form; -1 for other names. */
static long parse_number(const char *name)
{
	const char *digits = name + strlen(PREFIX);
	size_t n = strspn(digits, "0123456789");
	long number;

	if (!n || digits[n] || n > 5 || (*digits == '0' && n > 1))
		return -1;
	number = strtol(digits, NULL, 10);
	return number <= NUMBER_MAX ? number : -1;
}

static int refuse(struct error *err, const char *name, const char *file, const char *why)
{
	return error__set(err, -EBADMSG, "%s/%s: %s", name, file, why);
}

static int open_file(
	struct walk *walk, int dir, const char *name, const char *file, struct error *err)
{
	struct stat st;
	int fd, code;

	walk__init(walk);
	if (asprintf(&walk->name, "%s/%s", name, file) < 0) {
		walk->name = NULL;
		return no_memory(err);
	}
	/* O_NONBLOCK: opening a FIFO must not block. */
	fd = openat(dir, file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0 && errno == ELOOP)
		return refuse(err, name, file,
			"symbolic links are not followed: replace the link with the file");
	if (fd < 0 && (errno == EMFILE || errno == ENFILE))
		return error__set(err, -errno,
			"%s: too many files are open; raise `ulimit -n' above the number of files "
			"in the directory",
			walk->name);
	if (fd < 0)
		return error__errno(err, -errno, "%s: cannot open", walk->name);
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		close(fd);
		return refuse(err, name, file,
			"not a regular file: remove it from the directory to read the rest");
	}
	code = input__open_fd(&walk->in, fd);
	if (code) {
		close(fd);
		return error__errno(err, code, "%s: cannot open", walk->name);
	}
	walk->in.owns_fd = true;
	return 0;
}

static int add_number(struct numbers *numbers, unsigned int number)
{
	if (array__extend(&numbers->v, numbers->n, sizeof(*numbers->v)))
		return -ENOMEM;
	numbers->v[numbers->n++] = number;
	return 0;
}

static int compare(const void *a, const void *b)
{
	unsigned int x = *(const unsigned int *)a, y = *(const unsigned int *)b;

	return (x > y) - (x < y);
}

/* Lists the numbers of the threads' files, ascending. */
static int list(struct numbers *ret, int fd, const char *name, struct error *err)
{
	int own = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), code = 0;
	DIR *dir = own < 0 ? NULL : fdopendir(own);
	const struct dirent *entry;
	long number;

	if (!dir) {
		code = error__errno(err, -errno, "%s: cannot list the directory", name);
		if (own >= 0)
			close(own);
		return code;
	}
	while (!code && (errno = 0, entry = readdir(dir))) {
		if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) != 0)
			continue;
		number = parse_number(entry->d_name);
		if (number < 0)
			code = refuse(err, name, entry->d_name,
				"perf record does not use this name, and perf would read the file "
				"as part of the recording: remove it from the directory");
		else if (add_number(ret, number))
			code = no_memory(err);
	}
	if (!code && errno)
		code = error__errno(err, -errno, "%s: cannot list the directory", name);
	closedir(dir);
	if (ret->n)
		qsort(ret->v, ret->n, sizeof(*ret->v), compare);
	return code;
}

/* Stores the first number that is missing below the highest one. */
static int note_missing(
	struct perfdata_directory *directory, const struct numbers *numbers, const char *name)
{
	for (size_t i = 0; i < numbers->n; i++) {
		if (numbers->v[i] == i)
			continue;
		if (asprintf(&directory->missing, "%s/" PREFIX "%zu", name, i) >= 0)
			return 0;
		directory->missing = NULL;
		return -ENOMEM;
	}
	return 0;
}

static int open_threads(struct perfdata_directory *ret, const struct numbers *numbers, int fd,
	const char *name, struct error *err)
{
	char file[NAME_MAX + 1];
	int code = 0;

	for (size_t i = 0; !code && i < numbers->n; i++) {
		struct walk *walk = &ret->files[ret->n++];

		snprintf(file, sizeof(file), PREFIX "%u", numbers->v[i]);
		code = open_file(walk, fd, name, file, err);
		/* The file consists of records only. */
		if (!code && !walk->in.file_size)
			walk__free(&ret->files[--ret->n]); /* the thread wrote nothing */
	}
	if (!code && note_missing(ret, numbers, name))
		code = no_memory(err);
	return code;
}

int perfdata_directory__open(
	struct perfdata_directory *ret, int fd, const char *name, struct error *err)
{
	struct numbers numbers = {0};
	struct stat st;
	char *bare;
	int code;

	*ret = (struct perfdata_directory){0};
	bare = strdup(name);
	if (!bare)
		return no_memory(err);
	for (size_t len = strlen(bare); len > 1 && bare[len - 1] == '/';)
		bare[--len] = '\0';
	if (fstatat(fd, "data", &st, AT_SYMLINK_NOFOLLOW) && errno == ENOENT)
		code = error__set(err, -EISDIR,
			"%s: not a recording: the directory has no file `data'", bare);
	else
		code = list(&numbers, fd, bare, err);
	if (!code) {
		ret->files = calloc(numbers.n + 1, sizeof(*ret->files));
		code = ret->files ? 0 : no_memory(err);
	}
	if (!code) {
		ret->n = 1;
		code = open_file(&ret->files[0], fd, bare, "data", err);
	}
	if (!code)
		code = open_threads(ret, &numbers, fd, bare, err);
	free(numbers.v);
	free(bare);
	return code;
}

void perfdata_directory__free(struct perfdata_directory *directory)
{
	for (size_t i = 0; i < directory->n; i++)
		walk__free(&directory->files[i]);
	free(directory->files);
	free(directory->missing);
	*directory = (struct perfdata_directory){0};
}

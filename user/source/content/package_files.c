// SPDX-License-Identifier: GPL-2.0-only
/*
 * See package_files.h. dpkg's lists have the paths from the package's archive: where /lib is a link
 * to /usr/lib, a list may have /lib for a file at /usr/lib.
 */
#include "user/source/content/package_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user/base/array.h"

#define TEXT_MAX ((size_t)512 << 20) /* bytes of each text */

extern char **environ;

/* A line of a list: its path, and the number of the package. */
struct owned {
	const char *path;
	size_t package;
};

struct package_files {
	const char *kind;
	char **texts; /* the text to which the other structs point, with NULs instead of newlines */
	size_t n_texts, room_texts;
	struct owned *owned; /* by path */
	size_t n_owned, room_owned;
	/* Of dpkg sorted by name and architecture; of rpm in rpm's order. */
	struct package_file *packages;
	size_t n_packages, room_packages;
};

static int keep_text(struct package_files *files, char *text)
{
	int err = array__reserve(
		&files->texts, &files->room_texts, files->n_texts + 1, sizeof(*files->texts));

	if (err)
		free(text);
	else
		files->texts[files->n_texts++] = text;
	return err;
}

static int add_owned(struct package_files *files, const char *path, size_t package)
{
	int err = array__reserve(
		&files->owned, &files->room_owned, files->n_owned + 1, sizeof(*files->owned));

	if (!err)
		files->owned[files->n_owned++] = (struct owned){path, package};
	return err;
}

static int add_package(struct package_files *files, const struct package_file *package)
{
	int err = array__reserve(&files->packages, &files->room_packages, files->n_packages + 1,
		sizeof(*files->packages));

	if (!err)
		files->packages[files->n_packages++] = *package;
	return err;
}

/* Reads all of @fd, and adds a NUL; the caller frees it. */
static int read_fd(int fd, char **ret)
{
	FILE *in = fdopen(fd, "r");
	size_t size = 0, room = 1 << 16;
	char *text = in ? malloc(room) : NULL, *more;

	*ret = NULL;
	while (text) {
		size += fread(text + size, 1, room - size - 1, in);
		if (size < room - 1)
			break;
		more = 2 * room > TEXT_MAX ? NULL : realloc(text, 2 * room);
		if (!more)
			free(text);
		text = more;
		room *= 2;
	}
	if (text)
		text[size] = '\0';
	if (in)
		fclose(in);
	else
		close(fd);
	*ret = text;
	return text ? 0 : -ENOMEM;
}

/* ---- dpkg ---- */

static int by_name(const void *a, const void *b)
{
	const struct package_file *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : strcmp(x->architecture, y->architecture);
}

/* Ends the line at *@at with a NUL, and moves *@at behind it. */
static char *next_line(char **at)
{
	char *line = *at, *end = strchr(line, '\n');

	if (!*line)
		return NULL;
	*at = end ? end + 1 : line + strlen(line);
	if (end)
		*end = '\0';
	return line;
}

static const char *value_of(const char *line, const char *key)
{
	size_t size = strlen(key);

	return strncmp(line, key, size) || line[size] != ':'
		       ? NULL
		       : line + size + 1 + strspn(line + size + 1, " ");
}

/*
 * From `NAME (VERSION)' takes the version, or "": dpkg leaves out a version equal to the package's.
 */
static const char *cut_version(char *source)
{
	char *version = strchr(source, '(');

	source[strcspn(source, " ")] = '\0';
	if (!version)
		return "";
	version[strcspn(version, ")")] = '\0';
	return version + 1;
}

/* Reads the paragraphs of /var/lib/dpkg/status. */
static int read_status(struct package_files *files, char *text)
{
	struct package_file package = {0};
	const char *value;
	char *at = text, *line;
	int err = keep_text(files, text);

	while (!err && (line = next_line(&at))) {
		if ((value = value_of(line, "Package")))
			package = (struct package_file){.kind = "dpkg",
				.name = value,
				.architecture = "",
				.source = "",
				.source_version = ""};
		else if ((value = value_of(line, "Architecture")))
			package.architecture = value;
		else if ((value = value_of(line, "Version")))
			package.version = value;
		else if ((value = value_of(line, "Source")))
			package.source = value;
		if (value == package.source && value)
			package.source_version = cut_version(line + (value - line));
		if ((!*line || !*at) && package.name && package.version) {
			/* dpkg leaves out a source package with the name of the package. */
			if (!*package.source)
				package.source = package.name;
			if (!*package.source_version)
				package.source_version = package.version;
			err = add_package(files, &package);
			package = (struct package_file){0};
		}
	}
	if (!err && files->packages)
		qsort(files->packages, files->n_packages, sizeof(*files->packages), by_name);
	return err;
}

/* Finds the package whose list is NAME.list or NAME:ARCHITECTURE.list, or returns SIZE_MAX. */
static size_t find_package(const struct package_files *files, char *list)
{
	char *architecture = strchr(list, ':');
	size_t low = 0, high = files->n_packages, middle;

	list[strlen(list) - strlen(".list")] = '\0';
	if (architecture)
		*architecture++ = '\0';
	while (low < high) {
		middle = low + (high - low) / 2;
		if (strcmp(files->packages[middle].name, list) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < files->n_packages && !strcmp(files->packages[low].name, list); low++)
		if (!architecture || !strcmp(files->packages[low].architecture, architecture))
			return low;
	return SIZE_MAX;
}

static int read_list(struct package_files *files, int dir, char *name)
{
	size_t size = strlen(name), package;
	char *text, *at, *line;
	int fd, err;

	if (size <= strlen(".list") || strcmp(name + size - strlen(".list"), ".list") != 0)
		return 0;
	fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return 0;
	package = find_package(files, name);
	if (package == SIZE_MAX) {
		close(fd);
		return 0;
	}
	err = read_fd(fd, &text);
	if (!err)
		err = keep_text(files, text);
	for (at = text; !err && (line = next_line(&at));)
		err = add_owned(files, line, package);
	return err;
}

static int read_dpkg(struct package_files *files, const char *root)
{
	char path[PATH_MAX], *text;
	struct dirent *entry;
	DIR *dir;
	int fd, err;

	files->kind = "dpkg";
	snprintf(path, sizeof(path), "%s/var/lib/dpkg/status", root);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = read_fd(fd, &text);
	if (!err)
		err = read_status(files, text);
	if (err)
		return err;
	snprintf(path, sizeof(path), "%s/var/lib/dpkg/info", root);
	dir = opendir(path);
	if (!dir)
		return -errno;
	while (!err && (entry = readdir(dir)))
		err = read_list(files, dirfd(dir), entry->d_name);
	closedir(dir);
	return err;
}

/* ---- rpm ---- */

/* rpm prints a line for each file of each package, for read_rpm_line(). */
static const char RPM_FORMAT[] = "[%{=NAME}\\t%{=EPOCHNUM}:%{=VERSION}-%{=RELEASE}\\t%{=ARCH}\\t"
				 "%{=SOURCERPM}\\t%{FILENAMES}\\n]";

static int start_rpm(pid_t *ret_pid, int *ret_fd)
{
	char *const argv[] = {"rpm", "-qa", "--queryformat", (char *)RPM_FORMAT, NULL};
	posix_spawn_file_actions_t actions;
	int fds[2], err;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	err = posix_spawn_file_actions_init(&actions);
	if (!err) {
		err = posix_spawn_file_actions_adddup2(&actions, fds[1], STDOUT_FILENO);
		if (!err)
			err = posix_spawn_file_actions_addopen(
				&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
		if (!err)
			err = posix_spawnp(ret_pid, "rpm", &actions, NULL, argv, environ);
		posix_spawn_file_actions_destroy(&actions);
	}
	close(fds[1]);
	if (err)
		close(fds[0]);
	else
		*ret_fd = fds[0];
	return -err;
}

/* From NAME-VERSION-RELEASE.src.rpm cuts off the name, and returns the rest without its suffix. */
static const char *cut_source_rpm(char *source)
{
	static const char *const SUFFIXES[] = {".src.rpm", ".nosrc.rpm"};
	size_t size = strlen(source), suffix;
	char *release, *version;

	for (size_t i = 0; i < sizeof(SUFFIXES) / sizeof(SUFFIXES[0]); i++) {
		suffix = strlen(SUFFIXES[i]);
		if (size > suffix && !strcmp(source + size - suffix, SUFFIXES[i]))
			source[size - suffix] = '\0';
	}
	release = strrchr(source, '-');
	version = release && release > source ? memrchr(source, '-', release - source) : NULL;
	if (!version)
		return "";
	*version = '\0';
	return version + 1;
}

/* NAME, EPOCH:VERSION-RELEASE, ARCHITECTURE, SOURCERPM and a path, with tabs between them. */
static int read_rpm_line(struct package_files *files, char *line)
{
	struct package_file package = {.kind = "rpm"}, *last;
	char *fields[5], *at = line;

	for (size_t i = 0; i < 5; i++) {
		fields[i] = at;
		if (i == 4)
			break;
		at = strchr(at, '\t');
		if (!at)
			return 0;
		*at++ = '\0';
	}
	package.name = fields[0];
	package.version = strncmp(fields[1], "0:", 2) ? fields[1] : fields[1] + 2;
	package.architecture = fields[2];
	package.source = strcmp(fields[3], "(none)") != 0 ? fields[3] : "";
	package.source_version = *package.source ? cut_source_rpm(fields[3]) : "";
	last = files->n_packages ? &files->packages[files->n_packages - 1] : NULL;
	if (!last || strcmp(last->name, package.name) != 0 ||
		strcmp(last->version, package.version) != 0 ||
		strcmp(last->architecture, package.architecture) != 0) {
		if (add_package(files, &package))
			return -ENOMEM;
	}
	return add_owned(files, fields[4], files->n_packages - 1);
}

static int read_rpm(struct package_files *files)
{
	char *text, *at, *line;
	pid_t pid = -1;
	int fd = -1, status = 0, err = start_rpm(&pid, &fd);

	files->kind = "rpm";
	if (err)
		return err;
	err = read_fd(fd, &text);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!err)
		err = keep_text(files, text);
	for (at = text; !err && (line = next_line(&at));)
		err = read_rpm_line(files, line);
	return err ? err : !status && files->n_owned ? 0 : -ENOENT;
}

/* ---- Both ---- */

static int by_path(const void *a, const void *b)
{
	const struct owned *x = a, *y = b;

	return strcmp(x->path, y->path);
}

int package_files__open(struct package_files **ret, const char *root)
{
	struct package_files *files = calloc(1, sizeof(*files));
	int err = files ? read_dpkg(files, root) : -ENOMEM;

	*ret = NULL;
	/* dpkg may be installed as a tool, without packages. */
	if ((err == -ENOENT || (!err && !files->n_owned)) && !*root)
		err = read_rpm(files);
	if (err) {
		package_files__free(files);
		return err;
	}
	if (files->owned)
		qsort(files->owned, files->n_owned, sizeof(*files->owned), by_path);
	*ret = files;
	return 0;
}

void package_files__free(struct package_files *files)
{
	if (!files)
		return;
	for (size_t i = 0; i < files->n_texts; i++)
		free(files->texts[i]);
	free(files->texts);
	free(files->owned);
	free(files->packages);
	free(files);
}

static const struct owned *find_owned(const struct package_files *files, const char *path)
{
	const struct owned key = {.path = path};

	return files->n_owned ? bsearch(&key, files->owned, files->n_owned, sizeof(key), by_path)
			      : NULL;
}

int package_files__find(
	const struct package_files *files, const char *path, struct package_file *ret)
{
	const struct owned *owned = find_owned(files, path);

	if (!owned && !strncmp(path, "/usr/", strlen("/usr/")))
		owned = find_owned(files, path + strlen("/usr"));
	if (!owned)
		return -ENOENT;
	*ret = files->packages[owned->package];
	return 0;
}

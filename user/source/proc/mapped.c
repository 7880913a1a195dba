// SPDX-License-Identifier: GPL-2.0-only
/*
 * mapped: see mapped.h. Reads /proc/PID/maps: /proc/PID/map_files requires the exact range,
 * which a later munmap or mprotect of a part of it changes.
 */
#include "user/source/proc/mapped.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "user/parse/maps.h"
#include "user/source/proc/file.h"

static bool is_same_device(const struct map_line *line, const struct perfstamp_identity *identity)
{
	return line->dev_major == identity->dev_major && line->dev_minor == identity->dev_minor;
}

/*
 * Comparing inodes would suffice, except for overlays, which show another device and inode,
 * and for copies of equal content, which count as one file. For these the address is
 * compared. After an exec, the new file can be at the same address, but then it is the file
 * at the path, and its path has no " (deleted)".
 */
static bool is_of_file(const struct map_line *line, const struct mapped_file *file)
{
	const struct perfstamp_identity *identity = file->identity;

	if (!line->ino || !(line->prot & PROT_EXEC))
		return false;
	if (!identity)
		return true;
	if (identity->ino && line->ino == identity->ino && is_same_device(line, identity))
		return true;
	return line->start < file->addr + file->len && line->end > file->addr &&
	       (!identity->ino || !is_same_device(line, identity) || line->deleted ||
		       line->path_cut || strcmp(line->path, file->path) != 0);
}

static bool has_file(const char *text, size_t size, const struct mapped_file *file)
{
	struct map_line *line = malloc(sizeof(*line));
	const char *cursor = text;
	bool found = !line;
	int code;

	while (!found && (code = map_line__next(&cursor, text + size, line)) != 0)
		found = code < 0 || is_of_file(line, file);
	free(line);
	return found;
}

/*
 * Searches the maps of task @tid. Returns 1 if it maps the file, 0 if not, -ESRCH if it no
 * longer has memory, or another -errno.
 */
static int look(const struct mapped_file *file, pid_t tid)
{
	size_t size;
	char *text;
	int code = proc_file__read(&text, &size, "/proc/%d/task/%d/maps", file->pid, tid);

	if (code)
		return code == -ENOENT ? -ESRCH : code;
	code = !size ? -ESRCH : has_file(text, size, file);
	free(text);
	return code;
}

/* If the main thread has ended and others still run, they have the memory. */
static int look_at_others(const struct mapped_file *file)
{
	struct dirent *entry;
	int code = -ESRCH;
	char path[32];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", file->pid);
	dir = opendir(path);
	if (!dir)
		return errno == ENOENT ? -ESRCH : -errno;
	while (code == -ESRCH && (entry = readdir(dir)))
		if (isdigit((unsigned char)entry->d_name[0]))
			code = look(file, atoi(entry->d_name));
	closedir(dir);
	return code;
}

bool mapped_file__is(const struct mapped_file *file)
{
	int code = look(file, file->pid);

	if (code == -ESRCH)
		code = look_at_others(file);
	return code != 0 && code != -ESRCH;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks whether the file at a recorded path still has the recorded content, and reads its package
 * metadata. A path may be on a file system whose server does not answer, where open() blocks
 * forever. So a separate process does this, which can be abandoned. A part of push.
 */
#ifndef PERFSTAMP_CLI_PUSH_MAPPED_FILES_H
#define PERFSTAMP_CLI_PUSH_MAPPED_FILES_H

#include <stdbool.h>

#include "perfstamp/record.h"
#include "user/parse/elf/note.h"

struct mapped_files;

struct mapped_file {
	bool here;                  /* the content is at the path */
	char note[ELF_PACKAGE_MAX]; /* .note.package, or "" */
};

int mapped_files__new(struct mapped_files **ret); /* Returns 0 or -ENOMEM */
void mapped_files__free(struct mapped_files *files);
/* A recording begins: what did not answer before is asked again. */
void mapped_files__begin(struct mapped_files *files);
/* Whether @path is where a file has not answered, or too many have not. */
bool mapped_files__is_silent(const struct mapped_files *files, const char *path);
/* Whether a file has not answered since mapped_files__begin. */
bool mapped_files__any_silent(const struct mapped_files *files);

/* Looks at the file at @path. Finds nothing, with a warning, if the process does not answer. */
void mapped_files__look(struct mapped_files *files, const char *path,
	const struct perfstamp_identity *identity, struct mapped_file *ret);
/* Reads the package metadata of an open ELF file; "" if there is none. */
void mapped_files__read_note(int fd, char ret[ELF_PACKAGE_MAX]);
/* Whether the content of @fd is @identity, as far as the recording has it. */
bool mapped_files__is(int fd, const struct perfstamp_identity *identity);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks whether the file at a recorded path still has the recorded content, and reads its package
 * metadata. If the server of a file system does not respond, open() blocks forever. So a child
 * process does this, which can be abandoned. A part of push.
 */
#ifndef PERFSTAMP_CLI_PUSH_MAPPED_FILES_H
#define PERFSTAMP_CLI_PUSH_MAPPED_FILES_H

#include <stdbool.h>

#include "perfstamp/record.h"
#include "user/parse/elf/note.h"

struct mapped_files;

struct mapped_file {
	bool here;                  /* the path still has the content */
	char note[ELF_PACKAGE_MAX]; /* content of .note.package, or "" */
};

int mapped_files__new(struct mapped_files **ret); /* Returns 0 or -ENOMEM */
void mapped_files__free(struct mapped_files *files);
/* Begins a recording: directories that did not respond before are tried again. */
void mapped_files__begin(struct mapped_files *files);
/*
 * Whether files in this directory are skipped: one did not respond, or too many directories did
 * not.
 */
bool mapped_files__is_silent(const struct mapped_files *files, const char *path);
/* Whether any file did not respond since mapped_files__begin(). */
bool mapped_files__any_silent(const struct mapped_files *files);

/* Examines the file at @path. If it does not respond, warns and finds nothing. */
void mapped_files__look(struct mapped_files *files, const char *path,
	const struct perfstamp_identity *identity, struct mapped_file *ret);
/* Reads the package metadata of an open ELF file; "" if there is none. */
void mapped_files__read_note(int fd, char ret[ELF_PACKAGE_MAX]);
/* Whether @fd has the content of @identity, as far as the recording identifies it. */
bool mapped_files__is(int fd, const struct perfstamp_identity *identity);

#endif

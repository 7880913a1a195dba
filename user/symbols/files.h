/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the files from which the symbols of one DSO can be read: files with the identity of the
 * DSO. A part of symbols.c, for its child's use only, because it opens ELF files of any content.
 */
#ifndef PERFSTAMP_STORE_SYMBOLS_FILES_H
#define PERFSTAMP_STORE_SYMBOLS_FILES_H

#include <libelf.h>
#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "user/symbols/query.h"

struct symbols_file {
	int fd;   /* -1: not open */
	Elf *elf; /* of the decompressed content, if the file is compressed */
	char path[PATH_MAX];
	struct stat st;
};

struct symbols_files {
	struct symbols_file content;  /* the DSO itself */
	struct symbols_file debug;    /* a file with its debug information, or with symbols only */
	struct symbols_file skeleton; /* the captured symbols, used if there is no content */
	bool no_code;                 /* .content is a skeleton, with holes for code */
	enum symbol_lack lack;        /* why there is no content */
	/* the request failed; not just an answer that there is no such file */
	bool server_failed;
	bool unproven;               /* the file was used without an identity (.force) */
	char said[SYMBOLS_SAID_MAX]; /* a warning: of a server, or of an unused file */
};

/* Finds the files on this machine. */
void symbols_files__find(struct symbols_files *ret, const struct symbols_options *options,
	const struct symbols_dso *dso);
/* Requests the missing files from servers. */
void symbols_files__fetch(struct symbols_files *files, const struct symbols_options *options,
	const struct symbols_dso *dso);
/* Requests only the DSO itself, if it is missing. */
void symbols_files__fetch_content(struct symbols_files *files,
	const struct symbols_options *options, const struct symbols_dso *dso);
/* Whether the files were not written to since they were opened. */
bool symbols_files__are_unchanged(const struct symbols_files *files);
/* Whether @elf has a section of this type (and name) with content, header and data. */
bool symbols_files__has_section(Elf *elf, unsigned int type, const char *name);

#endif

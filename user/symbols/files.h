/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files that one DSO's symbols can be read from: those whose identity is the
 * DSO's. A part of symbols.c, for its child's use only: it opens ELF files of any
 * content.
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
	Elf *elf; /* of what is decompressed, where the file is compressed */
	char path[PATH_MAX];
	struct stat st;
};

struct symbols_files {
	struct symbols_file content; /* the DSO itself */
	struct symbols_file debug;   /* its debug information, or nothing but its symbols */
	struct symbols_file
		skeleton;      /* the captured symbols of the DSO: used if there is no content */
	bool no_code;          /* .content is a skeleton, with holes for code */
	enum symbol_lack lack; /* why there is no content */
	bool server_failed;    /* it did not just say that it has none */
	bool unproven;         /* it was taken by force */
	char said[SYMBOLS_SAID_MAX]; /* by a debuginfod or its library */
};

/* Finds what there is on this machine. */
void symbols_files__find(struct symbols_files *ret, const struct symbols_options *options,
	const struct symbols_dso *dso);
/* Asks the servers for what is still missing. */
void symbols_files__fetch(struct symbols_files *files, const struct symbols_options *options,
	const struct symbols_dso *dso);
/* Requests only the DSO itself, if it is missing. */
void symbols_files__fetch_content(struct symbols_files *files,
	const struct symbols_options *options, const struct symbols_dso *dso);
/* Whether they are unwritten meanwhile. */
bool symbols_files__are_unchanged(const struct symbols_files *files);
/* Whether @elf has a section of this type with content; its header and data, too. */
bool symbols_files__has_section(Elf *elf, unsigned int type, const char *name);

#endif

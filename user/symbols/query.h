/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests about a DSO, with their limits, and answers: shared by the requesting side and
 * the child that reads files. Does not know either.
 */
#ifndef PERFSTAMP_SYMBOLS_QUERY_H
#define PERFSTAMP_SYMBOLS_QUERY_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfstamp/record.h"
#include "user/model/model.h"
#include "user/model/profile/symbol.h"

#define SYMBOLS_SAID_MAX 256 /* bytes of a warning, with a NUL */

/* Limits of a child for one DSO. */
#define SYMBOLS_SECONDS_MAX 120         /* of CPU time */
#define SYMBOLS_MEMORY_MAX (4ull << 30) /* bytes */
/* How long to wait for an answer: a disk or a server may be slow. */
#define SYMBOLS_SILENCE_MS (10 * SYMBOLS_SECONDS_MAX * 1000)

struct symbols_dso {
	const char *path;
	const struct perfstamp_identity *identity;
	enum model_text text; /* USER, KERNEL or MODULE: determines where offsets begin */
	bool shared;          /* other contents were recorded with its build-id */
	uint64_t map_pgoff;   /* USER: a mapping of it, which locates the text of a debug file */
	uint64_t map_len;
	const char *reference; /* KERNEL: the symbol from which offsets count, or NULL */
	const char *osrelease; /* KERNEL, or NULL */
	bool this_kernel;      /* KERNEL: it is the running kernel */
};

struct symbols_options {
	const char *store;    /* directory; NULL: none */
	const char *embedded; /* the same for the recording's own bundle */
	const char *kallsyms; /* the recorded kernel's, from the recording; or NULL */
	const char *symfs;    /* directory that stands for / in the paths of DSOs; or NULL */
	const char *vmlinux;  /* a file that may be the recorded kernel's; or NULL */
	bool lines;           /* also file and line */
	bool sources;         /* with .lines: also the whole source path */
	bool inlined;         /* also inlined functions, from debug information */
	/* No names: only the addresses in the file, and its htlhash. No symbol table is read. */
	bool addresses_only;
	bool demangle;
	bool debuginfod; /* ask the servers in DEBUGINFOD_URLS */
	bool force;      /* use the file at the path if no identity is known */
	/* Called while a file is fetched; may be NULL. */
	void (*progress)(void *ctx, const char *what, long done, long total);
	void *ctx;
};

struct symbol {
	char *name;    /* NULL: there is none */
	char *srcline; /* "file.c:12"; NULL: not known */
	struct symbol_source source;
	char **inlined; /* functions inlined there, the outermost first */
	size_t n_inlined;
	struct symbol_call *calls; /* the call of each of these, with .sources; otherwise NULL */
	uint64_t address;          /* address in the file, as its symbols have it */
	bool has_address;
	enum symbol_origin origin;
	enum symbol_lack lack;
};

/* Results for the DSO as a whole. */
struct symbols_outcome {
	enum symbol_lack lack;       /* why some addresses have no name; NOTHING: all have one */
	bool server_failed;          /* another request would take as long */
	bool unproven;               /* the file was used without an identity (.force) */
	struct symbol_file read;     /* the DSO itself, as far as it was found */
	char file[PATH_MAX];         /* the file that was read; "": none */
	char said[SYMBOLS_SAID_MAX]; /* error text of a server or the library, or "" */
};

#endif

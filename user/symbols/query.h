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

#define SYMBOLS_SAID_MAX 256 /* bytes of what a server or its library said, with a NUL */

/* What a child may take for one DSO. */
#define SYMBOLS_SECONDS_MAX 120         /* of CPU time */
#define SYMBOLS_MEMORY_MAX (4ull << 30) /* bytes */
/* How long it may take without an answer, because a disk or a server may be slow. */
#define SYMBOLS_SILENCE_MS (10 * SYMBOLS_SECONDS_MAX * 1000)

struct symbols_dso {
	const char *path;
	const struct perfstamp_identity *identity;
	enum model_text text; /* USER, KERNEL or MODULE: what offsets count from */
	bool shared;          /* other contents came with its build-id */
	uint64_t map_pgoff;   /* USER: of a mapping of it, by which a debug file alone is placed */
	uint64_t map_len;
	const char *reference; /* KERNEL: the symbol that offsets count from, or NULL */
	const char *osrelease; /* KERNEL, or NULL */
	bool this_kernel;      /* KERNEL: it is the one that runs now */
};

struct symbols_options {
	const char *store;    /* directory; NULL: none */
	const char *embedded; /* the same, of what is in the recording itself */
	const char
		*kallsyms; /* of the kernel that was recorded, which is in the recording; or NULL */
	const char *symfs; /* directory that stands for / in the paths of DSOs; or NULL */
	const char *vmlinux; /* a file that may be the recorded kernel's; or NULL */
	bool lines;          /* file and line, too */
	bool sources;        /* with lines: the whole of the source, too */
	bool inlined;        /* inlined functions, too, where there is debug information */
	/* No names: the addresses in the file, and its htlhash, for which no table is read. */
	bool addresses_only;
	bool demangle;
	bool debuginfod; /* ask the servers in DEBUGINFOD_URLS */
	bool force;      /* take the file at the path where no identity is known */
	/* Called while a file is fetched; NULL: it is not called. */
	void (*progress)(void *ctx, const char *what, long done, long total);
	void *ctx;
};

struct symbol {
	char *name;    /* NULL: none */
	char *srcline; /* "file.c:12"; NULL: not known */
	struct symbol_source source;
	char **inlined; /* the functions that were inlined there, the outermost first */
	size_t n_inlined;
	struct symbol_call *calls; /* of each of these, with .sources; else NULL */
	uint64_t address;          /* in the file, as its symbols have it */
	bool has_address;
	enum symbol_origin origin;
	enum symbol_lack lack;
};

/* What was found of a DSO as a whole. */
struct symbols_outcome {
	enum symbol_lack lack;       /* why some have no name; NOTHING: all have one */
	bool server_failed;          /* to ask it again would take as long */
	bool unproven;               /* by force: what it has was taken without an identity */
	struct symbol_file read;     /* of the DSO itself, as far as that was found */
	char file[PATH_MAX];         /* what it was read from; "": nothing */
	char said[SYMBOLS_SAID_MAX]; /* error text of a server or the library, or "" */
};

#endif

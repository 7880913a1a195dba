/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The result of resolving an address: the function, the origin of its name or the reason why it has
 * none, and its source. Only data; does not know how it is found.
 */
#ifndef PERFSTAMP_MODEL_SYMBOL_H
#define PERFSTAMP_MODEL_SYMBOL_H

#include <stdbool.h>
#include <stdint.h>

#define SYMBOL_MD5_SIZE 16

/* The origin of a name, the best first. */
enum symbol_origin {
	SYMBOL_NONE,
	SYMBOL_DEBUG_FILE, /* .symtab of a debug file */
	SYMBOL_SYMTAB,
	SYMBOL_MINIDEBUG, /* .gnu_debugdata */
	SYMBOL_DYNSYM,
	SYMBOL_PLT, /* the stub of a relocation */
	SYMBOL_KALLSYMS,
	SYMBOL_RECORDED, /* a KSYMBOL record */
	SYMBOL_JITDUMP,  /* its process wrote the name, with the time */
	SYMBOL_PERF_MAP, /* its process wrote the name; the file was read while it was written */
	SYMBOL_ORIGINS,
};

/* The reason why there is no name. */
enum symbol_lack {
	SYMBOL_LACKS_NOTHING,
	SYMBOL_LACKS_MAPPING,    /* the address was in no mapping */
	SYMBOL_LACKS_CONTENT,    /* memory without a file: code made at run time */
	SYMBOL_LACKS_IDENTITY,   /* the recording has no identity for the mapping */
	SYMBOL_LACKS_FILE,       /* no file with this identity was found */
	SYMBOL_LACKS_SAME_FILE,  /* the file now at the path has another identity */
	SYMBOL_LACKS_TABLE,      /* the file is stripped, and there is no debug file */
	SYMBOL_LACKS_ENTRY,      /* there are symbols, but none at this address */
	SYMBOL_LACKS_FORMAT,     /* it is not a valid ELF file */
	SYMBOL_LACKS_TIME,       /* reading the file took too long */
	SYMBOL_LACKS_READER,     /* the file is malformed: the reader process ended */
	SYMBOL_LACKS_PERMISSION, /* the file exists, but cannot be opened */
	SYMBOL_LACKS_DECISION,   /* code made at run time: its name changed at about this time */
	SYMBOL_LACKS_NAME_THEN,  /* code made at run time: only later code has a name there */
	SYMBOL_LACKS,
};

/* The source of an address, from debug information. */
struct symbol_source {
	char *path; /* as passed to the compiler, with its directory; NULL: not known */
	uint32_t line;
	bool has_md5;
	uint8_t md5[SYMBOL_MD5_SIZE]; /* of the source file when it was compiled */
};

#define SYMBOL_HTLHASH_SIZE 16

/* The file of a DSO. */
struct symbol_file {
	bool has_htlhash;
	uint8_t htlhash[SYMBOL_HTLHASH_SIZE]; /* see user/symbols/elf/htlhash.h */
	bool has_base;
	uint64_t base; /* its lowest address: the page of its first segment */
};

/* The place of the call of an inlined function, in the function that contains it. */
struct symbol_call {
	char *path;    /* see struct symbol_source; NULL: not known */
	uint32_t line; /* 0: not known */
};

#endif

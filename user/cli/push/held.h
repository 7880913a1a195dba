/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files that this machine could not read at the last try, so that those after them can be sent
 * meanwhile. Each is tried again after some time, which doubles while one of them fails. Knows
 * files by inode and modification time; reads neither files nor clocks. A part of push.
 */
#ifndef PERFSTAMP_CLI_PUSH_HELD_H
#define PERFSTAMP_CLI_PUSH_HELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

struct held_file {
	ino_t inode;
	struct timespec mtime;
	bool due; /* it is to be tried now */
};

/* Begins zeroed. */
struct held_files {
	struct held_file *v;
	size_t n;
	size_t room;
	unsigned int wait_s;
	uint64_t again_ns; /* when all are due; 0: none waits */
};

void held_files__free(struct held_files *held);
/* Whether the file is to be passed over now. */
bool held_files__has(const struct held_files *held, const struct stat *st);
/*
 * Adds a file that could not be read at @now_ns. *@ret_new: it was not held before. The longest
 * wait is @max_s. Returns 0 or -ENOMEM.
 */
int held_files__add(struct held_files *held, const struct stat *st, uint64_t now_ns,
	unsigned int max_s, bool *ret_new);
/* The file was read. */
void held_files__remove(struct held_files *held, const struct stat *st);
/* Makes all due whose time has come. */
void held_files__update(struct held_files *held, uint64_t now_ns);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files that this machine could not read at the last attempt, so that later files are sent
 * meanwhile. Each is tried again after a wait, which doubles while one of them fails. Knows files
 * by inode and modification time. Reads neither files nor clocks. A part of push.
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
	bool due; /* it can be tried now */
};

/* Initialize it with zeros. */
struct held_files {
	struct held_file *v;
	size_t n;
	size_t room;
	unsigned int wait_s;
	uint64_t again_ns; /* the time of the next attempt; 0: no file waits */
};

void held_files__free(struct held_files *held);
/* Whether the file has to be skipped now. */
bool held_files__has(const struct held_files *held, const struct stat *st);
/*
 * Adds a file that could not be read at @now_ns. Sets *@ret_new if it is a new entry. @max_s limits
 * the wait. Returns 0 or -ENOMEM.
 */
int held_files__add(struct held_files *held, const struct stat *st, uint64_t now_ns,
	unsigned int max_s, bool *ret_new);
/* Removes a file, after it was read. */
void held_files__remove(struct held_files *held, const struct stat *st);
/* At the time of the next attempt, marks all files as due. */
void held_files__update(struct held_files *held, uint64_t now_ns);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* A file that is made anew and held against the golden one: for who includes cmocka.h. */
#ifndef PERFSTAMP_TESTS_GOLDEN_FIXTURE_H
#define PERFSTAMP_TESTS_GOLDEN_FIXTURE_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * @make writes to the descriptor that it gets what the file at @path has; at most 64 KiB. With
 * PERFSTAMP_GOLDEN_WRITE in the environment it writes that file.
 */
static inline void golden__compare(const char *path, void (*make)(int fd))
{
	bool write = getenv("PERFSTAMP_GOLDEN_WRITE");
	int fd = write ? open(path, O_RDWR | O_CREAT | O_TRUNC, 0644) : memfd_create("golden", 0);
	static char made[65536], golden[65536];
	ssize_t n_made, n_golden;
	FILE *file;

	if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
		skip();
	assert_true(fd >= 0);
	make(fd);
	n_made = pread(fd, made, sizeof(made), 0);
	close(fd);
	file = fopen(path, "rb");
	assert_non_null(file);
	n_golden = fread(golden, 1, sizeof(golden), file);
	fclose(file);
	assert_int_equal(n_made, n_golden);
	assert_memory_equal(made, golden, n_made);
}

#endif

// SPDX-License-Identifier: GPL-2.0-only
/* See htlhash.h. */
#include "user/symbols/elf/htlhash.h"

#include <endian.h>
#include <errno.h>
#include <nettle/sha2.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/model/profile/symbol.h"

#define END_SIZE 4096 /* bytes of the file at either end; they may overlap */

static int add(struct sha256_ctx *sha, int fd, uint64_t offset, uint64_t size)
{
	uint8_t bytes[END_SIZE];
	ssize_t n = pread(fd, bytes, size, (off_t)offset);

	if (n < 0 || (uint64_t)n != size)
		return n < 0 ? -errno : -EIO;
	sha256_update(sha, size, bytes);
	return 0;
}

int htlhash__of_file(int fd, uint8_t *ret)
{
	struct sha256_ctx sha;
	uint64_t size, end;
	struct stat st;
	int err;

	if (fstat(fd, &st))
		return -errno;
	end = st.st_size < END_SIZE ? (uint64_t)st.st_size : END_SIZE;
	sha256_init(&sha);
	err = add(&sha, fd, 0, end);
	if (!err)
		err = add(&sha, fd, (uint64_t)st.st_size - end, end);
	if (err)
		return err;
	size = htobe64((uint64_t)st.st_size);
	sha256_update(&sha, sizeof(size), (const uint8_t *)&size);
	sha256_digest(&sha, SYMBOL_HTLHASH_SIZE, ret);
	return 0;
}

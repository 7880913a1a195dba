// SPDX-License-Identifier: GPL-2.0-only
/* See digest.h. */
#include "user/store/files/digest.h"

#include <endian.h>
#include <errno.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "perfstamp/cookie.h"
#include "user/event/identity.h"
#include "user/io/whole.h"
#include "user/parse/elf/build_id.h"
#include "user/store/files/copy.h"
#include "user/store/files/inside.h"

#define CHUNK 65536
#define HTLHASH_PART 4096

static int take_cookie(int fd, struct perfstamp_identity *identity)
{
	uint64_t words[PERFSTAMP_COOKIE_WORDS] = {0};
	ssize_t n = whole__pread(fd, words, sizeof(words), 0);

	if (n < 0)
		return n;
	if ((size_t)n < sizeof(words) && (uint64_t)n < identity->file_size)
		return -EIO;
	perfstamp_cookie((const __u64 *)words, identity->file_size, identity->cookie);
	identity->cookie_size = PERFSTAMP_COOKIE_V1_SIZE;
	return 0;
}

static uint8_t reason_of(int code)
{
	switch (code) {
	case -ENOEXEC:
		return PERFSTAMP_REASON_NOT_ELF;
	case -ENODATA:
		return PERFSTAMP_REASON_NO_NOTE;
	case -E2BIG:
		return PERFSTAMP_REASON_TOO_LONG;
	default:
		return PERFSTAMP_REASON_MALFORMED;
	}
}

int digest__identity(int fd, struct perfstamp_identity *ret)
{
	struct stat st;
	int n;

	memset(ret, 0, sizeof(*ret));
	if (fstat(fd, &st) < 0)
		return -errno;
	ret->file_size = st.st_size;
	ret->source = PERFSTAMP_SOURCE_USER;
	n = elf_build_id__read(whole__read_exactly, &fd, ret->build_id);
	if (n == -EIO || n == -ENOMEM)
		return n;
	if (n > 0)
		ret->build_id_size = n;
	else
		ret->reason = reason_of(n);
	return take_cookie(fd, ret);
}

bool digest__is_same(const struct perfstamp_identity *a, const struct perfstamp_identity *b)
{
	return identity__same_build_id(a, b) && identity__same_cookie(a, b);
}

int digest__sha256(int fd, uint8_t ret[DIGEST_SIZE])
{
	uint8_t *chunk = malloc(CHUNK);
	struct sha256_ctx sha;
	off_t offset = 0;
	ssize_t n = chunk ? 0 : -ENOMEM;

	sha256_init(&sha);
	while (chunk && (n = whole__pread(fd, chunk, CHUNK, offset)) > 0) {
		sha256_update(&sha, n, chunk);
		offset += n;
	}
	sha256_digest(&sha, DIGEST_SIZE, ret);
	free(chunk);
	return n < 0 ? (int)n : 0;
}

int digest__htlhash(int fd, uint8_t ret[HTLHASH_SIZE])
{
	uint8_t part[HTLHASH_PART];
	struct sha256_ctx sha;
	struct stat st;
	uint64_t size;
	ssize_t n;

	if (fstat(fd, &st) < 0)
		return -errno;
	sha256_init(&sha);
	n = whole__pread(fd, part, sizeof(part), 0);
	if (n < 0)
		return n;
	sha256_update(&sha, n, part);
	n = whole__pread(
		fd, part, sizeof(part), st.st_size > HTLHASH_PART ? st.st_size - HTLHASH_PART : 0);
	if (n < 0)
		return n;
	sha256_update(&sha, n, part);
	size = htobe64(st.st_size);
	sha256_update(&sha, sizeof(size), (const uint8_t *)&size);
	sha256_digest(&sha, HTLHASH_SIZE, ret);
	return 0;
}

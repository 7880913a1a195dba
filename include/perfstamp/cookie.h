/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * Cookie v1: the stand-in identity of content without a build-id. The tag byte
 * 0x01, then the 16 bytes of MurmurHash3_x64_128 (seed 0; Austin Appleby, public
 * domain) over the first 4,096 bytes, zero-padded, followed by the file size as
 * 8 little-endian bytes. Anyone can recompute it from the file: docs/format.md
 * has test vectors.
 *
 * BPF programs and user space include this, so it is one loop over words, with
 * bounds that a verifier can see, and calls nothing.
 */
#ifndef PERFSTAMP_COOKIE_H
#define PERFSTAMP_COOKIE_H

#include "perfstamp/record.h"

#define PERFSTAMP_COOKIE_V1 0x01
#define PERFSTAMP_COOKIE_V1_SIZE 17   /* bytes */
#define PERFSTAMP_COOKIE_CONTENT 4096 /* bytes of the file that are hashed */
#define PERFSTAMP_COOKIE_WORDS (PERFSTAMP_COOKIE_CONTENT / 8)

#define PERFSTAMP_ROTATE(x, by) (((x) << (by)) | ((x) >> (64 - (by))))

static inline __u64 perfstamp_cookie_finalize(__u64 k)
{
	k ^= k >> 33;
	k *= 0xff51afd7ed558ccdull;
	k ^= k >> 33;
	k *= 0xc4ceb9fe1a85ec53ull;
	k ^= k >> 33;
	return k;
}

static inline __u64 perfstamp_cookie_mix1(__u64 k)
{
	k *= 0x87c37b91114253d5ull;
	k = PERFSTAMP_ROTATE(k, 31);
	return k * 0x4cf5ad432745937full;
}

static inline __u64 perfstamp_cookie_mix2(__u64 k)
{
	k *= 0x4cf5ad432745937full;
	k = PERFSTAMP_ROTATE(k, 33);
	return k * 0x87c37b91114253d5ull;
}

static inline __u64 perfstamp_cookie_word(__u64 word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return __builtin_bswap64(word);
#else
	return word;
#endif
}

/* Adds @n words (an even number) to the state @h, which begins with zeros. */
static inline void perfstamp_cookie_words(__u64 h[2], const __u64 *words, int n)
{
	__u64 h1 = h[0], h2 = h[1];
	int i;

	for (i = 0; i < n; i += 2) {
		h1 ^= perfstamp_cookie_mix1(perfstamp_cookie_word(words[i]));
		h1 = PERFSTAMP_ROTATE(h1, 27) + h2;
		h1 = h1 * 5 + 0x52dce729;
		h2 ^= perfstamp_cookie_mix2(perfstamp_cookie_word(words[i + 1]));
		h2 = PERFSTAMP_ROTATE(h2, 31) + h1;
		h2 = h2 * 5 + 0x38495ab5;
	}
	h[0] = h1;
	h[1] = h2;
}

/* The cookie of a file of @file_size bytes, from the state after all its words. */
static inline void perfstamp_cookie_end(
	const __u64 h[2], __u64 file_size, __u8 ret_cookie[PERFSTAMP_COOKIE_MAX])
{
	const __u64 total = PERFSTAMP_COOKIE_CONTENT + 8;
	__u64 h1 = h[0], h2 = h[1];
	int i;

	/* The tail of 8 bytes is the size; it only affects k1. */
	h1 ^= perfstamp_cookie_mix1(file_size);

	h1 ^= total;
	h2 ^= total;
	h1 += h2;
	h2 += h1;
	h1 = perfstamp_cookie_finalize(h1);
	h2 = perfstamp_cookie_finalize(h2);
	h1 += h2;
	h2 += h1;

	ret_cookie[0] = PERFSTAMP_COOKIE_V1;
	for (i = 0; i < 8; i++) {
		ret_cookie[1 + i] = (__u8)(h1 >> (8 * i));
		ret_cookie[9 + i] = (__u8)(h2 >> (8 * i));
	}
}

/*
 * The cookie of a file of @file_size bytes whose first PERFSTAMP_COOKIE_CONTENT
 * bytes, zero-padded, are the PERFSTAMP_COOKIE_WORDS words at @content. Writes
 * PERFSTAMP_COOKIE_V1_SIZE bytes to @ret_cookie.
 */
static inline void perfstamp_cookie(
	const __u64 *content, __u64 file_size, __u8 ret_cookie[PERFSTAMP_COOKIE_MAX])
{
	__u64 h[2] = {0, 0};

	perfstamp_cookie_words(h, content, PERFSTAMP_COOKIE_WORDS);
	perfstamp_cookie_end(h, file_size, ret_cookie);
}

#endif

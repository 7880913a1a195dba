// SPDX-License-Identifier: GPL-2.0-only
/* See keyed_hash.h. Uses the finalizer of MurmurHash3, with a secret key. */
#include "user/base/keyed_hash.h"

#include <string.h>
#include <sys/random.h>

static uint64_t secret[2];

static void __attribute__((constructor)) make_secret(void)
{
	/* Without a random key, the tables work as they would with a fixed key. */
	if (getrandom(secret, sizeof(secret), GRND_NONBLOCK) < 0)
		memset(secret, 0x5a, sizeof(secret));
}

static uint64_t mix(uint64_t word)
{
	word = (word ^ word >> 33) * 0xff51afd7ed558ccdull;
	word = (word ^ word >> 33) * 0xc4ceb9fe1a85ec53ull;
	return word ^ word >> 33;
}

uint32_t keyed_hash__of(const void *bytes, size_t size)
{
	uint64_t hash = secret[0] + size, word;
	const uint8_t *at = bytes;

	for (; size >= sizeof(word); size -= sizeof(word), at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		hash = mix(hash ^ word) + secret[1];
	}
	word = 0;
	memcpy(&word, at, size);
	return (uint32_t)mix(hash ^ word);
}

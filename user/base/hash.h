/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * uthash, set up so that a failed allocation is an error and does not end the program. After an
 * add, hash__added() returns whether the element was added. Every file includes this header instead
 * of <uthash.h>.
 */
#ifndef PERFSTAMP_BASE_HASH_H
#define PERFSTAMP_BASE_HASH_H

#define HASH_NONFATAL_OOM 1

#include "user/base/keyed_hash.h"

/* Keys are untrusted: the author of a file chooses them. */
#define HASH_FUNCTION(key, size, hashv) ((hashv) = keyed_hash__of(key, size))
#include <uthash.h>

#define hash__added(element) ((element)->hh.tbl != NULL)

/* Frees the elements of the table @head, which own no other memory; the table is empty then. */
#define hash__free(head)                                                                           \
	do {                                                                                       \
		__typeof__(head) element_, next_;                                                  \
                                                                                                   \
		HASH_ITER (hh, head, element_, next_) {                                            \
			HASH_DEL(head, element_);                                                  \
			free(element_);                                                            \
		}                                                                                  \
	} while (0)

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The share of samples whose address has a known identity, in a few words, with the reasons for the
 * others. Pure.
 *
 * A sample counts as identified if its address is in a mapping with a build-id or a cookie, in a
 * kernel image or module with a build-id, or in a BPF program, whose tag is its identity. Memory
 * without a file (JIT code) and trampolines have no identity.
 */
#ifndef PERFSTAMP_VIEW_HEADLINE_H
#define PERFSTAMP_VIEW_HEADLINE_H

#include <stddef.h>
#include <stdint.h>

#include "user/model/model.h"

#define HEADLINE_MAX 512 /* size of each of these texts */

/* Returns the number of samples with an identity. */
uint64_t headline__identified(const struct model_ledger *ledger);

/* "100%" only if nothing is missing; otherwise rounded down: "99.9%". @whole is not 0. */
void headline__share(char *text, size_t size, uint64_t part, uint64_t whole);

/*
 * Writes where the samples without an identity are: "2 not mapped, 1 in anonymous memory"; or "".
 */
void headline__missing(char *text, size_t size, const struct model_ledger *ledger);

/*
 * Writes the whole sentence: "99.2% of 331 samples identified; the others: 2 not mapped". Writes ""
 * if there are no samples.
 */
void headline__text(char *text, size_t size, const struct model_ledger *ledger);

/*
 * Writes the losses, their share and the remedy, for a warning of a report; "" if nothing was lost.
 * @stamp: the recording's own lines, which have the causes; NULL: there are none.
 */
void headline__lost(char *text, size_t size, const struct model_ledger *ledger, const char *stamp,
	size_t stamp_size);

#endif

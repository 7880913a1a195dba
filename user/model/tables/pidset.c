// SPDX-License-Identifier: GPL-2.0-only
/*
 * pidset: see pidset.h. If a shell starts a million commands, the sighting of libc has a million
 * pids. As bits they take 512 KiB at most. The many sightings with few processes take a few bytes
 * each.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/model/tables/pidset.h"

#define LINE 16    /* slots */
#define SCANNED 16 /* up to this number, a search scans the list */
/* The number of slots that take as much memory as the bits. */
#define SLOTS_MAX (PIDSET_PID_LIMIT / 8 / 4)

static size_t slot_of(const struct pidset *set, uint32_t pid)
{
	size_t i = (pid * 2654435761u) & (set->n_slots - 1);

	while (set->slots[i] && set->slots[i] != pid)
		i = (i + 1) & (set->n_slots - 1);
	return i;
}

static void set_bit(uint8_t *bits, uint32_t pid)
{
	bits[pid / 8] |= 1u << (pid % 8);
}

static int become_bits(struct pidset *set)
{
	uint8_t *bits = calloc(1, PIDSET_PID_LIMIT / 8);

	if (!bits)
		return -ENOMEM;
	for (size_t i = 0; i < set->n_slots; i++)
		if (set->slots[i])
			set_bit(bits, set->slots[i]);
	free(set->slots);
	set->slots = NULL;
	set->n_slots = 0;
	set->bits = bits;
	return 0;
}

/* Doubles the slots, or replaces them by the bits. */
static int grow_slots(struct pidset *set)
{
	size_t n_old = set->n_slots;
	uint32_t *old = set->slots;
	uint32_t *slots;

	if (n_old * 2 > SLOTS_MAX)
		return become_bits(set);
	slots = calloc(n_old ? n_old * 2 : SCANNED * 4, sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	set->n_slots = n_old ? n_old * 2 : SCANNED * 4;
	set->slots = slots;
	for (size_t i = 0; i < n_old; i++)
		if (old[i])
			slots[slot_of(set, old[i])] = old[i];
	if (!n_old)
		for (size_t i = 0; i < set->n; i++)
			slots[slot_of(set, set->list[i])] = set->list[i];
	free(old);
	return 0;
}

static int append_listed(struct pidset *set, uint32_t pid)
{
	if (set->n >= PIDSET_LISTED)
		return 0;
	if (array__extend(&set->list, set->n, sizeof(*set->list)))
		return -ENOMEM;
	set->list[set->n] = pid;
	return 0;
}

int pidset__add(struct pidset *set, uint32_t pid)
{
	int err;

	if (!pid || pid >= PIDSET_PID_LIMIT || pid == set->newest)
		return 0;
	set->newest = pid;
	if (!set->slots && !set->bits) {
		for (size_t i = 0; i < set->n; i++)
			if (set->list[i] == pid)
				return 0;
	} else if (set->slots) {
		if (set->slots[slot_of(set, pid)] == pid)
			return 0;
	} else if (set->bits[pid / 8] & (1u << (pid % 8))) {
		return 0;
	}
	if (!set->bits && set->n >= (set->slots ? set->n_slots / 2 : SCANNED)) {
		err = grow_slots(set);
		if (err)
			return err;
	}
	err = append_listed(set, pid);
	if (err)
		return err;
	if (set->slots)
		set->slots[slot_of(set, pid)] = pid;
	else if (set->bits)
		set_bit(set->bits, pid);
	set->n++;
	return 0;
}

void pidset__free(struct pidset *set)
{
	free(set->list);
	free(set->slots);
	free(set->bits);
	memset(set, 0, sizeof(*set));
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Map records lost because the ring was full: sums by cgroup, of the current file, with the
 * paths of the cgroups. Knows neither causes nor times.
 */
#ifndef PERFSTAMP_RECORD_LOSS_OWNERS_H
#define PERFSTAMP_RECORD_LOSS_OWNERS_H

#include <stddef.h>
#include <stdint.h>

/* Beyond this number of cgroups, losses of all others are summed together. */
#define LOSS_OWNERS_MAX 256

struct bpf_source;
struct cgroup_paths;

struct loss_owner {
	uint64_t id;      /* id of the cgroup; 0: all others */
	uint64_t n;       /* number of records */
	const char *path; /* path of the cgroup; NULL: it was removed, or these are the others */
};

struct loss_owners {
	struct loss_owner owners[LOSS_OWNERS_MAX + 1];
	size_t n;
	uint64_t lost; /* number of all records */
};

void loss_owners__free(struct loss_owners *owners);

/*
 * Adds the counts by cgroup in @bpf since the last call. Call it before the total is read,
 * because a flood may increase the counts at any time. @paths may be NULL.
 */
void loss_owners__take(
	struct loss_owners *owners, struct bpf_source *bpf, const struct cgroup_paths *paths);
/*
 * Adds @lost new records to the total. Those that are not counted by cgroup are counted for
 * the others.
 */
void loss_owners__add(struct loss_owners *owners, uint64_t lost);
/* Resets the sums for the next file. */
void loss_owners__clear(struct loss_owners *owners);

#endif

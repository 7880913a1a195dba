/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whose records the ring of map records had no room for: sums by cgroup, of the file that is
 * written now, with the paths that the cgroups had. Knows neither causes nor times.
 */
#ifndef PERFSTAMP_RECORD_LOSS_OWNERS_H
#define PERFSTAMP_RECORD_LOSS_OWNERS_H

#include <stddef.h>
#include <stdint.h>

/* Beyond so many cgroups, what is lost is summed for all others together. */
#define LOSS_OWNERS_MAX 256

struct bpf_source;
struct cgroup_paths;

struct loss_owner {
	uint64_t id;      /* of the cgroup; 0: of all others */
	uint64_t n;       /* records */
	const char *path; /* of the cgroup; NULL: it is gone, or these are the others */
};

struct loss_owners {
	struct loss_owner owners[LOSS_OWNERS_MAX + 1];
	size_t n;
	uint64_t lost; /* records, of all */
};

void loss_owners__free(struct loss_owners *owners);

/*
 * Takes what @bpf has counted by cgroup since the last call. Call it before the sum of all is read:
 * of a flood that goes on, more is counted at any time. @paths may be NULL.
 */
void loss_owners__take(
	struct loss_owners *owners, struct bpf_source *bpf, const struct cgroup_paths *paths);
/* Adds @lost new records to the sum of all. What is not counted by cgroup goes to the others. */
void loss_owners__add(struct loss_owners *owners, uint64_t lost);
/* A next file begins. */
void loss_owners__clear(struct loss_owners *owners);

#endif

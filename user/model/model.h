/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes, their mappings, DSOs and sightings, from events in time order.
 * Pure: no I/O, no clock, no globals; live and recorded streams go through the
 * same code. The memory it takes follows what is alive plus one entry for each
 * sighting.
 */
#ifndef PERFSTAMP_MODEL_MODEL_H
#define PERFSTAMP_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/event/event.h"

struct model;

/* One DSO seen at one path in one time span. Two identities at one path are two sightings. */
struct sighting {
	const char *path;
	struct perfstamp_identity identity; /* of its first mapping */
	bool kernel;
	uint64_t first_ns; /* time of its first mapping; 0: before recording */
	uint64_t last_ns;  /* when its last mapping went; the newest event's time while one is alive */
	bool alive;        /* still mapped at the end of the stream */
	uint64_t mappings; /* map events */
	uint64_t samples;
	size_t n_processes;
	const uint32_t *pids; /* distinct, in order of appearance */
	size_t n_cgroups;
	const uint64_t *cgroup_ids;
};

/* The ledger: every executable mapping of user space has an identity or a reason. */
struct model_ledger {
	uint64_t events;
	uint64_t maps;                                 /* executable, of user space */
	uint64_t by_source[PERFSTAMP_SOURCE_NATIVE + 1];  /* with a build-id */
	uint64_t by_reason[PERFSTAMP_REASON_UNKNOWN + 1]; /* without */
	uint64_t cookies; /* without a build-id, with a cookie */
	uint64_t samples;
	uint64_t samples_user_identified; /* user ip in a mapping with a build-id or cookie */
	uint64_t samples_user_unidentified; /* user ip in a mapping without */
	uint64_t samples_user_unmapped;   /* user ip in no known mapping */
	uint64_t samples_kernel;          /* kernel ip in a known kernel map */
	uint64_t samples_kernel_unmapped;
	uint64_t samples_other;           /* hypervisor, guest */
	uint64_t lost_records; /* sum of LOST */
	uint64_t lost_samples; /* sum of LOST_SAMPLES */
	uint64_t n_processes;  /* distinct pids */
};

int model__new(struct model **ret);
void model__free(struct model *model);

/* Takes the next event in time order. Returns 0 or -ENOMEM. */
int model__apply(struct model *model, const struct event *event);

const struct model_ledger *model__ledger(const struct model *model);
/* Sightings in order of appearance; the pointers are valid until the next apply. */
size_t model__n_sightings(const struct model *model);
const struct sighting *model__sighting(struct model *model, size_t i);
/* The path of a cgroup that a CGROUP event named, or NULL. */
const char *model__cgroup_path(const struct model *model, uint64_t id);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds what is new in a stream of events, for watch: applies each event to the model, and
 * reports new DSOs, identities and modules. Pure.
 */
#ifndef PERFSTAMP_MODEL_OBSERVER_H
#define PERFSTAMP_MODEL_OBSERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "user/event/event.h"
#include "user/model/model.h"
#include "user/model/replaced/replaced.h"

enum observation_kind {
	OBSERVED_DSO,      /* a content at a path, for the first time */
	OBSERVED_CLASH,    /* a build-id that another content has, too */
	OBSERVED_REPLACED, /* a path has other content than a process maps, or no file */
	OBSERVED_MODULE,   /* an event of a kernel module */
	OBSERVED_LOST,     /* events that were not seen */
	OBSERVATION_KINDS,
};

struct observation {
	enum observation_kind kind;
	bool existing;    /* it existed before the stream began */
	uint64_t time_ns; /* the time in the event; 0 if it has none */
	/*
	 * The process that mapped it, or maps the old content; UINT32_MAX, and the rest empty:
	 * not a process.
	 */
	uint32_t pid;
	const char *comm;
	uint64_t cgroup_id; /* 0: not known */
	uint32_t mnt_ns;    /* 0: not known */
	const char *path;   /* path of the DSO or of the module's file; NULL: OBSERVED_LOST */
	/* For OBSERVED_REPLACED the old identity. NULL: OBSERVED_LOST */
	const struct perfstamp_identity *identity;
	/* Number of the content among those with its build-id, from 1. */
	uint32_t content;
	const struct event_module *module;  /* OBSERVED_MODULE alone */
	const struct replacement *replaced; /* OBSERVED_REPLACED alone */
	uint64_t lost;                      /* OBSERVED_LOST alone */
};

/* @observation is valid during the call. Another value than 0 ends observer__apply. */
typedef int observer_fn(void *ctx, const struct observation *observation);

struct observer {
	struct model *model;       /* the caller's */
	struct replaced *replaced; /* the caller's, of that model */
	observer_fn *fn;
	void *ctx;
};

/*
 * Applies the next event in time order to the model, and reports what is new. Memory
 * without a file is skipped. Returns 0, -ENOMEM, or what the callback returned.
 */
int observer__apply(struct observer *observer, const struct event *event);

/* Reports what was replaced: a replaced_fn (replaced.h) for a struct observer. */
int observer__replaced(void *observer, const struct replacement *replacement);

#endif

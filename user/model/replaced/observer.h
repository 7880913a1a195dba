/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds what is new in a stream of events, for watch. Applies each event to the model, and reports
 * new DSOs, identities and modules. Pure.
 */
#ifndef PERFSTAMP_MODEL_OBSERVER_H
#define PERFSTAMP_MODEL_OBSERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "user/event/event.h"
#include "user/model/model.h"
#include "user/model/replaced/replaced.h"

enum observation_kind {
	OBSERVED_DSO,      /* the first mapping of a content at a path */
	OBSERVED_CLASH,    /* another content has the same build-id */
	OBSERVED_REPLACED, /* the path has other content than a process maps, or no file */
	OBSERVED_MODULE,   /* an event of a kernel module */
	OBSERVED_LOST,     /* events were lost */
	OBSERVATION_KINDS,
};

struct observation {
	enum observation_kind kind;
	bool existing;    /* it existed before the stream began */
	uint64_t time_ns; /* the time in the event; 0 if it has none */
	/*
	 * The process that mapped the content, or that maps the old content; UINT32_MAX, with the
	 * following fields empty: no process.
	 */
	uint32_t pid;
	const char *comm;
	uint64_t cgroup_id; /* 0: not known */
	uint32_t mnt_ns;    /* 0: not known */
	const char *path;   /* path of the DSO or of the module's file; NULL: OBSERVED_LOST */
	/* For OBSERVED_REPLACED the old identity; NULL for OBSERVED_LOST. */
	const struct perfstamp_identity *identity;
	/* Number of the content among those with its build-id, from 1. */
	uint32_t content;
	const struct event_module *module;  /* only for OBSERVED_MODULE */
	const struct replacement *replaced; /* only for OBSERVED_REPLACED */
	uint64_t lost;                      /* only for OBSERVED_LOST */
};

/*
 * @observation is valid during the call. A nonzero result stops observer__apply(), which returns
 * it.
 */
typedef int observer_fn(void *ctx, const struct observation *observation);

struct observer {
	struct model *model;       /* owned by the caller */
	struct replaced *replaced; /* owned by the caller, for that model */
	observer_fn *fn;
	void *ctx;
};

/*
 * Applies the next event in time order to the model, and reports what is new. Memory
 * without a file is skipped. Returns 0, -ENOMEM, or what the callback returned.
 */
int observer__apply(struct observer *observer, const struct event *event);

/* Reports a replacement. A replaced_fn (replaced.h) whose context is a struct observer. */
int observer__replaced(void *observer, const struct replacement *replacement);

#endif

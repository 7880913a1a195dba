/* SPDX-License-Identifier: GPL-2.0-only */
/* An event of a recording, as the reader returns it. */
#ifndef PERFSTAMP_PERFDATA_ATTR_H
#define PERFSTAMP_PERFDATA_ATTR_H

#include <stddef.h>
#include <stdint.h>

#include "user/event/event.h"

/* One entry of the attribute section. */
struct perfdata_attr {
	struct perf_event_attr
		attr;     /* in this machine's byte order; unknown trailing bytes are dropped */
	const char *name; /* from EVENT_DESC, or NULL */
	const uint64_t *ids;
	size_t n_ids;
};

#endif

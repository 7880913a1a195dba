/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The defaults of record from perf's configuration files: /etc/perfconfig, then ~/.perfconfig, or
 * only the file in PERF_CONFIG.
 */
#ifndef PERFSTAMP_CLI_RECORD_CONFIG_H
#define PERFSTAMP_CLI_RECORD_CONFIG_H

#include "user/base/error.h"
#include "user/cli/record/settings.h"
#include "user/parse/event/terms.h"

struct record_config {
	enum event_call_graph call_graph; /* from -g; UNSET: -g was not given */
	uint32_t dump_size;               /* from --call-graph dwarf; 0: not given */
	bool build_id;                    /* record.build-id is set; it has no effect */
	char rung[32];                    /* empty: not set */
	char map_ring_size[32];
	struct record_settings settings;
};

/*
 * Reads the files that exist, and warns if one is not trusted. Skips keys of other commands.
 * Returns 0, or -EINVAL with file and line if a value is invalid.
 */
int record_config__read(struct record_config *ret, struct error *err);

#endif

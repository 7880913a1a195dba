/* SPDX-License-Identifier: GPL-2.0-only */
/* The state of a report while it is made: report.c reads, write.c writes. */
#ifndef PERFSTAMP_CLI_REPORT_REPORTING_H
#define PERFSTAMP_CLI_REPORT_REPORTING_H

#include "user/cli/input.h"
#include "user/cli/profile/event_groups.h"
#include "user/cli/profile/events.h"
#include "user/cli/profile/files.h"
#include "user/cli/profile/readings.h"
#include "user/cli/profile/resolve.h"
#include "user/cli/report/command.h"
#include "user/cli/report/filters.h"
#include "user/cli/report/parallelism.h"
#include "user/cli/report/sources.h"
#include "user/view/report/report.h"

struct reporting {
	struct report_command command;
	struct sample_events events;
	struct event_groups groups;
	struct samples *samples;
	struct readings readings;
	struct symbol_files files;
	struct place_names names;
	struct report_sources *sources; /* NULL: not requested */
	struct report_view view;
	struct report_filters filters;
	struct parallelism parallelism;
};

bool report_is_text(const struct report_command *command);
/* Prints warnings and the report. Returns the exit status. */
int report_write(struct reporting *reporting);

#endif

// SPDX-License-Identifier: GPL-2.0-only
/* See time_parts.h. */
#include "user/cli/report/time_parts.h"

#include "user/cli/input.h"

static int take_time(void *ctx, const struct perfdata_reader *reader, const struct model *model,
	const struct event *event)
{
	struct time_span *whole = ctx;

	(void)reader;
	(void)model;
	if (event->kind != EVENT_SAMPLE)
		return 0;
	if (!whole->from_ns || event->time_ns < whole->from_ns)
		whole->from_ns = event->time_ns;
	if (event->time_ns > whole->to_ns)
		whole->to_ns = event->time_ns;
	return 0;
}

int report_time_parts__place(struct time_spans *times, const char *path, struct error *err)
{
	struct time_span whole = {0};
	const struct input_tap tap = {.fn = take_time, .ctx = &whole, .again = true};
	struct input input;
	int failed;

	if (!time_spans__are_parts(times))
		return 0;
	failed = input__read_with(&input, path, &tap, err);
	time_spans__place(times, whole.from_ns, whole.to_ns);
	input__free(&input);
	return failed;
}

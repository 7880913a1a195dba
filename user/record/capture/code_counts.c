// SPDX-License-Identifier: GPL-2.0-only
/* See code_counts.h. */
#include "user/record/capture/code_counts.h"

#include <inttypes.h>
#include <stdio.h>

#include "user/perfdata/features/stamp.h"

bool code_counts__warning(const struct code_capture_counts *counts, char *ret, size_t size)
{
	const struct {
		uint64_t n;
		const char *what;
	} parts[] = {
		{counts->missed.bytes, "bytes beyond the limits"},
		{counts->missed.foreign, "files of another user, or not regular files"},
		{counts->missed.unreadable, "files that could not be read"},
		{counts->crowded, "processes over the limit"},
		{counts->unanswered, "processes whose files did not answer"},
		{counts->unkept, "bytes not repeated in later files"},
	};
	size_t at = 0;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (parts[i].n && at < size)
			at += snprintf(ret + at, size - at, "%s%" PRIu64 " %s", at ? ", " : "",
				parts[i].n, parts[i].what);
	return at;
}

void code_counts__stamp(const struct code_capture_counts *counts, struct buffer *out)
{
	stamp__put_number(out, "code.processes", counts->processes);
	stamp__put_number(out, "code.bytes", counts->bytes);
	if (counts->missed.bytes)
		stamp__put_number(out, "code.missed.bytes", counts->missed.bytes);
	if (counts->missed.foreign)
		stamp__put_number(out, "code.missed.foreign", counts->missed.foreign);
	if (counts->missed.unreadable)
		stamp__put_number(out, "code.missed.unreadable", counts->missed.unreadable);
	if (counts->crowded)
		stamp__put_number(out, "code.missed.crowded", counts->crowded);
	if (counts->unanswered)
		stamp__put_number(out, "code.missed.unanswered", counts->unanswered);
	if (counts->unkept)
		stamp__put_number(out, "code.missed.repeated", counts->unkept);
}

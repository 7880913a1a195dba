// SPDX-License-Identifier: GPL-2.0-only
/* See dso_outcomes.h. */
#include "user/record/capture/dso_outcomes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/perfdata/features/stamp.h"
#include "user/store/files/store.h"

static const struct {
	const char *key;
	const char *why; /* text for several */
	const char *one; /* text for one */
} MISSED[DSO_OUTCOMES] = {
	[DSO_GONE] = {"gone", "removed before they could be read",
		"it was removed before it could be read"},
	[DSO_CHANGED] = {"changed", "written to since they were mapped, or just before",
		"it was written to since it was mapped, or just before"},
	[DSO_REFUSED] = {"refused", "that cannot be opened without CAP_CHECKPOINT_RESTORE",
		"it cannot be opened without CAP_CHECKPOINT_RESTORE"},
	[DSO_TOO_LARGE] = {"too-large", "larger than --capture-max",
		"it was larger than --capture-max"},
	[DSO_UNREADABLE] = {"unreadable", "that could not be read", "it could not be read"},
	[DSO_UNSTORED] = {"unstored", "for which the cache could not be written",
		"the cache could not be written"},
	[DSO_UNANSWERED] = {"unanswered", "on file systems that did not answer",
		"its file system did not answer"},
	[DSO_CROWDED] = {"crowded", "among too many at once", "it was among too many at once"},
	[DSO_UNFINISHED] = {"unfinished", "not copied when the recording had to end",
		"it was not copied when the recording had to end"},
};

static uint64_t count_missed(const struct dso_capture_counts *counts)
{
	uint64_t n = 0;

	for (int i = DSO_HAD + 1; i < DSO_OUTCOMES; i++)
		n += counts->n[i];
	return n;
}

void dso_counts__describe(const struct dso_capture_counts *counts, char *ret, size_t size)
{
	const char *separator = " (";
	size_t at;

	at = snprintf(ret, size, "captured %" PRIu64 " DSO%s (%.1f MB), %" PRIu64 " there already",
		counts->n[DSO_CAPTURED], counts->n[DSO_CAPTURED] == 1 ? "" : "s",
		(double)counts->bytes / 1e6, counts->n[DSO_HAD]);
	if (counts->gone && at < size)
		at += snprintf(
			ret + at, size - at, ", %" PRIu64 " older ones removed", counts->gone);
	if (at < size)
		at += snprintf(ret + at, size - at, ", %" PRIu64 " missed", count_missed(counts));
	for (int i = DSO_HAD + 1; i < DSO_OUTCOMES && at < size; i++) {
		if (!counts->n[i])
			continue;
		at += snprintf(ret + at, size - at, "%s%" PRIu64 " %s", separator, counts->n[i],
			MISSED[i].why);
		separator = ", ";
	}
	if (count_missed(counts) && at < size)
		snprintf(ret + at, size - at, ")");
}

#define ID_MAX (STORE_HEX_MAX + sizeof("cookie:"))

/* In the form of the header lines about missed files. */
static void name_identity(const struct perfstamp_identity *identity, char ret[ID_MAX])
{
	bool cookie = !identity->build_id_size;
	char hex[STORE_HEX_MAX];

	text__hex(hex, sizeof(hex), cookie ? identity->cookie : identity->build_id,
		cookie ? identity->cookie_size : identity->build_id_size);
	snprintf(ret, ID_MAX, "%s%s", cookie ? "cookie:" : "", hex);
}

void dso_outcome__stamp_missed(
	enum dso_outcome outcome, const struct dso_request *request, struct buffer *out)
{
	char id[ID_MAX], *line;

	name_identity(&request->identity, id);
	if (asprintf(&line, "%s %s %s", MISSED[outcome].key, id, request->path) < 0)
		return;
	stamp__put(out, "capture.missed", line);
	free(line);
}

const char *dso_outcome__why_missed(const void *stamp, size_t size,
	const struct perfstamp_identity *identity, const char **ret_text)
{
	const char *cursor = stamp, *end = cursor + size;
	char id[ID_MAX], value[32 + ID_MAX]; /* the path may be cut off */

	name_identity(identity, id);
	while (stamp__next(&cursor, end, "capture.missed", value, sizeof(value)) >= 0) {
		char *at = value, *why = strsep(&at, " "), *of = strsep(&at, " ");

		if (!of || strcmp(of, id) != 0)
			continue;
		for (int i = DSO_HAD + 1; i < DSO_OUTCOMES; i++) {
			if (strcmp(MISSED[i].key, why) != 0)
				continue;
			*ret_text = MISSED[i].one;
			return MISSED[i].key;
		}
	}
	return NULL;
}

void dso_counts__stamp(const struct dso_capture_counts *counts, struct buffer *out)
{
	stamp__put_number(out, "capture.files", counts->n[DSO_CAPTURED]);
	stamp__put_number(out, "capture.bytes", counts->bytes);
	stamp__put_number(out, "capture.had", counts->n[DSO_HAD]);
	stamp__put_number(out, "capture.removed", counts->gone);
	for (int i = DSO_HAD + 1; i < DSO_OUTCOMES; i++) {
		char key[64];

		snprintf(key, sizeof(key), "capture.missed.%s", MISSED[i].key);
		if (counts->n[i])
			stamp__put_number(out, key, counts->n[i]);
	}
}

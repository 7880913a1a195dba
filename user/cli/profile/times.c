// SPDX-License-Identifier: GPL-2.0-only
/* See times.h. */
#include "user/cli/profile/times.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/cli/input.h"

#define NS_PER_S 1000000000ull
#define TEXT_MAX 256 /* limit for the text of one span, in bytes */

/* Parses "12", "12.5" or "12.000000005"; "" is 0. Returns false for other texts. */
static bool parse_seconds(const char *text, size_t len, uint64_t *ret_ns)
{
	uint64_t seconds = 0, ns = 0, unit = NS_PER_S / 10;
	size_t i = 0;

	for (; i < len && text[i] >= '0' && text[i] <= '9'; i++) {
		if (seconds > UINT64_MAX / NS_PER_S / 100)
			return false;
		seconds = seconds * 10 + (text[i] - '0');
	}
	if (i < len && text[i] == '.')
		for (i++; i < len && text[i] >= '0' && text[i] <= '9'; i++, unit /= 10)
			ns += (text[i] - '0') * unit;
	*ret_ns = seconds * NS_PER_S + ns;
	return i == len;
}

static bool parse_times(struct time_span *ret, const char *text)
{
	const char *comma = strchr(text, ',');

	return comma && parse_seconds(text, comma - text, &ret->from_ns) &&
	       parse_seconds(comma + 1, strlen(comma + 1), &ret->to_ns) &&
	       (!comma[1] || ret->to_ns >= ret->from_ns);
}

/* Parses fractions as in perf. */
static bool parse_parts(struct time_span *ret, const char *text)
{
	double a, b;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	a = strtod(text, &end);
	if (*end != '%' || (end[1] != '-' && end[1] != '/') || end[2] < '0' || end[2] > '9')
		return false;
	text = end + 2;
	b = strtod(text, &end);
	ret->percent = true;
	if (text[-1] == '/') { /* part b of the samples' time, each of a percent */
		ret->from_part = a * (b - 1) / 100;
		ret->to_part = a * b / 100;
		return !*end && b >= 1 && ret->to_part <= 1 && ret->from_part < ret->to_part;
	}
	ret->from_part = a / 100;
	ret->to_part = b / 100;
	return !strcmp(end, "%") && ret->from_part < ret->to_part && ret->to_part <= 1;
}

bool time_spans__parse(struct time_spans *ret, const char *text)
{
	const char *between = strchr(text, '%') ? ", " : " ";

	*ret = (struct time_spans){0};
	for (;;) {
		size_t len = strcspn(text, between);
		struct time_span *span = &ret->v[ret->n];
		char one[TEXT_MAX];

		if (ret->n == TIME_SPANS_MAX || len >= sizeof(one))
			return false;
		snprintf(one, sizeof(one), "%.*s", (int)len, text);
		if (strchr(one, '%') ? !parse_parts(span, one) : !parse_times(span, one))
			return false;
		ret->n++;
		if (!text[len])
			return true;
		text += len + 1;
	}
}

bool time_spans__are_parts(const struct time_spans *spans)
{
	return spans->n && spans->v[0].percent;
}

void time_spans__place(struct time_spans *spans, uint64_t first_ns, uint64_t last_ns)
{
	double total = (double)(last_ns - first_ns);

	for (size_t i = 0; i < spans->n; i++) {
		struct time_span *span = &spans->v[i];

		span->from_ns = first_ns + (uint64_t)(span->from_part * total);
		/*
		 * A time on the bound of two parts belongs to one of them only. The last part
		 * contains the last sample.
		 */
		span->to_ns = span->to_part < 1 ? first_ns + (uint64_t)(span->to_part * total) - 1
						: last_ns;
	}
}

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

int time_spans__read_parts(struct time_spans *times, const char *path, struct error *err)
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

bool time_spans__have(const struct time_spans *spans, uint64_t time_ns)
{
	for (size_t i = 0; i < spans->n; i++)
		if (time_ns >= spans->v[i].from_ns &&
			(!spans->v[i].to_ns || time_ns <= spans->v[i].to_ns))
			return true;
	return !spans->n;
}

bool time_quantum__parse(uint64_t *ret_ns, const char *text)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} UNITS[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", NS_PER_S}};
	char *end;
	unsigned long long n = strtoull(text, &end, 10);

	if (*text < '0' || *text > '9' || !n || n > UINT32_MAX)
		return false;
	for (size_t i = 0; i < sizeof(UNITS) / sizeof(UNITS[0]); i++)
		if (!strcmp(end, UNITS[i].name)) {
			*ret_ns = n * UNITS[i].ns;
			return true;
		}
	return false;
}

// SPDX-License-Identifier: GPL-2.0-only
/* See options.h. */
#include "user/cli/record/options.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#define RING_BYTES_MAX (1ull << 30)

int record_options__number(const char *text, uint64_t *ret)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	errno = 0;
	*ret = strtoull(text, &end, 10);
	return errno || *end || !*ret ? -EINVAL : 0;
}

ssize_t record_options__pids(const char *text, pid_t **ret)
{
	size_t n = 1, i;
	const char *at;
	char *end;
	pid_t *pids;
	long pid;

	for (at = text; *at; at++)
		n += *at == ',';
	pids = calloc(n, sizeof(*pids));
	if (!pids)
		return -ENOMEM;
	at = text;
	for (i = 0; i < n; i++) {
		errno = 0;
		pid = strtol(at, &end, 10);
		if (!isdigit((unsigned char)*at) || errno || pid <= 0 || pid > INT_MAX ||
			*end != (i + 1 < n ? ',' : 0)) {
			free(pids);
			return -EINVAL;
		}
		pids[i] = pid;
		at = end + 1;
	}
	*ret = pids;
	return n;
}

int record_options__bytes(const char *text, uint64_t *ret)
{
	static const char UNITS[] = "BKMG";
	uint64_t value;
	const char *unit;
	char *end;

	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || !value)
		return -EINVAL;
	unit = *end ? strchr(UNITS, toupper((unsigned char)*end)) : UNITS;
	if (!unit || (*end && end[1]) || value > UINT64_MAX >> (10 * (unit - UNITS)))
		return -EINVAL;
	*ret = value << (10 * (unit - UNITS));
	return 0;
}

/* Where an argument may be a size or a time, perf decides by the case of the letter. */
int record_options__size(const char *text, uint64_t *ret)
{
	size_t length = strlen(text);

	return length && strchr("BKMG", text[length - 1]) ? record_options__bytes(text, ret)
							  : -EINVAL;
}

int record_options__seconds(const char *text, const char *units, uint64_t *ret)
{
	static const struct {
		char unit;
		uint32_t seconds;
	} UNITS[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}, {'w', 604800}};
	uint64_t value;
	char *end;

	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || !value || value > UINT32_MAX || !*end || end[1] || !strchr(units, *end))
		return -EINVAL;
	for (size_t i = 0; i < sizeof(UNITS) / sizeof(*UNITS); i++)
		if (UNITS[i].unit == *end)
			*ret = value * UNITS[i].seconds;
	return 0;
}

int record_options__time(const char *text, uint64_t *ret_ns)
{
	uint64_t seconds;

	if (record_options__seconds(text, "smhd", &seconds) || seconds > UINT64_MAX / 1000000000ull)
		return -EINVAL;
	*ret_ns = seconds * 1000000000ull;
	return 0;
}

ssize_t record_options__pages(const char *text)
{
	uint64_t page = sysconf(_SC_PAGESIZE), value;

	if (!record_options__number(text, &value))
		return value > SSIZE_MAX ? -EINVAL : (ssize_t)value;
	if (record_options__bytes(text, &value))
		return -EINVAL;
	return (value + page - 1) / page;
}

ssize_t record_options__spans(const char *text, uint32_t **ret_ms)
{
	size_t n = 2, i = 0;
	unsigned long ms;
	char *end;

	for (const char *at = text; *at; at++)
		n += 2 * (*at == ',');
	*ret_ms = calloc(n, sizeof(**ret_ms));
	if (!*ret_ms)
		return -ENOMEM;
	for (; i < n; i++, text = end + 1) {
		errno = 0;
		ms = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : INT_MAX;
		if (errno || ms >= INT_MAX || (i && ms <= (*ret_ms)[i - 1]))
			break;
		if (*end != (i + 1 == n ? '\0' : i % 2 ? ',' : '-'))
			break;
		(*ret_ms)[i] = ms;
	}
	if (i == n)
		return n;
	free(*ret_ms);
	*ret_ms = NULL;
	return -EINVAL;
}

int record_options__clockid(const char *text)
{
	/* tools/perf/util/clockid.c */
	static const struct {
		const char *name;
		int clockid;
	} CLOCKS[] = {
		{"monotonic", CLOCK_MONOTONIC},
		{"monotonic_raw", CLOCK_MONOTONIC_RAW},
		{"realtime", CLOCK_REALTIME},
		{"boottime", CLOCK_BOOTTIME},
		{"tai", CLOCK_TAI},
		{"mono", CLOCK_MONOTONIC},
		{"raw", CLOCK_MONOTONIC_RAW},
		{"real", CLOCK_REALTIME},
		{"boot", CLOCK_BOOTTIME},
	};
	char *end;
	long number;

	if (isdigit((unsigned char)*text)) {
		number = strtol(text, &end, 10);
		for (size_t i = 0; !*end && i < sizeof(CLOCKS) / sizeof(*CLOCKS); i++)
			if (CLOCKS[i].clockid == number)
				return number;
		return -EINVAL;
	}
	if (!strncasecmp(text, "CLOCK_", 6))
		text += 6;
	for (size_t i = 0; i < sizeof(CLOCKS) / sizeof(*CLOCKS); i++)
		if (!strcasecmp(CLOCKS[i].name, text))
			return CLOCKS[i].clockid;
	return -EINVAL;
}

int record_options__rung(const char *text, struct recorder_options *ret)
{
	int rung;

	ret->no_mmap3 = strcasecmp(text, RECORDER_RUNG_MMAP3) != 0;
	ret->no_bpf = !strcasecmp(text, RECORDER_RUNG_MMAP2);
	ret->best_rung = 0;
	if (!ret->no_mmap3 || ret->no_bpf)
		return 0;
	for (rung = 0; rung < RUNG_COUNT; rung++) {
		if (!strcmp(text, rung__name(rung))) {
			ret->best_rung = rung;
			return 0;
		}
	}
	return -EINVAL;
}

int record_options__ring(const char *text, struct recorder_options *ret)
{
	uint64_t wanted, size = sysconf(_SC_PAGESIZE);

	if (record_options__bytes(text, &wanted) || wanted > RING_BYTES_MAX)
		return -EINVAL;
	/* BPF_MAP_TYPE_RINGBUF takes a power of two of whole pages. */
	while (size < wanted)
		size *= 2;
	ret->bpf_ring_size = size;
	return 0;
}

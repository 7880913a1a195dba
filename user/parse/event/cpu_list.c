// SPDX-License-Identifier: GPL-2.0-only
/*
 * See cpu_list.h. The list is collected in a bitmap, so that order and repetition in the text do
 * not matter.
 */
#include "user/parse/event/cpu_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CPU_BYTES ((CPU_LIST_LAST + 1) / 8)

static bool scan_number(const char **text, long *ret)
{
	const char *p = *text;
	long value = 0;

	if (*p < '0' || *p > '9')
		return false;
	for (; *p >= '0' && *p <= '9'; p++) {
		value = value * 10 + (*p - '0');
		if (value > CPU_LIST_LAST)
			return false;
	}
	*text = p;
	*ret = value;
	return true;
}

/* *@ret_end is the highest CPU plus 1. */
static int scan_list(unsigned char *bits, const char *text, long *ret_end, struct error *err)
{
	const char *p = text;

	*ret_end = 0;
	for (;;) {
		long first, last;

		if (!scan_number(&p, &first))
			goto bad;
		last = first;
		if (*p == '-') {
			p++;
			if (!scan_number(&p, &last) || last < first)
				goto bad;
		}
		for (; first <= last; first++)
			bits[first / 8] |= 1u << (first % 8);
		if (first > *ret_end)
			*ret_end = first;
		if (*p == '\n' || !*p)
			return 0;
		if (*p++ != ',')
			goto bad;
	}
bad:
	return error__set(err, -EINVAL, "CPU list '%s': not a list like 0-3,8 (character %zu)",
		text, (size_t)(p - text) + 1);
}

int cpu_list__parse(struct cpu_list *ret, const char *text, struct error *err)
{
	unsigned char *bits = calloc(1, CPU_BYTES);
	long end;
	int r;

	ret->cpus = NULL;
	ret->n = 0;
	if (!bits)
		return error__errno(err, -ENOMEM, "CPU list");
	r = scan_list(bits, text, &end, err);
	if (r)
		goto cleanup;
	ret->cpus = calloc(end + 1, sizeof(*ret->cpus));
	if (!ret->cpus) {
		r = error__errno(err, -ENOMEM, "CPU list");
		goto cleanup;
	}
	for (int cpu = 0; cpu < end; cpu++)
		if (bits[cpu / 8] & (1u << (cpu % 8)))
			ret->cpus[ret->n++] = cpu;
cleanup:
	free(bits);
	return r;
}

int cpu_list__end(const char *text)
{
	struct cpu_list list;
	int end = 0;

	if (cpu_list__parse(&list, text, NULL))
		return 0;
	if (list.n)
		end = list.cpus[list.n - 1] + 1;
	cpu_list__free(&list);
	return end;
}

void cpu_list__free(struct cpu_list *list)
{
	free(list->cpus);
	list->cpus = NULL;
	list->n = 0;
}

bool cpu_list__has(const struct cpu_list *list, int cpu)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->cpus[i] == cpu)
			return true;
	return false;
}

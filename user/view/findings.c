// SPDX-License-Identifier: GPL-2.0-only
/* See findings.h. */
#include "user/view/findings.h"

#include <errno.h>
#include <string.h>

#include "user/view/format/json.h"

static const char *const STATES[] = {
	[FINDING_GOOD] = "good",
	[FINDING_LESS] = "less",
	[FINDING_MISSING] = "missing",
	[FINDING_FACT] = "fact",
};

static int write_json(FILE *out, const struct finding *findings, size_t n)
{
	struct json_object *all = json_object_new_object(), *one;
	size_t i;

	if (!all)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		one = json_object_new_object();
		if (!one) {
			json_object_put(all);
			return -ENOMEM;
		}
		json__add_text(one, "state", STATES[findings[i].state]);
		json__add_text(one, "value", findings[i].value);
		json__add_text(one, "advice", findings[i].advice[0] ? findings[i].advice : NULL);
		json_object_object_add(all, findings[i].name, one);
	}
	json__write_line(all, out);
	return 0;
}

#define ADVICE_MAX 3 /* a user would hardly read more */

/*
 * What does not work comes before what works less well. Hardware comes last, because it cannot be
 * changed.
 */
static int urgency(const struct finding *finding)
{
	if (!finding->advice[0] || finding->state == FINDING_FACT)
		return 0;
	if (finding->state == FINDING_MISSING)
		return 3;
	return strcmp(finding->name, "cycles") != 0 ? 2 : 1;
}

static void write_advice(FILE *out, const struct finding *findings, size_t n)
{
	size_t n_advised = 0, i;
	int level;

	for (level = 3; level > 0; level--) {
		for (i = 0; i < n && n_advised < ADVICE_MAX; i++) {
			if (urgency(&findings[i]) != level)
				continue;
			if (!n_advised)
				fputs("\nWhat would help most on this machine:\n", out);
			fprintf(out, "%zu. %s: %s\n", ++n_advised, findings[i].name,
				findings[i].advice);
		}
	}
	if (!n_advised)
		fputs("\nThis machine has everything that recording uses.\n", out);
}

int findings__write(FILE *out, const struct finding *findings, size_t n, bool json)
{
	static const char MARKS[] = {
		[FINDING_GOOD] = '+',
		[FINDING_LESS] = '-',
		[FINDING_MISSING] = '!',
		[FINDING_FACT] = ' ',
	};
	size_t i;

	if (json)
		return write_json(out, findings, n);
	for (i = 0; i < n; i++) {
		fprintf(out, "%c %-26s %s\n", MARKS[findings[i].state], findings[i].name,
			findings[i].value);
		if (findings[i].advice[0])
			fprintf(out, "  %-26s -> %s\n", "", findings[i].advice);
	}
	write_advice(out, findings, n);
	return 0;
}

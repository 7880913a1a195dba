// SPDX-License-Identifier: GPL-2.0-only
/* The names of DSOs, and the additions that distinguish DSOs with the same name: see private.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "user/base/array.h"
#include "user/view/format/escaped.h"
#include "user/view/format/names.h"
#include "user/view/report/private.h"
#include "user/view/report/report.h"

/* *@owners has, for each name, the number of the first DSO of this name plus 1. */
static int take(struct labels *labels, struct texts *names, uint32_t **owners, size_t *n_owners,
	const struct report_view *view, uint32_t place)
{
	uint32_t dso = report__dso(view->report, place), name, *owner;
	char text[256];

	if (dso == SAMPLES_NONE)
		return 0;
	if (texts__add(names, report_view__dso(view, place, text, sizeof(text)), &name))
		return -ENOMEM;
	if (array__reach(owners, n_owners, name, sizeof(**owners)))
		return -ENOMEM;
	owner = &(*owners)[name];
	if (!*owner)
		*owner = dso + 1;
	if (*owner != dso + 1)
		labels->shared[dso] = labels->shared[*owner - 1] = true;
	return 0;
}

int labels__find(struct labels *ret, const struct report_view *view)
{
	size_t n = report__n_rows(view->report), n_owners = 0;
	struct texts names = {0};
	uint32_t *owners = NULL;
	int err = 0;

	*ret = (struct labels){0};
	for (size_t i = 0; i < n; i++) {
		uint32_t dso = report__dso(view->report, report__row(view->report, i)->place);

		if (dso != SAMPLES_NONE && dso >= ret->n)
			ret->n = dso + 1;
	}
	ret->shared = calloc(ret->n + 1, sizeof(*ret->shared));
	if (!ret->shared)
		return -ENOMEM;
	for (size_t i = 0; i < n && !err; i++)
		err = take(
			ret, &names, &owners, &n_owners, view, report__row(view->report, i)->place);
	texts__free(&names);
	free(owners);
	return err;
}

bool labels__is_shared(const struct labels *labels, uint32_t dso)
{
	return dso < labels->n && labels->shared[dso];
}

void labels__free(struct labels *labels)
{
	free(labels->shared);
	*labels = (struct labels){0};
}

void report_view__write_build_id(
	FILE *out, const struct report_view *view, uint32_t place, size_t digits)
{
	const struct perfstamp_identity *identity = report_view__identity(view, place);
	char id[NAME_IDENTITY_SIZE];

	fputs(identity && name__identity(id, identity, digits) ? id : "-", out);
}

void report_view__write_dso(
	FILE *out, const struct report_view *view, const struct labels *labels, uint32_t place)
{
	const struct place *at = samples__place(view->samples, place);
	const struct sighting *sighting;
	char name[256];

	escaped__write(out, report_view__dso(view, place, name, sizeof(name)));
	if (!labels__is_shared(labels, report__dso(view->report, place)))
		return;
	fputs(" (", out);
	report_view__write_build_id(out, view, place, 12);
	sighting = model__sighting(view->model, at->sighting);
	if (sighting->n_contents > 1)
		fprintf(out, ", content %" PRIu32, sighting->content);
	fputc(')', out);
}

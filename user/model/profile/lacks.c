// SPDX-License-Identifier: GPL-2.0-only
/*
 * lacks: see lacks.h. Works on a report by DSO and symbol, independent of the displayed
 * sort keys.
 */
#include <errno.h>
#include <stdlib.h>

#include "user/model/profile/lacks.h"

struct found {
	struct lack lack;
	uint32_t dso;
};

static int by_dso(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	if (x->dso != y->dso)
		return x->dso < y->dso ? -1 : 1;
	if (x->lack.lack != y->lack.lack)
		return x->lack.lack < y->lack.lack ? -1 : 1;
	return x->lack.place < y->lack.place ? -1 : x->lack.place > y->lack.place;
}

static int by_samples(const void *a, const void *b)
{
	const struct lack *x = a, *y = b;

	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

int lacks__find(struct lacks *ret, const struct report *report, const struct resolved *resolved)
{
	size_t n = report__n_rows(report), n_found = 0;
	struct found *found = calloc(n + 1, sizeof(*found));

	*ret = (struct lacks){0};
	ret->v = calloc(n + 1, sizeof(*ret->v));
	if (!found || !ret->v) {
		free(found);
		lacks__free(ret);
		return -ENOMEM;
	}
	for (size_t i = 0; i < n; i++) {
		const struct report_row *row = report__row(report, i);
		enum symbol_lack lack = resolved[row->place].lack;

		ret->samples += row->numbers->n;
		if (row->numbers->n && !resolved[row->place].name)
			found[n_found++] = (struct found){{row->place, lack, row->numbers->n},
				report__dso(report, row->place)};
	}
	qsort(found, n_found, sizeof(*found), by_dso);
	for (size_t i = 0; i < n_found; i++) {
		if (i && found[i - 1].dso == found[i].dso &&
			found[i - 1].lack.lack == found[i].lack.lack)
			ret->v[ret->n - 1].n += found[i].lack.n;
		else
			ret->v[ret->n++] = found[i].lack;
	}
	qsort(ret->v, ret->n, sizeof(*ret->v), by_samples);
	free(found);
	return 0;
}

void lacks__free(struct lacks *lacks)
{
	free(lacks->v);
	*lacks = (struct lacks){0};
}

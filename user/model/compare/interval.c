// SPDX-License-Identifier: GPL-2.0-only
/* interval: see interval.h. */
#include "user/model/compare/interval.h"

#include <math.h>
#include <stdlib.h>

#define SLICES_LEAST 8 /* the least number of slices for an estimate of a variance */

/* Returns the dispersion if each @step slices are joined into one; 0: too few slices. */
static double dispersion_of(const float *counts, const double *of, uint32_t n_slices, uint32_t step,
	bool rate, double *ret_freedom)
{
	double count = 0, all = 0, squares = 0, share, base;
	uint32_t n = 0;

	for (uint32_t i = 0; i < n_slices; i++) {
		count += of[i] > 0 ? counts[i] : 0;
		all += of[i];
	}
	if (count <= 0 || all <= 0)
		return 0;
	share = count / all;
	for (uint32_t i = 0; i < n_slices; i += step) {
		double here = 0, here_of = 0;

		for (uint32_t k = i; k < i + step && k < n_slices; k++) {
			here += of[k] > 0 ? counts[k] : 0;
			here_of += of[k];
		}
		if (here_of <= 0)
			continue;
		here -= share * here_of;
		squares += here * here;
		n++;
	}
	base = rate ? count : count * (1 - share);
	if (n < SLICES_LEAST || base <= 0)
		return 0;
	*ret_freedom = n - 1;
	return squares * n / (n - 1) / base;
}

double interval__dispersion(
	const float *counts, const double *of, uint32_t n_slices, bool rate, double *ret_freedom)
{
	double most = 1, freedom = 0;

	*ret_freedom = 0;
	for (uint32_t step = 1; step <= n_slices; step *= 2) {
		double one = dispersion_of(counts, of, n_slices, step, rate, &freedom);

		/*
		 * Fewer and wider slices are less reliable. They are used only if the difference is
		 * significant.
		 */
		if (one > most * (step > 1 ? 1 + sqrt(2 / freedom) : 1)) {
			most = one;
			*ret_freedom = freedom;
		}
	}
	return most;
}

/*
 * Student's quantile with the error level of the normal quantile @z, by the first terms of its
 * expansion (Abramowitz and Stegun, 26.7.5).
 */
static double student(double z, double freedom)
{
	double z2 = z * z;

	if (freedom <= 0)
		return z;
	return z + z * (z2 + 1) / (4 * freedom) +
	       z * (5 * z2 * z2 + 16 * z2 + 3) / (96 * freedom * freedom) +
	       z * (3 * z2 * z2 * z2 + 19 * z2 * z2 + 17 * z2 - 15) /
		       (384 * freedom * freedom * freedom);
}

struct interval interval__of(const struct estimate *of, double z)
{
	double t = student(z, of->freedom), t2 = t * t;
	double count = of->count / of->dispersion, trials = of->trials / of->dispersion;
	double scale = of->unit * of->dispersion, middle, half;
	struct interval ret;

	if (of->trials > 0) {
		middle = (count + t2 / 2) / (1 + t2 / trials);
		half = t * sqrt(fmax(count * (1 - count / trials), 0) + t2 / 4) / (1 + t2 / trials);
	} else {
		middle = count + t2 / 2;
		half = t * sqrt(count + t2 / 4);
	}
	ret.low = fmax(middle - half, 0) * scale;
	ret.high = (middle + half) * scale;
	return ret;
}

struct interval interval__of_difference(
	const struct estimate *before, const struct estimate *after, double z)
{
	const double was = before->count * before->unit, is = after->count * after->unit;
	const struct interval a = interval__of(before, z), b = interval__of(after, z);

	return (struct interval){
		.low = is - was - hypot(is - b.low, a.high - was),
		.high = is - was + hypot(b.high - is, was - a.low),
	};
}

double interval__p_value(const struct estimate *before, const struct estimate *after)
{
	const bool more = after->count * after->unit > before->count * before->unit;
	double low = 0, high = 40;

	for (int i = 0; i < 50; i++) {
		double z = (low + high) / 2;
		const struct interval at = interval__of_difference(before, after, z);

		if (more ? at.low > 0 : at.high < 0)
			low = z;
		else
			high = z;
	}
	return erfc(low / sqrt(2));
}

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

double interval__threshold(double *p_values, size_t n)
{
	double ret = -1;

	qsort(p_values, n, sizeof(*p_values), compare);
	for (size_t i = 0; i < n; i++)
		if (p_values[i] <= INTERVAL_FALSE * (double)(i + 1) / (double)n)
			ret = p_values[i];
	return ret;
}

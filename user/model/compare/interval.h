/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Confidence intervals for the difference of two shares, or of two rates, that are estimated from
 * counts; and the selection of significant differences among many. Only computes.
 *
 * The interval of one share is Wilson's. The interval of one rate is the score interval of a
 * Poisson count. The interval of a difference combines those of both sides (Newcombe's method 10:
 * Statistics in Medicine 17, 1998, 873-890), and is also valid for shares of 0 and 1. Samples of a
 * program come in clusters, since it does one thing for a while and then another. So each count is
 * divided by its dispersion first.
 */
#ifndef PERFSTAMP_MODEL_INTERVAL_H
#define PERFSTAMP_MODEL_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INTERVAL_Z 1.959964 /* for 95 % */
#define INTERVAL_FALSE 0.05 /* the expected share of false ones among the marked differences */

struct interval {
	double low, high;
};

/* The counts of one side. */
struct estimate {
	double count;  /* samples */
	double trials; /* the number of trials; 0: a rate, which has none */
	double unit;   /* the value of one sample: a share is .count * .unit */
	/* The variance, as a multiple of the variance of independent samples; >= 1. */
	double dispersion;
	double freedom; /* degrees of freedom of .dispersion; 0: it is exact */
};

/*
 * Returns the dispersion of a count over slices of time, at least 1. In slice i, @counts[i] of
 * @of[i] samples were counted; with @rate, @of[i] is the exposure in any unit. Slices in which @of
 * is 0 are skipped. Slices are also joined into fewer and wider ones, at least 8. A greater width
 * is used if its dispersion is larger by more than a standard error. *@ret_freedom is set to the
 * degrees of freedom of the width that was used, or to 0 if the result is 1.
 */
double interval__dispersion(
	const float *counts, const double *of, uint32_t n_slices, bool rate, double *ret_freedom);

/* Returns the interval of one estimate; @z is the quantile of the normal distribution. */
struct interval interval__of(const struct estimate *of, double z);
/* Returns the interval of @after - @before. */
struct interval interval__of_difference(
	const struct estimate *before, const struct estimate *after, double z);
/*
 * Returns the smallest error level at which the interval of the difference excludes 0; 1 if both
 * sides are equal.
 */
double interval__p_value(const struct estimate *before, const struct estimate *after);

/*
 * Selects from @n p-values so that at most INTERVAL_FALSE of the marks are expected to be false
 * (Benjamini and Hochberg, Journal of the Royal Statistical Society B 57, 1995,
 * 289-300). Returns the greatest p-value to be marked; less than 0: none.
 */
double interval__threshold(double *p_values, size_t n);

#endif

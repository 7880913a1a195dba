// SPDX-License-Identifier: GPL-2.0-only
/*
 * What comparisons promise: intervals that hold the truth, for samples that come in clusters
 * too; few false marks; functions brought together by their names.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/model/compare/differences.h"
#include "user/model/compare/names.h"
#include "user/model/compare/unite.h"

static uint64_t state;

static double random_number(void)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (double)(state >> 11) / (double)(1ull << 53);
}

static void names_of_functions(void **unused)
{
	static const char *const NAMES[][2] = {
		{"parse", "parse"},
		{"parse.constprop.0", "parse"},
		{"parse.part.1.cold", "parse"},
		{"parse.llvm.1234567", "parse"},
		{"parse.isra.0", "parse"},
		{"f(int) [clone .isra.0]", "f(int)"},
		{"free@@GLIBC_2.2.5", "free"},
		{"free@plt", "free@plt"},
		{"main.parse", "main.parse"}, /* Go's */
		{"x.12", "x.12"},
		{".cold", ".cold"},
		{"", ""},
	};
	char name[64];

	(void)unused;
	for (size_t i = 0; i < sizeof(NAMES) / sizeof(*NAMES); i++) {
		compare_names__function(name, sizeof(name), NAMES[i][0]);
		assert_string_equal(name, NAMES[i][1]);
	}
	compare_names__function(name, 4, "parse.cold");
	assert_string_equal(name, "par");
}

static void names_of_dsos(void **unused)
{
	static const char *const NAMES[][2] = {
		{"server", "server"},
		{"libfoo.so", "libfoo.so"},
		{"libfoo.so.1.2", "libfoo.so"},
		{"libfoo-1.2.so", "libfoo.so"},
		{"libfoo-12.so.1", "libfoo.so"},
		{"ld-linux-x86-64.so.2", "ld-linux-x86-64.so"},
		{"libsocket.something", "libsocket.something"},
		{"[kernel.kallsyms]", "[kernel.kallsyms]"},
	};
	char name[64];

	(void)unused;
	for (size_t i = 0; i < sizeof(NAMES) / sizeof(*NAMES); i++) {
		compare_names__dso(name, sizeof(name), NAMES[i][0]);
		assert_string_equal(name, NAMES[i][1]);
	}
}

static void slices_double(void **unused)
{
	struct slices slices = {0};

	(void)unused;
	assert_int_equal(slices__missing(&slices, 1000000000), 0);
	assert_int_equal(slices__at(&slices, 1000000000), 0);
	assert_int_equal(slices__missing(&slices, 1063999999), 0);
	assert_int_equal(slices__at(&slices, 1063999999), 63);
	assert_int_equal(slices__missing(&slices, 1064000000), 1);
	slices.level++;
	assert_int_equal(slices__at(&slices, 1064000000), 32);
	assert_int_equal(slices__missing(&slices, 1000000000 + 3600000000000), 15);
	slices.level += 15;
	assert_int_equal(slices__at(&slices, 5), 0);
	assert_int_equal(slices__width(&slices, 0), 65536ull * 1000000);
	assert_true(slices__at(&slices, 1000000000 + 3600000000000) < SLICES_MAX);
}

static struct estimate share(double count, double trials)
{
	return (struct estimate){
		.count = count, .trials = trials, .unit = 1 / trials, .dispersion = 1};
}

/* The examples of Newcombe's article, table II, method 10; and of Wilson's interval. */
static void intervals_are_newcombes(void **unused)
{
	static const struct {
		double x1, n1, x2, n2, low, high;
	} OF[] = {
		{48, 80, 56, 70, 0.0524, 0.3339},
		{3, 10, 9, 10, 0.1705, 0.8090},
		{0, 10, 10, 10, 0.6075, 1.0000},
		{0, 20, 10, 10, 0.6791, 1.0000},
		{0, 29, 5, 56, -0.0381, 0.1926},
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(OF) / sizeof(*OF); i++) {
		struct estimate before = share(OF[i].x1, OF[i].n1),
				after = share(OF[i].x2, OF[i].n2);
		struct interval of = interval__of_difference(&before, &after, INTERVAL_Z);

		assert_true(fabs(of.low - OF[i].low) < 6e-5);
		assert_true(fabs(of.high - OF[i].high) < 6e-5);
	}
}

static void a_p_value_is_where_the_interval_ends(void **unused)
{
	struct estimate before = share(48, 80), after = share(56, 70);
	double p = interval__p_value(&before, &after);

	(void)unused;
	assert_true(p > 0.005 && p < 0.01);
	assert_true(interval__p_value(&before, &before) > 0.99);
	/* A rate: the same counts in twice the time. */
	before = (struct estimate){.count = 100, .unit = 1, .dispersion = 1};
	after = (struct estimate){.count = 100, .unit = 0.5, .dispersion = 1};
	assert_true(interval__p_value(&before, &after) < 1e-4);
	/* Clusters of ten tell less. */
	before.dispersion = after.dispersion = 10;
	assert_true(interval__p_value(&before, &after) > 0.05);
}

static void the_threshold_is_benjamini_and_hochbergs(void **unused)
{
	/* The example of their article, section 3.3. */
	double p[] = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459,
		0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.000};
	double one[] = {0.06};

	(void)unused;
	assert_true(fabs(interval__threshold(p, 15) - 0.0095) < 1e-9);
	assert_true(interval__threshold(one, 1) < 0);
	assert_true(interval__threshold(one, 0) < 0);
}

/* ---- Comparisons ---- */

static struct comparison comparison;

static uint32_t function(const char *dso, const char *name, const char *file)
{
	uint32_t a, b, c = COMPARISON_NONE, unit;

	assert_int_equal(comparison__text(&comparison, dso, &a), 0);
	assert_int_equal(comparison__text(&comparison, name, &b), 0);
	if (file)
		assert_int_equal(comparison__text(&comparison, file, &c), 0);
	assert_int_equal(comparison__unit(&comparison, UNIT_FUNCTION, a, b, c, &unit), 0);
	return unit;
}

static void count(uint32_t unit, enum comparison_side side, uint32_t slice, uint64_t n)
{
	uint32_t dso = comparison.units[unit].a;

	assert_int_equal(comparison__add(&comparison, unit, side, slice, n, (double)n), 0);
	assert_int_equal(comparison__add_dso(&comparison, dso, side, slice, n, (double)n), 0);
	comparison__add_total(&comparison, side, slice, n, (double)n);
	comparison.totals[side].squares += (double)n;
}

/* Evenly over all slices. */
static void spread(uint32_t unit, enum comparison_side side, uint64_t n)
{
	for (uint32_t i = 0; i < SLICES_MAX; i++)
		count(unit, side, i, n / SLICES_MAX);
}

static const struct difference *find(const struct differences *differences, const char *name)
{
	for (size_t i = 0; i < differences->n; i++)
		if (!strcmp(comparison__at(&comparison, comparison.units[differences->v[i].unit].b),
			    name))
			return &differences->v[i];
	return NULL;
}

static void what_moved_is_one_function(void **unused)
{
	struct differences differences;
	const struct difference *moved;

	(void)unused;
	assert_int_equal(comparison__init(&comparison), 0);
	spread(function("server", "main", NULL), BEFORE, 6400);
	spread(function("server", "main", NULL), AFTER, 6400);
	spread(function("server", "move", NULL), BEFORE, 640);
	spread(function("libmove.so", "move", NULL), AFTER, 640);
	/* Of this one nobody knows which it was. */
	spread(function("server", "twice", NULL), BEFORE, 640);
	spread(function("a.so", "twice", NULL), AFTER, 640);
	spread(function("b.so", "twice", NULL), AFTER, 640);
	assert_int_equal(comparison__unite(&comparison), 0);
	assert_int_equal(
		differences__find(&differences, &comparison, UNIT_FUNCTION, PER_PROCESS), 0);
	moved = find(&differences, "move");
	assert_int_equal(moved->kind, DIFFERENCE_MOVED);
	assert_int_equal(moved->n[BEFORE], 640);
	assert_int_equal(moved->n[AFTER], 640);
	assert_int_equal(differences.n, 5);
	differences__free(&differences);
	comparison__free(&comparison);
}

static void files_part_functions_of_one_name(void **unused)
{
	struct differences differences;

	(void)unused;
	assert_int_equal(comparison__init(&comparison), 0);
	for (int side = 0; side < SIDES; side++) {
		spread(function("server", "init", "a.c"), side, 640);
		spread(function("server", "init", "b.c"), side, 1280);
		/* Here the file has another name, and is no other function. */
		spread(function("server", "parse", side ? "new.c" : "old.c"), side, 640);
	}
	/* A caller, whose file is not known. */
	function("server", "init", NULL);
	assert_int_equal(comparison__unite(&comparison), 0);
	assert_int_equal(differences__find(&differences, &comparison, UNIT_FUNCTION, PER_DSO), 0);
	assert_int_equal(differences.n, 3);
	assert_int_equal(differences.n_marked, 0);
	assert_int_equal(find(&differences, "parse")->n[AFTER], 640);
	differences__free(&differences);
	comparison__free(&comparison);
}

static void a_new_name_for_as_much_may_be_a_renaming(void **unused)
{
	struct differences differences;
	const struct difference *old, *new;

	(void)unused;
	assert_int_equal(comparison__init(&comparison), 0);
	for (int side = 0; side < SIDES; side++) {
		spread(function("server", "main", NULL), side, 6400);
		spread(function("server", side ? "new" : "old", NULL), side, 640);
	}
	spread(function("server", "other", NULL), AFTER, 1920);
	assert_int_equal(comparison__unite(&comparison), 0);
	assert_int_equal(
		differences__find(&differences, &comparison, UNIT_FUNCTION, PER_PROCESS), 0);
	old = find(&differences, "old");
	new = find(&differences, "new");
	assert_int_equal(old->kind, DIFFERENCE_GONE);
	assert_int_equal(new->kind, DIFFERENCE_NEW);
	assert_ptr_equal(&differences.v[old->renamed], new);
	assert_int_equal(find(&differences, "other")->renamed, COMPARISON_NONE);
	differences__free(&differences);
	comparison__free(&comparison);
}

/* ---- Chance ---- */

#define FUNCTIONS 40
#define SAMPLES 4000

/*
 * One recording of FUNCTIONS functions, the shares of which fall off. Over a phase of @phase
 * samples on average a function goes on running: the samples are clusters.
 */
static void simulate(enum comparison_side side, const uint32_t *units, double slow, double phase)
{
	double shares[FUNCTIONS], all = 0;
	uint32_t now = 0;

	for (int i = 0; i < FUNCTIONS; i++) {
		shares[i] = 1.0 / (1 + i) * (i == 1 ? slow : 1);
		all += shares[i];
	}
	for (uint32_t k = 0; k < SAMPLES; k++) {
		if (!k || random_number() < 1 / phase) {
			double at = random_number() * all;

			for (now = 0; now + 1 < FUNCTIONS && at >= shares[now]; now++)
				at -= shares[now];
		}
		count(units[now], side, k * SLICES_MAX / SAMPLES, 1);
	}
}

struct outcome {
	unsigned int held; /* intervals of all functions that have the truth in them */
	unsigned int held_slow;
	unsigned int marked, found_slow;
	unsigned int any; /* comparisons with a mark */
	unsigned int n;
};

static void try_once(struct outcome *outcome, double slow, double phase)
{
	double before = 0, after = 0;
	struct differences differences;
	uint32_t units[FUNCTIONS];

	assert_int_equal(comparison__init(&comparison), 0);
	for (int i = 0; i < FUNCTIONS; i++) {
		char name[16];

		snprintf(name, sizeof(name), "f%d", i);
		units[i] = function("server", name, NULL);
		before += 1.0 / (1 + i);
		after += 1.0 / (1 + i) * (i == 1 ? slow : 1);
	}
	simulate(BEFORE, units, 1, phase);
	simulate(AFTER, units, slow, phase);
	assert_int_equal(
		differences__find(&differences, &comparison, UNIT_FUNCTION, PER_PROCESS), 0);
	outcome->any += differences.n_marked > 0;
	for (size_t k = 0; k < differences.n; k++) {
		const struct difference *one = &differences.v[k];
		uint32_t i = one->unit;
		double weight = 1.0 / (1 + i);
		double truth = weight * (i == 1 ? slow : 1) / after - weight / before;
		bool held = one->change.low <= truth && truth <= one->change.high;

		outcome->n++;
		outcome->held += held;
		outcome->marked += one->marked;
		if (i == 1) {
			outcome->held_slow += held;
			outcome->found_slow += one->marked;
		}
	}
	differences__free(&differences);
	comparison__free(&comparison);
}

/* Of 200 comparisons. */
static struct outcome try(double slow, double phase)
{
	struct outcome outcome = {0};

	state = 1;
	for (int i = 0; i < 200; i++)
		try_once(&outcome, slow, phase);
	print_message("slower %.1f, phases of %.0f samples: %.1f %% of the intervals have the "
		      "truth, of the slower one %.1f %%; %.2f %% of functions marked, in %u of 200 "
		      "comparisons; the slower one in %u\n",
		slow, phase, 100.0 * outcome.held / outcome.n, outcome.held_slow / 2.0,
		100.0 * outcome.marked / outcome.n, outcome.any, outcome.found_slow);
	return outcome;
}

static void equal_builds_are_hardly_ever_marked(void **unused)
{
	static const double PHASES[] = {1, 10, 100};

	(void)unused;
	for (size_t i = 0; i < sizeof(PHASES) / sizeof(*PHASES); i++) {
		struct outcome outcome = try(1, PHASES[i]);

		assert_true(outcome.marked * 20 <= outcome.n);
		assert_true(outcome.any * 10 <= 200);
		assert_true(outcome.held * 100 >= outcome.n * 95);
	}
}

static void what_is_slower_is_found(void **unused)
{
	struct outcome outcome = try(2, 1);

	(void)unused;
	assert_true(outcome.held * 100 >= outcome.n * 95);
	assert_true(outcome.held_slow * 100 >= 200 * 95);
	assert_true(outcome.found_slow >= 199);
	/* In 4000 samples there are 400 clusters. */
	outcome = try(4, 10);
	assert_true(outcome.held * 100 >= outcome.n * 95);
	assert_true(outcome.held_slow * 100 >= 200 * 95);
	assert_true(outcome.found_slow >= 150);
}

#define TURNS 6
#define TURN_NS 30000.0 /* of the shortest function */
#define PERIOD_NS 500000.0
#define RELEASES 1000

/*
 * A build of tests/tools/release.c: turns of random order, of which a timer takes samples. The last
 * function has another name in each build. What each took of the time of all: @ret_truth.
 */
static void sample_release(enum comparison_side side, const double *lengths, double *ret_truth)
{
	const double end = SAMPLES / 5 * PERIOD_NS;
	double now = 0, next = random_number() * PERIOD_NS;
	uint32_t units[TURNS];

	for (int i = 0; i < TURNS; i++) {
		char name[16];

		snprintf(name, sizeof(name), "f%d", i + (i == TURNS - 1 && side == AFTER));
		units[i] = function("release", name, NULL);
		ret_truth[i] = 0;
	}
	while (now < end) {
		int i = (int)(random_number() * TURNS) % TURNS;
		double length = lengths[i] * TURN_NS;

		for (; next < now + length; next += PERIOD_NS) {
			double slice = next / end * SLICES_MAX;

			count(units[i], side, slice < SLICES_MAX ? (uint32_t)slice : SLICES_MAX - 1,
				1);
		}
		ret_truth[i] += length;
		now += length;
	}
	for (int i = 0; i < TURNS; i++)
		ret_truth[i] /= now;
}

/* Also of what is new, and of what is gone: those two are the last. */
static void intervals_hold_what_a_timer_samples(void **unused)
{
	static const double BEFORE_NS[TURNS] = {4, 1, 2, 2, 2, 2},
			    AFTER_NS[TURNS] = {4, 1, 4, 2, 2, 2};
	unsigned int held[TURNS + 1] = {0};

	(void)unused;
	state = 1;
	for (int run = 0; run < RELEASES; run++) {
		double before[TURNS + 1] = {0}, after[TURNS + 1] = {0};
		struct differences differences;

		assert_int_equal(comparison__init(&comparison), 0);
		sample_release(BEFORE, BEFORE_NS, before);
		sample_release(AFTER, AFTER_NS, after);
		after[TURNS] = after[TURNS - 1];
		after[TURNS - 1] = 0;
		assert_int_equal(
			differences__find(&differences, &comparison, UNIT_FUNCTION, PER_PROCESS),
			0);
		assert_int_equal(differences.n, TURNS + 1);
		for (int i = 0; i <= TURNS; i++) {
			const struct difference *one;
			char name[16];

			snprintf(name, sizeof(name), "f%d", i);
			one = find(&differences, name);
			held[i] += one->change.low <= after[i] - before[i] &&
				   after[i] - before[i] <= one->change.high;
		}
		differences__free(&differences);
		comparison__free(&comparison);
	}
	for (int i = 0; i <= TURNS; i++) {
		print_message("f%d: %.1f %% of the intervals have the truth\n", i,
			100.0 * held[i] / RELEASES);
		assert_true(held[i] * 100 >= RELEASES * 95);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_functions),
		cmocka_unit_test(names_of_dsos),
		cmocka_unit_test(slices_double),
		cmocka_unit_test(intervals_are_newcombes),
		cmocka_unit_test(a_p_value_is_where_the_interval_ends),
		cmocka_unit_test(the_threshold_is_benjamini_and_hochbergs),
		cmocka_unit_test(what_moved_is_one_function),
		cmocka_unit_test(files_part_functions_of_one_name),
		cmocka_unit_test(a_new_name_for_as_much_may_be_a_renaming),
		cmocka_unit_test(equal_builds_are_hardly_ever_marked),
		cmocka_unit_test(what_is_slower_is_found),
		cmocka_unit_test(intervals_hold_what_a_timer_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

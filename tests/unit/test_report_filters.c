// SPDX-License-Identifier: GPL-2.0-only
/* All forms of a report count the same samples, whatever selects them. */
#include "tests/unit/report_fixture.h"

/* third calls second calls first. */
static const uint64_t CHAIN[] = {PERF_CONTEXT_USER, 0x10010, 0x10110, 0x10210};

/* As many threads as the sample's period says. */
static uint32_t beside(void *ctx, const struct model *at, const struct event *event)
{
	(void)ctx;
	(void)at;
	return event->sample.period;
}

static bool is_alone(void *ctx, uint32_t n)
{
	(void)ctx;
	return n == 1;
}

/* Which places are in the function of this name. */
static const bool *places_of(const char *function)
{
	static bool found[PLACES];

	name(NAMES, ENDS);
	for (size_t i = 0; i < samples__n_places(samples); i++)
		found[i] = resolved[i].name && !strcmp(resolved[i].name, function);
	return found;
}

static void is_folded(const struct report_options *options, const char *expected)
{
	struct report_view shown = view(options);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(report_view__folded(out, &shown), 0);
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
}

static void begin_chains(void)
{
	begin(&(struct samples_options){.chains = true, .comm = true, .group = beside});
	comm(1, "a");
	map(1, 0x10000, 0, "/a", 1);
	chain(1, CHAIN, 4);
	chain(1, CHAIN, 4);
	sample(1, 0x10110, 2); /* beside another thread */
	sample(1, 0x10500, 1); /* has no name */
}

static void test_folded_chains_are_of_the_chosen_parallelism(void **state)
{
	struct report_options options = {
		.keys = {REPORT_SYM}, .n_keys = 1, .wants_parallelism = is_alone};

	(void)state;
	begin_chains();
	build(&options);
	assert_int_equal(report__n_wanted(report), 3);
	is_folded(&options, "a;[a] 1\na;third;second;first 2\n");
	end();
}

static void test_folded_chains_end_in_a_name_if_only_names_count(void **state)
{
	struct report_options options = {.keys = {REPORT_SYM}, .n_keys = 1, .only_resolved = true};

	(void)state;
	begin_chains();
	build(&options);
	assert_int_equal(report__n_wanted(report), 3);
	is_folded(&options, "a;second 1\na;third;second;first 2\n");
	end();
}

static void test_folded_chains_end_where_callees_are_ignored(void **state)
{
	struct report_options options = {.keys = {REPORT_SYM}, .n_keys = 1};

	(void)state;
	begin_chains();
	options.roots = places_of("second");
	build(&options);
	assert_int_equal(report__n_wanted(report), 4);
	is_folded(&options, "a;[a] 1\na;second 1\na;third;second 2\n");
	end();
}

static void test_only_samples_with_a_parent_count(void **state)
{
	struct report_options options = {.keys = {REPORT_PARENT, REPORT_SYM}, .n_keys = 2};
	struct report_view shown;
	char *text = NULL;
	size_t size;
	FILE *out;

	(void)state;
	begin_chains();
	options.parents = places_of("third");
	options.only_parents = true;
	build(&options);
	assert_int_equal(report__n_wanted(report), 2);
	assert_int_equal(report__total_n(report, 0), 4);
	is_folded(&options, "a;third;second;first 2\n");
	shown = view(&options);
	shown.hierarchy = true;
	out = open_memstream(&text, &size);
	assert_int_equal(report_view__text(out, &shown), 0);
	fclose(out);
	assert_non_null(strstr(text, "  third\n"));
	assert_null(strstr(text, "[other]"));
	free(text);
	/* As perf, whose relative percentages are of the samples that are shown. */
	report__free(report);
	options.relative = true;
	build(&options);
	assert_int_equal(report__total_n(report, 0), 2);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_folded_chains_are_of_the_chosen_parallelism),
		cmocka_unit_test(test_folded_chains_end_in_a_name_if_only_names_count),
		cmocka_unit_test(test_folded_chains_end_where_callees_are_ignored),
		cmocka_unit_test(test_only_samples_with_a_parent_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

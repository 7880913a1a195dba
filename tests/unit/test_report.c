// SPDX-License-Identifier: GPL-2.0-only
/*
 * What reports promise: samples that are alike are one row, contents that differ are
 * two, callers get what they called, once; and how that is written.
 */
#include "tests/unit/report_fixture.h"
#include "user/model/profile/lacks.h"

static bool is_second(void *ctx, const struct place *place, const struct resolved *found)
{
	(void)ctx;
	(void)place;
	return found->name && !strcmp(found->name, "second");
}

static void test_addresses_of_a_function_are_one_row(void **state)
{
	struct report_options options = {
		.keys = {REPORT_COMM, REPORT_DSO, REPORT_SYM}, .n_keys = 3};

	(void)state;
	begin(&(struct samples_options){.comm = true});
	comm(1, "one");
	comm(2, "two");
	map(1, 0x10000, 0, "/a", 1);
	map(2, 0x20000, 0, "/a", 1);
	sample(1, 0x10010, 5);
	sample(1, 0x10020, 5);
	sample(1, 0x10120, 100);
	sample(2, 0x20010, 1);
	build(&options);
	/* By thread name, too; most first. */
	assert_int_equal(report__n_rows(report), 3);
	assert_string_equal(resolved[report__row(report, 0)->place].name, "second");
	assert_int_equal(report__row(report, 1)->numbers->n, 2);
	assert_int_equal(report__row(report, 1)->numbers->period, 10);
	assert_int_equal(report__total_n(report, 0), 4);
	assert_int_equal(report__total_period(report, 0), 111);
	report__free(report);
	options.keys[0] = REPORT_SYM;
	options.n_keys = 1;
	build(&options);
	assert_int_equal(report__n_rows(report), 2);
	assert_int_equal(report__row(report, 1)->numbers->period, 11);
	/* Selected ones are a part of all, unless percentages are to be relative. */
	report__free(report);
	options.wants = is_second;
	build(&options);
	assert_int_equal(report__n_rows(report), 1);
	assert_int_equal(report__n_wanted(report), 1);
	assert_int_equal(report__total_period(report, 0), 111);
	report__free(report);
	options.relative = true;
	build(&options);
	assert_int_equal(report__n_rows(report), 1);
	assert_int_equal(report__total_n(report, 0), 1);
	assert_int_equal(report__total_period(report, 0), 100);
	end();
}

/* As many threads as the sample's period says. */
static uint32_t beside(void *ctx, const struct model *at, const struct event *event)
{
	(void)ctx;
	(void)at;
	return event->sample.period;
}

static bool is_first_process(void *ctx, uint32_t pid, uint32_t tid)
{
	(void)ctx;
	return pid == 1 && tid == 1;
}

static void test_latency_is_shared_by_the_threads_that_run(void **state)
{
	struct report_options options = {
		.keys = {REPORT_SYM}, .n_keys = 1, .parallel = true, .by_latency = true};

	(void)state;
	begin(&(struct samples_options){
		.group = beside, .parallel = true, .wants_thread = is_first_process});
	comm(1, "one");
	map(1, 0x10000, 0, "/a", 1);
	sample(1, 0x10010, 4);
	sample(1, 0x10110, 2);
	sample(1, 0x10110, 1);
	sample(2, 0x10110, 2); /* of another process: in the total alone */
	build(&options);
	assert_int_equal(report__n_rows(report), 2);
	/* 2/2 + 1/1 is more than 4/4, which has the larger period. */
	assert_string_equal(resolved[report__row(report, 0)->place].name, "second");
	assert_int_equal((int)report__row(report, 0)->numbers->latency, 2);
	assert_int_equal((int)report__row(report, 1)->numbers->latency, 1);
	assert_int_equal((int)report__total_latency(report, 0), 4);
	report__free(report);
	options.by_latency = false;
	build(&options);
	assert_string_equal(resolved[report__row(report, 0)->place].name, "first");
	end();
}

static void test_without_lines_functions_are_told_apart(void **state)
{
	struct report_options options = {.keys = {REPORT_SRCLINE}, .n_keys = 1};

	(void)state;
	begin(&(struct samples_options){0});
	map(1, 0x10000, 0, "/a", 1);
	sample(1, 0x10010, 1);
	sample(1, 0x10020, 1);
	sample(1, 0x10110, 1);
	build(&options);
	assert_int_equal(report__n_rows(report), 2);
	report__free(report);
	for (size_t i = 0; i < samples__n_places(samples); i++)
		resolved[i].srcline = "a.c:1";
	assert_int_equal(report__new(&report, samples, model, resolved, &options), 0);
	assert_int_equal(report__n_rows(report), 1);
	end();
}

static void test_builds_at_one_path_are_two(void **state)
{
	struct report_options options = {.keys = {REPORT_DSO, REPORT_SYM}, .n_keys = 2};
	struct report_view shown;
	char *text = NULL;
	size_t size;
	FILE *out;

	(void)state;
	begin(&(struct samples_options){0});
	map(1, 0x10000, 0, "/bin/a", 1);
	map(2, 0x10000, 0, "/bin/a", 2);
	sample(1, 0x10010, 3);
	sample(2, 0x10010, 1);
	build(&options);
	assert_int_equal(report__n_rows(report), 2);
	assert_true(report__dso(report, report__row(report, 0)->place) !=
		    report__dso(report, report__row(report, 1)->place));
	shown = view(&options);
	out = open_memstream(&text, &size);
	assert_int_equal(report_view__text(out, &shown), 0);
	fclose(out);
	assert_non_null(strstr(text, "75.00%  a (01)         [.] first\n"));
	assert_non_null(strstr(text, "25.00%  a (02)         [.] first\n"));
	free(text);
	end();
}

static void test_callers_are_counted_once(void **state)
{
	/* third calls second calls second calls first. */
	static const uint64_t CHAIN[] = {PERF_CONTEXT_USER, 0x10010, 0x10110, 0x10120, 0x10210};
	struct report_options options = {.keys = {REPORT_SYM}, .n_keys = 1, .children = true};
	struct report_view shown;
	char *text = NULL;
	size_t size;
	FILE *out;

	(void)state;
	begin(&(struct samples_options){.chains = true, .comm = true});
	comm(1, "a;b c");
	map(1, 0x10000, 0, "/a", 1);
	chain(1, CHAIN, 5);
	chain(1, CHAIN, 5);
	sample(1, 0x10110, 1);
	build(&options);
	assert_true(samples__has_chains(samples));
	assert_int_equal(report__n_rows(report), 3);
	assert_string_equal(resolved[report__row(report, 0)->place].name, "second");
	assert_int_equal(report__row(report, 0)->numbers->children_period, 3);
	assert_int_equal(report__row(report, 0)->numbers->period, 1);
	assert_int_equal(report__row(report, 1)->numbers->children_period, 2);
	assert_int_equal(report__row(report, 2)->numbers->children_period, 2);
	assert_int_equal(report__total_period(report, 0), 3);
	shown = view(&options);
	out = open_memstream(&text, &size);
	assert_int_equal(report_view__folded(out, &shown), 0);
	fclose(out);
	assert_string_equal(text, "a:b c;second 1\na:b c;third;second;second;first 2\n");
	free(text);
	end();
}

/* What is drawn below row @i. */
static char *drawn(const struct report_options *options, uint32_t branches)
{
	struct report_view shown = view(options);
	char *text = NULL, *body;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	shown.graph = true;
	shown.graph_branches = branches;
	assert_int_equal(report_view__text(out, &shown), 0);
	fclose(out);
	body = strstr(text, "\n#\n ");
	assert_non_null(body);
	memmove(text, body + 4, strlen(body + 4) + 1);
	return text;
}

static void test_call_graphs_are_drawn_as_perf_does(void **state)
{
	/* third calls second, which calls first; second is also there itself. */
	static const uint64_t LONG[] = {PERF_CONTEXT_USER, 0x10010, 0x10110, 0x10210};
	static const uint64_t SHORT[] = {PERF_CONTEXT_USER, 0x10120, 0x10220};
	static const uint64_t DIRECT[] = {PERF_CONTEXT_USER, 0x10030, 0x10230};
	static const uint64_t NAMELESS[] = {PERF_CONTEXT_USER, 0x10400, 0x10240};
	struct report_options options = {.keys = {REPORT_SYM},
		.n_keys = 1,
		.children = true,
		.graph = REPORT_GRAPH_CALLER,
		.graph_limit = 15};
	char *text;

	(void)state;
	begin(&(struct samples_options){.chains = true});
	map(1, 0x10000, 0, "/a", 1);
	for (int i = 0; i < 5; i++)
		chain(1, LONG, 4);
	for (int i = 0; i < 2; i++)
		chain(1, SHORT, 3);
	for (int i = 0; i < 2; i++)
		chain(1, DIRECT, 3);
	chain(1, NAMELESS, 3);
	build(&options);
	text = drawn(&options, 0);
	assert_string_equal(text, "   100.00%   0.00%  [.] third\n"
				  "            |          \n"
				  "            |--70.00%--second\n"
				  "            |          |          \n"
				  "            |           --50.00%--first\n"
				  "            |          \n"
				  "             --20.00%--first\n"
				  "\n"
				  "     70.00%  70.00%  [.] first\n"
				  "            |\n"
				  "            ---third\n"
				  "               |          \n"
				  "               |--50.00%--second\n"
				  "               |          first\n"
				  "               |          \n"
				  "                --20.00%--first\n"
				  "\n"
				  "     70.00%  20.00%  [.] second\n"
				  "            |          \n"
				  "            |--50.00%--second\n"
				  "            |          first\n"
				  "            |          \n"
				  "             --20.00%--third\n"
				  "                       second\n"
				  "\n"
				  "     10.00%  10.00%  [.] 0x0000000000000400\n"
				  "\n");
	free(text);
	/* The other way round, and of two ways the wider one. */
	report__free(report);
	options.children = false;
	options.graph = REPORT_GRAPH_CALLEE;
	options.graph_limit = 0;
	build(&options);
	text = drawn(&options, 1);
	assert_string_equal(text, "    70.00%  [.] first\n"
				  "            |          \n"
				  "             --50.00%--second\n"
				  "                       third\n"
				  "\n"
				  "     20.00%  [.] second\n"
				  "            |\n"
				  "            ---third\n"
				  "\n"
				  "     10.00%  [.] 0x0000000000000400\n"
				  "            |\n"
				  "            ---third\n"
				  "\n"
				  "\n");
	free(text);
	end();
}

static void test_chains_of_one_path_are_one_in_json(void **state)
{
	static const uint64_t ONE[] = {PERF_CONTEXT_KERNEL, 0x70000, PERF_CONTEXT_USER, 0x10010};
	static const uint64_t OTHER[] = {PERF_CONTEXT_KERNEL, 0x70000, PERF_CONTEXT_USER, 0x10020};
	struct report_options options = {
		.keys = {REPORT_COMM, REPORT_SYM}, .n_keys = 2, .chains = true};
	struct report_view shown;
	char *text = NULL, *at;
	size_t size;
	FILE *out;

	(void)state;
	begin(&(struct samples_options){.chains = true, .comm = true});
	comm(1, "one");
	map(1, 0x10000, 0, "/a", 1);
	chain(1, ONE, 4);
	chain(1, OTHER, 4);
	build(&options);
	shown = view(&options);
	shown.graph = true;
	out = open_memstream(&text, &size);
	assert_int_equal(report_view__json(out, &shown), 0);
	fclose(out);
	at = strstr(text, "{\"type\":\"chain\"");
	assert_non_null(at);
	assert_string_equal(at,
		"{\"type\":\"chain\",\"event\":\"cpu-clock\",\"comm\":\"one\",\"samples\":2,"
		"\"period\":2,\"frames\":[{\"symbol\":null,\"address\":458752,\"kernel\":false,"
		"\"dso\":\"[unknown]\"},{\"symbol\":\"first\",\"kernel\":false,\"dso\":\"a\","
		"\"build_id\":\"01\"}]}\n");
	free(text);
	end();
}

static void test_inlined_functions_are_frames(void **state)
{
	static const uint64_t CHAIN[] = {PERF_CONTEXT_USER, 0x10010, 0x10110};
	static const char *const INLINED[] = {"outer", "inner"};
	struct report_options options = {
		.keys = {REPORT_SYM}, .n_keys = 1, .children = true, .graph = REPORT_GRAPH_CALLEE};
	char *text;

	(void)state;
	begin(&(struct samples_options){.chains = true});
	map(1, 0x10000, 0, "/a", 1);
	chain(1, CHAIN, 3);
	name(NAMES, ENDS);
	for (size_t i = 0; i < samples__n_places(samples); i++)
		if (!strcmp(resolved[i].name, "first")) {
			resolved[i].inlined = INLINED;
			resolved[i].n_inlined = 2;
		}
	options.identities = identities;
	assert_int_equal(report__new(&report, samples, model, resolved, &options), 0);
	assert_int_equal(report__n_rows(report), 4);
	text = drawn(&options, 0);
	/* The sample is in the function that has a symbol, as in perf. */
	assert_non_null(strstr(text, "100.00%  [.] first\n"
				     "            |\n"
				     "            ---inner (inlined)\n"
				     "               outer (inlined)\n"
				     "               first\n"
				     "               second\n"));
	assert_non_null(strstr(text, "100.00%    0.00%  [.] outer (inlined)\n"
				     "            |\n"
				     "            ---first\n"
				     "               second\n"));
	free(text);
	end();
}

/* A chain as long as a damaged file may have it ends in a bounded picture. */
static void test_deep_branches_are_cut(void **state)
{
	static uint64_t ips[402];
	struct report_options options = {
		.keys = {REPORT_DSO}, .n_keys = 1, .children = true, .graph = REPORT_GRAPH_CALLER};
	char *text;

	(void)state;
	begin(&(struct samples_options){.chains = true});
	map(1, 0x10000, 0, "/a", 1);
	ips[0] = PERF_CONTEXT_USER;
	/* Each ends one function further in: a branch at each depth. */
	for (size_t n = 2; n <= 40; n++) {
		for (size_t i = 1; i <= n; i++)
			ips[i] = i % 2 ? 0x10010 : 0x10110;
		chain(1, ips, n + 1);
		chain(1, ips, 2 * n + 1 < 402 ? n + 2 : n);
	}
	for (size_t n = 2; n < 200; n++) {
		for (size_t i = 1; i <= 2 * n; i++)
			ips[2 * n + 1 - i] = i % 2 ? 0x10010 : 0x10110;
		chain(1, ips, 2 * n + 1);
	}
	build(&options);
	text = drawn(&options, 0);
	assert_non_null(strstr(text, "[...]\n"));
	assert_true(strlen(text) < 200000);
	free(text);
	end();
}

static void test_a_caller_is_where_it_called(void **state)
{
	/* The call is second's last instruction: it returns to where third begins. */
	static const uint64_t CHAIN[] = {PERF_CONTEXT_USER, 0x10010, 0x10200};
	struct report_options options = {.keys = {REPORT_SYM}, .n_keys = 1, .children = true};

	(void)state;
	begin(&(struct samples_options){.chains = true});
	map(1, 0x10000, 0, "/a", 1);
	chain(1, CHAIN, 3);
	build(&options);
	assert_int_equal(report__n_rows(report), 2);
	assert_string_equal(resolved[report__row(report, 1)->place].name, "second");
	end();
}

static void test_what_has_no_name_is_told(void **state)
{
	struct report_options options = {.keys = {REPORT_DSO, REPORT_SYM}, .n_keys = 2};
	struct lacks lacks;

	(void)state;
	begin(&(struct samples_options){0});
	map(1, 0x10000, 0, "/a", 1);
	sample(1, 0x10010, 1);
	sample(1, 0x10500, 1);
	sample(1, 0x10600, 1);
	sample(1, 0x90000, 1);
	build(&options);
	/* Each address without a name is a row. */
	assert_int_equal(report__n_rows(report), 4);
	assert_int_equal(lacks__find(&lacks, report, resolved), 0);
	assert_int_equal(lacks.samples, 4);
	assert_int_equal(lacks.n, 2);
	assert_int_equal(lacks.v[0].n, 2);
	assert_int_equal(lacks.v[1].n, 1);
	lacks__free(&lacks);
	end();
}

static void test_threads_have_the_names_of_their_time(void **state)
{
	struct report_options options = {.keys = {REPORT_COMM}, .n_keys = 1};

	(void)state;
	begin(&(struct samples_options){.comm = true});
	comm(1, "before");
	sample(1, 0x10, 1);
	apply(&(struct event){.kind = EVENT_FORK,
		      .pid = 2,
		      .tid = 2,
		      .time_ns = 2,
		      .fork = {.ppid = 1, .ptid = 1}},
		0);
	sample(2, 0x10, 1);
	comm(1, "after");
	sample(1, 0x10, 5);
	sample(77, 0x10, 9);
	build(&options);
	assert_int_equal(report__n_rows(report), 3);
	assert_string_equal(samples__text(samples, report__row(report, 0)->comm), ":77");
	assert_string_equal(samples__text(samples, report__row(report, 1)->comm), "after");
	assert_string_equal(samples__text(samples, report__row(report, 2)->comm), "before");
	assert_int_equal(report__row(report, 2)->numbers->n, 2);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_addresses_of_a_function_are_one_row),
		cmocka_unit_test(test_latency_is_shared_by_the_threads_that_run),
		cmocka_unit_test(test_without_lines_functions_are_told_apart),
		cmocka_unit_test(test_builds_at_one_path_are_two),
		cmocka_unit_test(test_callers_are_counted_once),
		cmocka_unit_test(test_call_graphs_are_drawn_as_perf_does),
		cmocka_unit_test(test_chains_of_one_path_are_one_in_json),
		cmocka_unit_test(test_inlined_functions_are_frames),
		cmocka_unit_test(test_deep_branches_are_cut),
		cmocka_unit_test(test_a_caller_is_where_it_called),
		cmocka_unit_test(test_what_has_no_name_is_told),
		cmocka_unit_test(test_threads_have_the_names_of_their_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * What record's options are made of: filters, names of sample fields, terms of
 * events, and configuration files.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "user/parse/config.h"
#include "user/parse/event/terms.h"
#include "user/parse/event/sample_fields.h"
#include "user/parse/event/sample_filter.h"

static void test_filter(void **state)
{
	struct sample_filter filter;

	(void)state;
	assert_int_equal(sample_filter__parse(&filter,
				 "pid != 1, comm == nginx* || comm=='a,b' && ip >= 0xffff0000, "
				 "cgroup == /a/b",
				 PERF_SAMPLE_CGROUP, NULL),
		0);
	assert_int_equal(filter.n, 5);
	assert_int_equal(filter.terms[0].field, SAMPLE_FILTER_PID);
	assert_int_equal(filter.terms[0].op, SAMPLE_FILTER_NE);
	assert_int_equal(filter.terms[0].value, 1);
	assert_false(filter.terms[0].or_next);
	assert_string_equal(filter.terms[1].comm, "nginx");
	assert_int_equal(filter.terms[1].comm_len, 5);
	assert_true(filter.terms[1].is_prefix && filter.terms[1].or_next);
	assert_string_equal(filter.terms[2].comm, "a,b");
	assert_false(filter.terms[2].is_prefix || filter.terms[2].or_next);
	assert_int_equal(filter.terms[3].op, SAMPLE_FILTER_GE);
	assert_int_equal(filter.terms[3].value, 0xffff0000);
	assert_string_equal(filter.terms[4].path, "/a/b");
	assert_true(sample_filter__has_pids(&filter));
	sample_filter__free(&filter);
}

static void test_refused_filters(void **state)
{
	static const struct {
		const char *text;
		const char *why;
	} rows[] = {
		{"", "begin with"},
		{"pid", "not an operator"},
		{"pid == ", "not a number"},
		{"pid == -1", "not a number"},
		{"pid == 1x", "not a number"},
		{"pid == 99999999999999999999", "not a number"},
		{"pid == 1 tid == 2", "comma"},
		{"pid == 1,", "begin with"},
		{"pid == 1 || ", "begin with"},
		{"pids == 1", "begin with"},
		{"cpu == 1", "PERF_SAMPLE_CPU"},
		{"cgroup == /", "PERF_SAMPLE_CGROUP"},
		{"code_pgsz > 4096", "PERF_SAMPLE_CODE_PAGE_SIZE"},
		{"comm > a", "== and !="},
		{"comm == 'a", "not a thread name"},
		{"comm == sixteen-letters-", "at most 15"},
		{"pid==1,pid==1,pid==1,pid==1,pid==1,pid==1,pid==1,pid==1,pid==1,pid==1,pid==1,"
		 "pid==1,pid==1,pid==1,pid==1,pid==1,pid==1",
			"more than 16"},
	};
	struct sample_filter filter;
	struct error err;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(sample_filter__parse(&filter, rows[i].text, 0, &err), -EINVAL);
		if (!strstr(err.text, rows[i].why))
			fail_msg("'%s' does not say '%s'", err.text, rows[i].why);
		sample_filter__free(&filter);
	}
}

static void test_sample_fields(void **state)
{
	uint64_t bits;

	(void)state;
	assert_int_equal(sample_fields__branches(&bits, "any,u"), 0);
	assert_int_equal(bits, PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER);
	assert_int_equal(sample_fields__branches(&bits, "u|k"), 0);
	assert_int_equal(
		bits, PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_KERNEL);
	assert_int_equal(sample_fields__branches(&bits, "any,"), -EINVAL);
	assert_int_equal(sample_fields__branches(&bits, "an"), -EINVAL);
#ifdef __x86_64__
	assert_int_equal(sample_fields__registers(&bits, "ip,SP"), 0);
	assert_int_equal(bits, 1 << 8 | 1 << 7);
	assert_int_equal(sample_fields__registers(&bits, "ip,xmm0"), -EINVAL);
	/* Those that unwinding wants. */
	assert_int_equal(sample_fields__all_registers(), 0xff0fff);
#endif
}

static int take(struct event_terms *terms, struct perf_event_attr *attr, const char *text)
{
	struct pmu_term term;
	int r;

	memset(terms, 0, sizeof(*terms));
	memset(attr, 0, sizeof(*attr));
	while ((r = pmu_term__next(&text, &term)) > 0) {
		r = event_terms__take(terms, attr, &term, "event", NULL);
		if (r != 1)
			return r;
	}
	return 1;
}

static void test_terms(void **state)
{
	static const char *const wrong[] = {"call-graph=maybe", "stack-size=65529", "period=0",
		"freq=x", "name", "branch_type=some", "overwrite", "time=1", "ratio-to-prev=0.5"};
	struct event_terms terms;
	struct perf_event_attr attr;

	(void)state;
	assert_int_equal(take(&terms, &attr,
				 "config=0x10,config1=2,period=1000,name='mine',call-graph=dwarf,"
				 "stack-size=4090,max-stack=3,no-inherit,branch_type=any|u"),
		1);
	assert_int_equal(attr.config, 0x10);
	assert_int_equal(attr.config1, 2);
	assert_int_equal(attr.sample_period, 1000);
	assert_string_equal(terms.name, "mine");
	assert_int_equal(terms.call_graph, EVENT_CALL_GRAPH_DWARF);
	assert_int_equal(terms.stack_size, 4096);
	assert_int_equal(terms.max_stack, 3);
	assert_true(terms.inherit_given && !terms.inherit);
	assert_true(terms.branch_given);
	assert_int_equal(take(&terms, &attr, "freq=99,inherit"), 1);
	assert_true(attr.freq && attr.sample_freq == 99 && terms.inherit);
	assert_int_equal(take(&terms, &attr, "umask=1"), 0);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(take(&terms, &attr, wrong[i]), -EINVAL);
}

/* Appends "key=value@line;". */
static int append(void *ctx, const char *key, const char *value, size_t line)
{
	char *text = ctx;

	sprintf(text + strlen(text), "%s=%s@%zu;", key, value, line);
	return strcmp(value, "stop") ? 0 : -ECANCELED;
}

static void reads(const char *text, int r, const char *expected)
{
	char got[512] = "";
	size_t line;

	/* A copy of just that size, for ASan to watch. */
	char *copy = malloc(strlen(text) + 1);

	memcpy(copy, text, strlen(text));
	assert_int_equal(config__parse(copy, strlen(text), append, got, &line), r);
	assert_string_equal(got, expected);
	free(copy);
}

static void test_config(void **state)
{
	static const char *const wrong[] = {"key = 1\n", "[a\nb=1", "[a b]\n", "[]\n", "[a]\n=1\n",
		"[a]\nb = \"x\n", "[a]\nb = \\x\n", "[a]\nb c\n", "[a \"b]\n", "[a]\nb = x\\"};

	(void)state;
	reads("", 0, "");
	reads("# perf\n[Call-Graph]\n\trecord-mode = dwarf ; how\n\n[record] build-id=skip\n", 0,
		"call-graph.record-mode=dwarf@3;record.build-id=skip@5;");
	reads("[a \"B c\"]\nD\ne = \" x # y \" z  ", 0, "a.B c.d=true@2;a.B c.e= x # y  z@3;");
	reads("[a]\nb = stop\nc = 1\n", -ECANCELED, "a.b=stop@2;");
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		reads(wrong[i], -EINVAL, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_filter),
		cmocka_unit_test(test_refused_filters),
		cmocka_unit_test(test_sample_fields),
		cmocka_unit_test(test_terms),
		cmocka_unit_test(test_config),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

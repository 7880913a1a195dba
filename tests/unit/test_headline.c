// SPDX-License-Identifier: GPL-2.0-only
/* The headline: 100% only where nothing is missing, and a name for all that is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "user/view/headline.h"

static const char *share(uint64_t part, uint64_t whole)
{
	static char text[16];

	headline__share(text, sizeof(text), part, whole);
	return text;
}

static void a_share_is_never_rounded_up(void **state)
{
	(void)state;
	assert_string_equal(share(1, 1), "100%");
	assert_string_equal(share(0, 3), "0.0%");
	assert_string_equal(share(2, 3), "66.6%");
	assert_string_equal(share(999999, 1000000), "99.9%");
	assert_string_equal(share(UINT64_MAX - 1, UINT64_MAX), "99.9%");
	assert_string_equal(share(UINT64_MAX, UINT64_MAX), "100%");
}

static void what_is_missing_is_named(void **state)
{
	struct model_ledger ledger = {
		.samples = 28,
		.samples_user_identified = 3,
		.samples_user_unidentified = 7,
		.samples_user_anonymous = 5,
		.samples_user_unmapped = 4,
		.samples_kernel = 8,
		.samples_kernel_unidentified = 1,
		.samples_kernel_unmapped = 2,
		.samples_other = 4,
	};
	char text[HEADLINE_MAX];

	(void)state;
	assert_int_equal(headline__identified(&ledger), 10);
	headline__missing(text, sizeof(text), &ledger);
	assert_string_equal(text,
		"4 not mapped, 5 in anonymous memory (JIT), 2 in files without an identity, "
		"2 in unknown kernel text, 1 in kernel text without an identity, "
		"4 in guests or the hypervisor");
}

static void every_headline_fits(void **state)
{
	struct model_ledger ledger;
	char text[HEADLINE_MAX];

	(void)state;
	memset(&ledger, 0xff, sizeof(ledger));
	ledger.samples_user_anonymous = UINT64_MAX / 2;
	headline__missing(text, sizeof(text), &ledger);
	assert_true(strlen(text) < HEADLINE_MAX - 1);
	assert_non_null(strstr(text, "hypervisor"));
	memset(&ledger, 0, sizeof(ledger));
	headline__missing(text, sizeof(text), &ledger);
	assert_string_equal(text, "");
}

static void losses_have_a_share_and_a_remedy(void **state)
{
	static const char stamp[] = "loss=perf-rings 9 1 2\nloss=ring-full 1 1 2\n";
	struct model_ledger ledger = {.samples = 90, .lost_records = 9, .lost_samples = 1};
	char text[HEADLINE_MAX];

	(void)state;
	headline__lost(text, sizeof(text), &ledger, NULL, 0);
	assert_non_null(strstr(text, "10 records were lost"));
	assert_non_null(strstr(text, "(10.0% of "));
	assert_non_null(strstr(text, "record with a larger -m or a lower -F"));
	headline__lost(text, sizeof(text), &ledger, stamp, sizeof(stamp) - 1);
	assert_non_null(strstr(text, "a lower -F, and with a larger --map-ring-size"));
	ledger = (struct model_ledger){.samples = 1000000, .lost_records = 1};
	headline__lost(text, sizeof(text), &ledger, NULL, 0);
	assert_non_null(strstr(text, "1 record was lost"));
	assert_non_null(strstr(text, "(under 0.1% of "));
	ledger.lost_records = 0;
	headline__lost(text, sizeof(text), &ledger, NULL, 0);
	assert_string_equal(text, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_share_is_never_rounded_up),
		cmocka_unit_test(what_is_missing_is_named),
		cmocka_unit_test(every_headline_fits),
		cmocka_unit_test(losses_have_a_share_and_a_remedy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

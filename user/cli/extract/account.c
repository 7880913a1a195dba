// SPDX-License-Identifier: GPL-2.0-only
/* See account.h. */
#include "user/cli/extract/account.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "user/base/text.h"
#include "user/view/headline.h"

#define NS_PER_S 1000000000ull
#define SHOWN_MAX 4 /* number of builds to list; the others are summed */

/* The samples at the paths of the wanted builds. */
struct account {
	uint64_t wanted;
	uint64_t others;
	uint64_t wanted_last_ns; /* ns since the epoch; 0: not known */
	uint64_t others_last_ns;
	const struct build *first; /* the first wanted build */
	size_t n_wanted;           /* number of distinct build-ids */
	struct other {
		const struct build *build;
		uint64_t samples;
	} * other; /* sums by build-id, the most samples first */
	size_t n_other;
};

static void later(uint64_t *last_ns, const struct build *build)
{
	if (build->samples && build->last_ns > *last_ns)
		*last_ns = build->last_ns;
}

static bool is_known(const struct builds *builds, size_t n, const struct build *build)
{
	for (size_t i = 0; i < n; i++)
		if (builds->wanted[i]->id_size == build->id_size &&
			!memcmp(builds->wanted[i]->id, build->id, build->id_size))
			return true;
	return false;
}

static int by_samples(const void *a, const void *b)
{
	const struct other *one = a, *other = b;

	return (one->samples < other->samples) - (one->samples > other->samples);
}

static void add_other(struct account *account, const struct build *build)
{
	size_t i = 0;

	while (i < account->n_other &&
		(account->other[i].build->id_size != build->id_size ||
			memcmp(account->other[i].build->id, build->id, build->id_size) != 0))
		i++;
	account->other[i].build = build;
	account->other[i].samples += build->samples;
	account->n_other += i == account->n_other;
}

static void sum_up(const struct builds *builds, struct account *account)
{
	*account = (struct account){
		.other = calloc(HASH_COUNT(builds->all) + 1, sizeof(struct other))};
	for (size_t i = 0; i < builds->n_wanted; i++) {
		account->wanted += builds->wanted[i]->samples;
		later(&account->wanted_last_ns, builds->wanted[i]);
		account->n_wanted += !is_known(builds, i, builds->wanted[i]);
		account->first = builds->wanted[0];
	}
	for (const struct build *build = builds->all; build; build = build->hh.next) {
		if (build->wanted || !build->samples || !builds__has_name(builds, build->path))
			continue;
		account->others += build->samples;
		later(&account->others_last_ns, build);
		if (account->other)
			add_other(account, build);
	}
	if (account->other)
		qsort(account->other, account->n_other, sizeof(*account->other), by_samples);
}

static void put_id(const struct build *build, size_t digits)
{
	char id[2 * PERFSTAMP_BUILD_ID_MAX + 1];

	text__hex(id, sizeof(id), build->id, build->id_size);
	printf("%.*s", (int)digits, build->id_size ? id : "content without a build-id");
}

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void print_date(uint64_t ns)
{
	time_t seconds = (time_t)(ns / NS_PER_S);
	struct tm tm;
	char text[40];

	if (gmtime_r(&seconds, &tm) && strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &tm))
		fputs(text, stdout);
}

static void print_coverage(const struct account *account)
{
	char share[HEADLINE_MAX];
	uint64_t rest = account->others;

	if (!account->wanted && !account->others)
		return;
	headline__share(share, sizeof(share), account->wanted, account->wanted + account->others);
	printf("  coverage: %s of the %" PRIu64 " samples in files of this name", share,
		account->wanted + account->others);
	for (size_t i = 0; i < account->n_other && i < SHOWN_MAX; i++) {
		printf("%s%" PRIu64 " in ", i ? ", " : "; others: ", account->other[i].samples);
		put_id(account->other[i].build, account->other[i].build->id_size ? 12 : 40);
		rest -= account->other[i].samples;
	}
	if (rest)
		printf(", %" PRIu64 " in other builds", rest);
	printf("\n");
}

static void print_age(const struct account *account)
{
	uint64_t last = account->wanted_last_ns, other = account->others_last_ns;

	if (!last)
		return;
	printf("  last sample: ");
	print_date(last);
	if (other > last)
		printf("; other builds were sampled until %.1f s later",
			(double)(other - last) / NS_PER_S);
	else if (account->others)
		printf("; no other build was sampled later");
	printf("\n");
}

static void print_files(const struct extraction *extraction, size_t n_files, size_t n_boots)
{
	if (extraction->options->n_paths == 1)
		return;
	printf("  files: %zu of %zu have such samples", n_files, extraction->options->n_paths);
	if (n_boots > 1)
		printf(", of %zu machines or boots", n_boots);
	printf("\n");
}

static void print_bolt(const struct extraction *extraction)
{
	uint64_t n = bolt__n_branches(extraction->bolt),
		 outside = bolt__n_outside(extraction->bolt);

	printf("  branches: %" PRIu64 " from or to it", n);
	if (outside)
		printf("; %" PRIu64 " address%s outside of the code of %s", outside,
			outside == 1 ? "" : "es", extraction->options->binary);
	printf("\n");
}

void account__print(const struct extraction *extraction, size_t n_files, size_t n_boots)
{
	uint64_t n = extraction->n_samples;
	struct account account;

	printf("%s: %" PRIu64 " sample%s", extraction->options->out, n, plural(n));
	if (!extraction->by_build) {
		printf("; %" PRIu64 " others omitted\n", extraction->n_other_samples);
		print_files(extraction, n_files, n_boots);
		return;
	}
	sum_up(&extraction->builds, &account);
	if (account.n_wanted == 1) {
		printf(" of build ");
		put_id(account.first, 2 * PERFSTAMP_BUILD_ID_MAX);
	} else {
		printf(" of %zu builds", account.n_wanted);
	}
	printf("; %" PRIu64 " of other builds at the same path omitted\n", account.others);
	print_coverage(&account);
	print_age(&account);
	print_files(extraction, n_files, n_boots);
	if (extraction->bolt)
		print_bolt(extraction);
	free(account.other);
}

// SPDX-License-Identifier: GPL-2.0-only
/* See headline.h. */
#include "user/view/headline.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "user/perfdata/features/counters.h"
#include "user/view/loss.h"

static uint64_t unidentified_in_files(const struct model_ledger *ledger)
{
	return ledger->samples_user_unidentified - ledger->samples_user_anonymous;
}

uint64_t headline__identified(const struct model_ledger *ledger)
{
	return ledger->samples_user_identified + ledger->samples_kernel -
	       ledger->samples_kernel_unidentified;
}

void headline__share(char *text, size_t size, uint64_t part, uint64_t whole)
{
	/* The floating-point product cannot overflow, and the comparison is exact. */
	unsigned int permille = (unsigned int)((double)part / (double)whole * 1000);

	if (part >= whole)
		snprintf(text, size, "100%%");
	else if (permille > 999)
		snprintf(text, size, "99.9%%");
	else
		snprintf(text, size, "%u.%u%%", permille / 10, permille % 10);
}

void headline__missing(char *text, size_t size, const struct model_ledger *ledger)
{
	const struct {
		uint64_t n;
		const char *what;
	} parts[] = {
		{ledger->samples_user_unmapped, "not mapped"},
		{ledger->samples_user_anonymous, "in anonymous memory (JIT)"},
		{unidentified_in_files(ledger), "in files without an identity"},
		{ledger->samples_kernel_unmapped, "in unknown kernel text"},
		{ledger->samples_kernel_unidentified, "in kernel text without an identity"},
		{ledger->samples_other, "in guests or the hypervisor"},
	};
	size_t used = 0;

	if (size)
		text[0] = 0;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (!parts[i].n || used >= size)
			continue;
		used += snprintf(text + used, size - used, "%s%" PRIu64 " %s", used ? ", " : "",
			parts[i].n, parts[i].what);
	}
}

void headline__text(char *text, size_t size, const struct model_ledger *ledger)
{
	char share[16], missing[HEADLINE_MAX];

	text[0] = 0;
	if (!ledger->samples)
		return;
	headline__share(share, sizeof(share), headline__identified(ledger), ledger->samples);
	headline__missing(missing, sizeof(missing), ledger);
	snprintf(text, size, "%s of %" PRIu64 " sample%s identified%s%s", share, ledger->samples,
		ledger->samples == 1 ? "" : "s", *missing ? "; the others: " : "", missing);
}

/* Writes "record with a larger -m or a lower -F": each remedy once, in the order of the losses. */
static void write_remedies(char *text, size_t size, const char *stamp, size_t stamp_size)
{
	const char *cursor = NULL;
	struct loss loss;

	text[0] = 0;
	while (loss__next(stamp, stamp_size, &cursor, &loss)) {
		const char *what = loss.n ? loss_cause__remedy(loss.cause) : NULL;
		size_t used = strlen(text);

		if (what && !strstr(text, what))
			snprintf(text + used, size - used, "%s%s",
				used ? ", and with " : "; record with ", what);
	}
	if (!stamp)
		snprintf(text, size, "; record with %s", loss_cause__remedy("perf-rings"));
}

void headline__lost(char *text, size_t size, const struct model_ledger *ledger, const char *stamp,
	size_t stamp_size)
{
	uint64_t lost = ledger->lost_records + ledger->lost_samples;
	char share[16], remedies[160];

	text[0] = 0;
	if (!lost)
		return;
	/* Also a loss of less than one in a thousand is reported. */
	if ((double)lost * 1000 < (double)lost + (double)ledger->samples)
		snprintf(share, sizeof(share), "under 0.1%%");
	else
		headline__share(share, sizeof(share), lost, lost + ledger->samples);
	write_remedies(remedies, sizeof(remedies), stamp, stamp_size);
	snprintf(text, size,
		"%" PRIu64 " record%s lost while recording (%s of samples and lost records "
		"together): percentages do not include them%s",
		lost, lost == 1 ? " was" : "s were", share, remedies);
}

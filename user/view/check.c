// SPDX-License-Identifier: GPL-2.0-only
/*
 * check: see check.h.
 */
#include <inttypes.h>

#include "user/view/check.h"
#include "user/view/escaped.h"
#include "user/view/json.h"
#include "user/view/names.h"

/* A thing that can be wrong: how often it is, and what to say. */
struct finding {
	const char *kind;
	uint64_t count;
	const char *text;
};

enum { N_FINDINGS = 6 };

static void find(const struct check_facts *facts, struct finding findings[N_FINDINGS])
{
	const struct model_ledger *ledger = facts->ledger;
	uint64_t missed = ledger->unidentified[PERFSTAMP_REASON_NOT_RESIDENT] +
			  ledger->unidentified[PERFSTAMP_REASON_IO_ERROR] +
			  ledger->unidentified[PERFSTAMP_REASON_LOOKUP_FAILED];

	findings[0] = (struct finding){"damage", facts->damage != NULL, facts->damage};
	findings[1] = (struct finding){
		"unfinished", facts->unfinished, "the recorder did not write a proper end"};
	findings[2] = (struct finding){
		"late-records", facts->late, "records came after younger ones of an earlier round"};
	findings[3] = (struct finding){"lost-records", ledger->lost_records, "records were lost"};
	findings[4] = (struct finding){"lost-samples", ledger->lost_samples, "samples were lost"};
	findings[5] = (struct finding){
		"missed-identities", missed, "executable mappings could not be identified in time"};
}

static int count(const struct finding findings[N_FINDINGS])
{
	int n = 0;

	for (int i = 0; i < N_FINDINGS; i++)
		n += findings[i].count > 0;
	return n;
}

static uint64_t identified_by_build_id(const struct model_ledger *ledger)
{
	uint64_t n = 0;

	for (int source = 0; source <= PERFSTAMP_SOURCE_NATIVE; source++)
		n += ledger->by_source[source];
	return n;
}

/* " (99.9 %)"; rounded down, so that 100.0 % is all of them. */
static void write_share(FILE *out, uint64_t part, uint64_t whole)
{
	unsigned int permille = whole ? (unsigned int)(part * 1000 / whole) : 0;

	if (whole)
		fprintf(out, " (%u.%u %%)", permille / 10, permille % 10);
}

static void write_line(FILE *out, const char *what, uint64_t part, uint64_t whole)
{
	fprintf(out, "  %-24s %12" PRIu64, what, part);
	write_share(out, part, whole);
	fputc('\n', out);
}

static void write_mappings(FILE *out, const struct model_ledger *ledger)
{
	uint64_t build_ids = identified_by_build_id(ledger);

	fprintf(out, "executable mappings %19" PRIu64 "\n", ledger->maps);
	write_line(out, "with a build-id", build_ids, ledger->maps);
	for (int source = 0; source <= PERFSTAMP_SOURCE_NATIVE; source++)
		if (ledger->by_source[source]) {
			fprintf(out, "  ");
			write_line(out, source ? name__source(source) : "source unknown",
				ledger->by_source[source], ledger->maps);
		}
	write_line(out, "with a cookie", ledger->cookies, ledger->maps);
	write_line(out, "with neither", ledger->maps - build_ids - ledger->cookies, ledger->maps);
	for (int reason = 0; reason <= PERFSTAMP_REASON_UNKNOWN; reason++)
		if (ledger->unidentified[reason]) {
			fprintf(out, "  ");
			write_line(out, name__reason(reason), ledger->unidentified[reason],
				ledger->maps);
		}
}

static void write_samples(FILE *out, const struct model_ledger *ledger)
{
	uint64_t all = ledger->samples;

	fprintf(out, "samples %31" PRIu64 "\n", all);
	write_line(out, "user, identified", ledger->samples_user_identified, all);
	write_line(out, "user, not identified", ledger->samples_user_unidentified, all);
	write_line(out, "user, not mapped", ledger->samples_user_unmapped, all);
	write_line(out, "kernel", ledger->samples_kernel, all);
	write_line(out, "kernel, not mapped", ledger->samples_kernel_unmapped, all);
	if (ledger->samples_other)
		write_line(out, "guest or hypervisor", ledger->samples_other, all);
}

static void write_text(FILE *out, const struct check_facts *facts, const struct finding *findings)
{
	escaped__write(out, facts->name);
	fprintf(out, ": %s, %" PRIu64 " records, %" PRIu64 " processes\n",
		facts->pipe ? "pipe" : "file", facts->records, facts->ledger->n_processes);
	write_mappings(out, facts->ledger);
	write_samples(out, facts->ledger);
	for (int i = 0; i < N_FINDINGS; i++) {
		if (!findings[i].count)
			continue;
		fprintf(out, "wrong: %s: ", findings[i].kind);
		if (findings[i].text != facts->damage && findings[i].count > 1)
			fprintf(out, "%" PRIu64 " ", findings[i].count);
		escaped__write(out, findings[i].text);
		fputc('\n', out);
	}
	if (!count(findings))
		fprintf(out, "nothing wrong\n");
}

static struct json_object *by_name(const uint64_t *counts, int n, const char *(*name)(unsigned int))
{
	struct json_object *object = json_object_new_object();

	for (int i = 0; i < n; i++)
		if (counts[i])
			json__add_number(object, name(i), counts[i]);
	return object;
}

static const char *source_name(unsigned int source)
{
	return source ? name__source(source) : "unknown";
}

static struct json_object *findings_array(const struct finding *findings)
{
	struct json_object *array = json_object_new_array();

	for (int i = 0; i < N_FINDINGS; i++) {
		struct json_object *object;

		if (!findings[i].count)
			continue;
		object = json_object_new_object();
		json__add_text(object, "kind", findings[i].kind);
		json__add_number(object, "count", findings[i].count);
		json__add_text(object, "text", findings[i].text);
		json_object_array_add(array, object);
	}
	return array;
}

static void write_json(FILE *out, const struct check_facts *facts, const struct finding *findings)
{
	const struct model_ledger *ledger = facts->ledger;
	struct json_object *object = json_object_new_object();
	uint64_t build_ids = identified_by_build_id(ledger);

	json__add_text(object, "file", facts->name);
	json__add_text(object, "form", facts->pipe ? "pipe" : "file");
	json__add_bool(object, "ok", !count(findings));
	json_object_object_add(object, "findings", findings_array(findings));
	json__add_number(object, "records", facts->records);
	json__add_number(object, "end", facts->end);
	json__add_number(object, "processes", ledger->n_processes);
	json__add_number(object, "mappings", ledger->maps);
	json__add_number(object, "mappings_build_id", build_ids);
	json__add_number(object, "mappings_cookie", ledger->cookies);
	json__add_number(object, "mappings_none", ledger->maps - build_ids - ledger->cookies);
	json_object_object_add(object, "build_id_by_source",
		by_name(ledger->by_source, PERFSTAMP_SOURCE_NATIVE + 1, source_name));
	json_object_object_add(object, "without_build_id_by_reason",
		by_name(ledger->by_reason, PERFSTAMP_REASON_UNKNOWN + 1, name__reason));
	json_object_object_add(object, "none_by_reason",
		by_name(ledger->unidentified, PERFSTAMP_REASON_UNKNOWN + 1, name__reason));
	json__add_number(object, "samples", ledger->samples);
	json__add_number(object, "samples_user_identified", ledger->samples_user_identified);
	json__add_number(object, "samples_user_unidentified", ledger->samples_user_unidentified);
	json__add_number(object, "samples_user_unmapped", ledger->samples_user_unmapped);
	json__add_number(object, "samples_kernel", ledger->samples_kernel);
	json__add_number(object, "samples_kernel_unmapped", ledger->samples_kernel_unmapped);
	json__add_number(object, "samples_other", ledger->samples_other);
	json__add_number(object, "lost_records", ledger->lost_records);
	json__add_number(object, "lost_samples", ledger->lost_samples);
	json__write_line(object, out);
}

int check__write(FILE *out, const struct check_facts *facts, bool json)
{
	struct finding findings[N_FINDINGS];

	find(facts, findings);
	if (json)
		write_json(out, facts, findings);
	else
		write_text(out, facts, findings);
	return count(findings);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * See check.h.
 */
#include <inttypes.h>
#include <string.h>

#include "user/view/check/check.h"
#include "user/view/format/escaped.h"
#include "user/view/headline.h"
#include "user/view/format/json.h"
#include "user/view/loss.h"
#include "user/view/format/names.h"

/* A possible finding: its count, and its text. */
struct flaw {
	const char *kind;
	uint64_t count;
	const char *text;
	bool counted; /* print the count as well */
};

enum { N_FLAWS = 8 };

static void find(const struct check_facts *facts, struct flaw flaws[N_FLAWS])
{
	const struct model_ledger *ledger = facts->ledger;
	uint64_t missed = ledger->unidentified[PERFSTAMP_REASON_NOT_RESIDENT] +
			  ledger->unidentified[PERFSTAMP_REASON_IO_ERROR] +
			  ledger->unidentified[PERFSTAMP_REASON_LOOKUP_FAILED];

	const struct flaw all[N_FLAWS] = {
		{"damage", facts->damage != NULL, facts->damage, false},
		{"unfinished", facts->unfinished, "the recording was not closed properly", false},
		{"cut-features", facts->features_cut, "header features beyond the end of the file",
			true},
		{"late-records", facts->late, "records older than an earlier, completed round",
			true},
		{"missing-notes", facts->unresolved,
			"mappings that refer to a note which is damaged or missing", true},
		{"lost-records", ledger->lost_records, "lost records", true},
		{"lost-samples", ledger->lost_samples, "lost samples", true},
		{"missed-identities", missed,
			"executable mappings that could not be identified in time", true},
	};

	memcpy(flaws, all, sizeof(all));
}

static int count(const struct flaw flaws[N_FLAWS])
{
	int n = 0;

	for (int i = 0; i < N_FLAWS; i++)
		n += flaws[i].count > 0;
	return n;
}

static uint64_t identified_by_build_id(const struct model_ledger *ledger)
{
	uint64_t n = 0;

	for (int source = 0; source < PERFSTAMP_SOURCE_COUNT; source++)
		n += ledger->by_source[source];
	return n;
}

static const char *source_name(unsigned int source)
{
	return source ? name__source(source) : "unknown";
}

/* Writes a share as " (99.9 %)". It is rounded down, so 100.0 % means that nothing is missing. */
static void write_share(FILE *out, uint64_t part, uint64_t whole)
{
	unsigned int permille = whole ? (unsigned int)(part * 1000 / whole) : 0;

	if (whole)
		fprintf(out, " (%u.%u %%)", permille / 10, permille % 10);
}

static void write_line(FILE *out, int indent, const char *what, uint64_t part, uint64_t whole)
{
	fprintf(out, "%*s%-*s %12" PRIu64, indent, "", 26 - indent, what, part);
	write_share(out, part, whole);
	fputc('\n', out);
}

static void write_mappings(FILE *out, const struct model_ledger *ledger)
{
	uint64_t build_ids = identified_by_build_id(ledger);
	uint64_t all = ledger->maps;

	write_line(out, 0, "executable mappings", all, 0);
	write_line(out, 2, "with a build-id", build_ids, all);
	for (int source = 0; source < PERFSTAMP_SOURCE_COUNT; source++)
		if (ledger->by_source[source])
			write_line(out, 4, source_name(source), ledger->by_source[source], all);
	write_line(out, 2, "with a cookie", ledger->cookies, all);
	write_line(out, 2, "with neither", all - build_ids - ledger->cookies, all);
	for (int reason = 0; reason < PERFSTAMP_REASON_COUNT; reason++)
		if (ledger->unidentified[reason])
			write_line(out, 4, name__reason(reason), ledger->unidentified[reason], all);
	if (ledger->lost_records)
		fputs("  (mappings that were recorded again after a loss are counted again)\n",
			out);
}

static void write_headline(FILE *out, const struct model_ledger *ledger)
{
	char text[HEADLINE_MAX];

	headline__text(text, sizeof(text), ledger);
	if (*text)
		fprintf(out, "%s\n", text);
}

static void write_samples(FILE *out, const struct model_ledger *ledger)
{
	uint64_t all = ledger->samples;

	write_line(out, 0, "samples", all, 0);
	if (!all)
		return;
	write_line(out, 2, "user, identified", ledger->samples_user_identified, all);
	write_line(out, 2, "user, not identified", ledger->samples_user_unidentified, all);
	write_line(out, 2, "user, not mapped", ledger->samples_user_unmapped, all);
	write_line(out, 2, "kernel", ledger->samples_kernel, all);
	if (ledger->samples_kernel) {
		write_line(out, 4, "image", ledger->samples_kernel_image, all);
		write_line(out, 4, "modules", ledger->samples_kernel_module, all);
		write_line(out, 4, "named only", ledger->samples_kernel_symbol, all);
	}
	write_line(out, 2, "kernel, not mapped", ledger->samples_kernel_unmapped, all);
	if (ledger->samples_other)
		write_line(out, 2, "guest or hypervisor", ledger->samples_other, all);
}

/* Numbers of the kernel modules in a recording. */
struct module_sums {
	uint64_t all;
	uint64_t identified; /* with a build-id */
	uint64_t loaded;     /* loaded while recording */
	uint64_t unloaded;
	uint64_t refused;  /* whose init function failed */
	uint64_t inferred; /* whose load or unload was not observed */
};

static struct module_sums sum_modules(const struct check_facts *facts)
{
	struct module_sums sums = {0};

	if (!facts->model)
		return sums;
	sums.all = model__n_modules(facts->model);
	for (size_t i = 0; i < sums.all; i++) {
		const struct module_life *life = model__module(facts->model, i);

		sums.identified += life->build_id_size != 0;
		sums.loaded += !life->snapshot;
		sums.unloaded += life->unloaded;
		sums.refused += life->init_failed;
		sums.inferred += life->inferred;
	}
	return sums;
}

static void write_modules(FILE *out, const struct check_facts *facts)
{
	struct module_sums sums = sum_modules(facts);

	if (!sums.all)
		return;
	write_line(out, 0, "lifetimes of kernel modules", sums.all, 0);
	write_line(out, 2, "with a build-id", sums.identified, sums.all);
	write_line(out, 2, "loaded meanwhile", sums.loaded, sums.all);
	write_line(out, 2, "unloaded meanwhile", sums.unloaded, sums.all);
	if (sums.refused)
		write_line(out, 2, "whose init failed", sums.refused, sums.all);
	if (sums.inferred)
		write_line(out, 2, "inferred, not observed", sums.inferred, sums.all);
}

static void write_time(FILE *out, uint64_t ns)
{
	fprintf(out, "%" PRIu64 ".%06" PRIu64, ns / 1000000000, ns % 1000000000 / 1000);
}

static void write_losses(FILE *out, const struct check_facts *facts)
{
	const char *cursor = NULL;
	struct loss loss;

	while (loss__next(facts->stamp, facts->stamp_size, &cursor, &loss)) {
		fputs("lost: ", out);
		escaped__write(out, loss.cause);
		fprintf(out, ": %" PRIu64 " between ", loss.n);
		write_time(out, loss.begin_ns);
		fputs(" and ", out);
		write_time(out, loss.end_ns);
		fputc('\n', out);
	}
}

static void write_cgroup_losses(FILE *out, const struct check_facts *facts)
{
	const char *cursor = NULL;
	struct cgroup_loss loss;

	while (cgroup_loss__next(facts->stamp, facts->stamp_size, &cursor, &loss)) {
		fputs("lost by cgroup: ", out);
		if (!loss.id)
			fputs("others", out);
		else if (loss.path[0] == '/')
			escaped__write(out, loss.path);
		else
			fprintf(out, "id %" PRIu64 ", gone", loss.id);
		fprintf(out, ": %" PRIu64 "\n", loss.n);
	}
}

static struct json_object *losses_array(const struct check_facts *facts)
{
	struct json_object *array = json_object_new_array(), *object;
	const char *cursor = NULL;
	struct loss loss;

	while (loss__next(facts->stamp, facts->stamp_size, &cursor, &loss)) {
		object = json_object_new_object();
		json__add_text(object, "cause", loss.cause);
		json__add_number(object, "count", loss.n);
		json__add_number(object, "begin_ns", loss.begin_ns);
		json__add_number(object, "end_ns", loss.end_ns);
		json_object_array_add(array, object);
	}
	return array;
}

static struct json_object *cgroup_losses_array(const struct check_facts *facts)
{
	struct json_object *array = json_object_new_array(), *object;
	const char *cursor = NULL;
	struct cgroup_loss loss;

	while (cgroup_loss__next(facts->stamp, facts->stamp_size, &cursor, &loss)) {
		object = json_object_new_object();
		json__add_text(object, "cgroup", loss.path[0] == '/' ? loss.path : NULL);
		json__add_number(object, "cgroup_id", loss.id);
		json__add_number(object, "count", loss.n);
		json_object_array_add(array, object);
	}
	return array;
}

static const char *form(const struct check_facts *facts)
{
	return facts->pipe ? "pipe" : facts->directory ? "directory" : "file";
}

static void write_text(FILE *out, const struct check_facts *facts, const struct flaw *flaws)
{
	escaped__write(out, facts->name);
	fprintf(out, ": %s, %" PRIu64 " record%s, %" PRIu64 " process%s\n", form(facts),
		facts->records, facts->records == 1 ? "" : "s", facts->ledger->n_processes,
		facts->ledger->n_processes == 1 ? "" : "es");
	write_headline(out, facts->ledger);
	write_mappings(out, facts->ledger);
	write_samples(out, facts->ledger);
	write_modules(out, facts);
	if (facts->cpu_use)
		cpu_use_view__write(out, facts->cpu_use);
	if (facts->ledger->shared_build_ids)
		fprintf(out,
			"note: build-ids that more than one content has (perfstamp list shows "
			"them): %" PRIu64 "\n",
			facts->ledger->shared_build_ids);
	write_losses(out, facts);
	write_cgroup_losses(out, facts);
	for (int i = 0; i < N_FLAWS; i++) {
		if (!flaws[i].count)
			continue;
		fprintf(out, "wrong: %s: ", flaws[i].kind);
		escaped__write(out, flaws[i].text);
		if (flaws[i].counted)
			fprintf(out, ": %" PRIu64, flaws[i].count);
		fputc('\n', out);
	}
	if (!count(flaws))
		fprintf(out, "no problems found\n");
}

static struct json_object *by_name(const uint64_t *counts, int n, const char *(*name)(unsigned int))
{
	struct json_object *object = json_object_new_object();

	for (int i = 0; i < n; i++)
		if (counts[i])
			json__add_number(object, name(i), counts[i]);
	return object;
}

static struct json_object *flaws_array(const struct flaw *flaws)
{
	struct json_object *array = json_object_new_array();

	for (int i = 0; i < N_FLAWS; i++) {
		struct json_object *object;

		if (!flaws[i].count)
			continue;
		object = json_object_new_object();
		json__add_text(object, "kind", flaws[i].kind);
		json__add_number(object, "count", flaws[i].count);
		json__add_text(object, "text", flaws[i].text);
		json_object_array_add(array, object);
	}
	return array;
}

static void write_json(FILE *out, const struct check_facts *facts, const struct flaw *flaws)
{
	const struct model_ledger *ledger = facts->ledger;
	struct json_object *object = json_object_new_object();
	uint64_t build_ids = identified_by_build_id(ledger);
	struct module_sums modules = sum_modules(facts);

	json__add_text(object, "file", facts->name);
	json__add_text(object, "form", form(facts));
	json__add_bool(object, "ok", !count(flaws));
	json_object_object_add(object, "findings", flaws_array(flaws));
	json__add_number(object, "records", facts->records);
	json__add_number(object, "end", facts->end);
	json__add_number(object, "processes", ledger->n_processes);
	json__add_number(object, "mappings", ledger->maps);
	json__add_number(object, "mappings_build_id", build_ids);
	json__add_number(object, "mappings_cookie", ledger->cookies);
	json__add_number(object, "mappings_none", ledger->maps - build_ids - ledger->cookies);
	json_object_object_add(object, "build_id_by_source",
		by_name(ledger->by_source, PERFSTAMP_SOURCE_COUNT, source_name));
	json_object_object_add(object, "without_build_id_by_reason",
		by_name(ledger->by_reason, PERFSTAMP_REASON_COUNT, name__reason));
	json_object_object_add(object, "none_by_reason",
		by_name(ledger->unidentified, PERFSTAMP_REASON_COUNT, name__reason));
	json__add_number(object, "shared_build_ids", ledger->shared_build_ids);
	json__add_number(object, "samples", ledger->samples);
	json__add_number(object, "samples_identified", headline__identified(ledger));
	json__add_number(object, "samples_user_identified", ledger->samples_user_identified);
	json__add_number(object, "samples_user_unidentified", ledger->samples_user_unidentified);
	json__add_number(object, "samples_user_anonymous", ledger->samples_user_anonymous);
	json__add_number(object, "samples_user_unmapped", ledger->samples_user_unmapped);
	json__add_number(object, "samples_kernel", ledger->samples_kernel);
	json__add_number(object, "samples_kernel_image", ledger->samples_kernel_image);
	json__add_number(object, "samples_kernel_module", ledger->samples_kernel_module);
	json__add_number(object, "samples_kernel_symbol", ledger->samples_kernel_symbol);
	json__add_number(
		object, "samples_kernel_unidentified", ledger->samples_kernel_unidentified);
	json__add_number(object, "samples_kernel_unmapped", ledger->samples_kernel_unmapped);
	json__add_number(object, "samples_other", ledger->samples_other);
	json__add_number(object, "modules", modules.all);
	json__add_number(object, "modules_build_id", modules.identified);
	json__add_number(object, "modules_loaded", modules.loaded);
	json__add_number(object, "modules_unloaded", modules.unloaded);
	json__add_number(object, "modules_init_failed", modules.refused);
	json__add_number(object, "modules_inferred", modules.inferred);
	json__add_number(object, "lost_records", ledger->lost_records);
	json__add_number(object, "lost_samples", ledger->lost_samples);
	json_object_object_add(object, "losses", losses_array(facts));
	json_object_object_add(object, "losses_by_cgroup", cgroup_losses_array(facts));
	if (facts->cpu_use)
		json_object_object_add(object, "cpu_time", cpu_use_view__json(facts->cpu_use));
	json__write_line(object, out);
}

int check__write(FILE *out, const struct check_facts *facts, bool json)
{
	struct flaw flaws[N_FLAWS];

	find(facts, flaws);
	if (json)
		write_json(out, facts, flaws);
	else
		write_text(out, facts, flaws);
	return count(flaws);
}

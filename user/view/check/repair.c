// SPDX-License-Identifier: GPL-2.0-only
/*
 * repair__write: see repair.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "user/perfdata/features/features.h"
#include "user/view/format/escaped.h"
#include "user/view/format/json.h"
#include "user/view/format/names.h"
#include "user/view/check/repair.h"

static const struct {
	const char *word;
	const char *text;
} REASONS[REPAIR_REASONS] = {
	[REPAIR_DAMAGE] = {"damage", "bytes that are not records"},
	[REPAIR_CONTRADICTS] = {"contradiction", "records that contradict themselves"},
	[REPAIR_NO_EVENT] = {"no-event", "records of an event that the file does not have"},
	[REPAIR_NOT_READABLE] = {"not-readable", "records that some versions of perf refuse"},
	[REPAIR_LATE_ROUND] = {"late-round", "ends of rounds that are followed by older records"},
};

static void type_of(char *ret, size_t size, const struct repair_drop *drop)
{
	const char *name = name__record(drop->type);

	if (drop->reason == REPAIR_DAMAGE || !drop->type)
		snprintf(ret, size, "-");
	else if (name)
		snprintf(ret, size, "%s", name);
	else
		snprintf(ret, size, "RECORD_%" PRIu32, drop->type);
}

static uint64_t n_offsets(const struct repair_drop *drop)
{
	return drop->count < REPAIR_OFFSETS ? drop->count : REPAIR_OFFSETS;
}

static void write_drop(FILE *out, const struct repair_drop *drop)
{
	char type[24];

	type_of(type, sizeof(type), drop);
	fprintf(out, "dropped: %s", REASONS[drop->reason].text);
	if (strcmp(type, "-"))
		fprintf(out, ": %s", type);
	fprintf(out, ": %" PRIu64 " (%" PRIu64 " bytes) at offset", drop->count, drop->bytes);
	for (uint64_t i = 0; i < n_offsets(drop); i++) {
		fputs(i ? ", " : " ", out);
		if (drop->files[i]) {
			escaped__write(out, drop->files[i]);
			fputc(':', out);
		}
		fprintf(out, "%" PRIu64, drop->offsets[i]);
	}
	fputs(drop->count > REPAIR_OFFSETS ? ", ...\n" : "\n", out);
}

static bool has(const uint64_t *bits, unsigned int id)
{
	return bits[id / 64] >> id % 64 & 1;
}

/* The name of a feature, or "feature 99" if it has none. */
static const char *feature_name(unsigned int id, char *buf, size_t size)
{
	snprintf(buf, size, "feature %u", id);
	return feature__name(id) ? feature__name(id) : buf;
}

static void write_features(FILE *out, const char *what, const uint64_t *bits, const uint64_t *but)
{
	const char *separator = "";
	char buf[24];

	for (unsigned int id = 0; id < PERFDATA_FEATURE_BITS; id++) {
		if (!has(bits, id) || (but && has(but, id)))
			continue;
		fprintf(out, "%s%s", *separator ? separator : what,
			feature_name(id, buf, sizeof(buf)));
		separator = ", ";
	}
	if (*separator)
		fputc('\n', out);
}

static void write_text(
	FILE *out, const struct repair *repair, const char *in_name, const char *out_name)
{
	escaped__write(out, in_name);
	fprintf(out, ": %" PRIu64 " records kept, %" PRIu64 " dropped (%" PRIu64 " bytes), in ",
		repair->kept, repair->dropped, repair->dropped_bytes);
	escaped__write(out, out_name);
	fputc('\n', out);
	for (size_t i = 0; i < repair->n_drops; i++)
		write_drop(out, &repair->drops[i]);
	write_features(
		out, "dropped: header features: ", repair->features_found, repair->features_kept);
	write_features(out, "  of these, damaged: ", repair->features_damaged, NULL);
}

static void add_features(
	struct json_object *object, const char *key, const uint64_t *bits, const uint64_t *but)
{
	struct json_object *array = json_object_new_array();
	char buf[24];

	for (unsigned int id = 0; id < PERFDATA_FEATURE_BITS; id++)
		if (has(bits, id) && !(but && has(but, id)))
			json_object_array_add(
				array, json_object_new_string(feature_name(id, buf, sizeof(buf))));
	json_object_object_add(object, key, array);
}

/* For a recording that is a directory: the file in which the offset is. */
static struct json_object *place_object(const struct repair_drop *drop, uint64_t i)
{
	struct json_object *object = json_object_new_object();

	json__add_text(object, "file", drop->files[i]);
	json__add_number(object, "offset", drop->offsets[i]);
	return object;
}

static struct json_object *drop_object(const struct repair_drop *drop)
{
	struct json_object *object = json_object_new_object();
	struct json_object *offsets = json_object_new_array();
	struct json_object *places = drop->files[0] ? json_object_new_array() : NULL;
	char type[24];

	type_of(type, sizeof(type), drop);
	json__add_text(object, "reason", REASONS[drop->reason].word);
	json__add_text(object, "type", strcmp(type, "-") ? type : NULL);
	json__add_number(object, "count", drop->count);
	json__add_number(object, "bytes", drop->bytes);
	for (uint64_t i = 0; i < n_offsets(drop); i++) {
		json_object_array_add(offsets, json_object_new_uint64(drop->offsets[i]));
		if (places)
			json_object_array_add(places, place_object(drop, i));
	}
	json_object_object_add(object, "offsets", offsets);
	if (places)
		json_object_object_add(object, "places", places);
	return object;
}

static void write_json(
	FILE *out, const struct repair *repair, const char *in_name, const char *out_name)
{
	struct json_object *object = json_object_new_object();
	struct json_object *drops = json_object_new_array();

	json__add_text(object, "file", in_name);
	json__add_text(object, "copy", out_name);
	json__add_number(object, "kept", repair->kept);
	json__add_number(object, "dropped", repair->dropped);
	json__add_number(object, "dropped_bytes", repair->dropped_bytes);
	for (size_t i = 0; i < repair->n_drops; i++)
		json_object_array_add(drops, drop_object(&repair->drops[i]));
	json_object_object_add(object, "drops", drops);
	add_features(object, "features_dropped", repair->features_found, repair->features_kept);
	add_features(object, "features_damaged", repair->features_damaged, NULL);
	json__write_line(object, out);
}

void repair__write(FILE *out, const struct repair *repair, const char *in_name,
	const char *out_name, bool json)
{
	if (json)
		write_json(out, repair, in_name, out_name);
	else
		write_text(out, repair, in_name, out_name);
}

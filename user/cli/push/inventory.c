// SPDX-License-Identifier: GPL-2.0-only
/* See inventory.h. */
#include "user/cli/push/inventory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/base/text.h"
#include "user/cli/input.h"
#include "user/cli/push/packages.h"
#include "user/model/replaced/replaced.h"
#include "user/perfdata/features/stamp.h"
#include "user/push/inventory.h"
#include "user/store/cache/cache.h"
#include "user/symbols/lookup.h"
#include "user/view/fleet/rows.h"

struct receiver {
	const struct push_command *command;
	struct database *database; /* NULL: not connected */
	struct cache *cache;       /* NULL: there is none */
	char *cache_dir;
	struct packages *packages;
	uint64_t n_sightings, n_replacements;
};

/* A recording that is being read. */
struct reading {
	struct input input;
	struct replaced *replaced;
	uint64_t begin_ns, end_ns; /* times of the first and last records that have a time */
};

static int take(void *ctx, const struct perfdata_reader *reader, const struct model *model,
	const struct event *event)
{
	struct reading *reading = ctx;
	int err = reading->replaced ? 0 : replaced__new(&reading->replaced, model);

	(void)reader;
	if (event->time_ns && !reading->begin_ns)
		reading->begin_ns = event->time_ns;
	if (event->time_ns > reading->end_ns)
		reading->end_ns = event->time_ns;
	return err ? err : replaced__apply(reading->replaced, event, NULL, NULL);
}

static uint64_t stamp_number(const struct input *input, const char *key)
{
	char text[24];

	if (!input->stamp ||
		stamp__get(input->stamp, input->stamp_size, key, text, sizeof(text)) < 0)
		return 0;
	return strtoull(text, NULL, 10);
}

static const char *stamp_text(const struct input *input, const char *key, char *ret, size_t size)
{
	if (!input->stamp || stamp__get(input->stamp, input->stamp_size, key, ret, size) < 0)
		*ret = '\0';
	text__sanitize(ret);
	return ret;
}

static bool has_file(void *ctx, const struct perfstamp_identity *identity)
{
	const struct receiver *receiver = ctx;
	struct cache_entry entry;

	if (!receiver->cache)
		return false;
	if (!lookup__find(receiver->cache, identity, identity->cookie_size > 0, &entry))
		return true;
	/* Only binaries have cookies. */
	return !lookup__find(receiver->cache, identity, false, &entry) &&
	       (entry.there[CACHE_DEBUG] || !entry.there[CACHE_ELF]);
}

static size_t find_packages(void *ctx, const struct perfstamp_identity *identity, const char *path,
	struct fleet_package ret[FLEET_PACKAGES_MAX])
{
	struct receiver *receiver = ctx;

	return packages__find(receiver->packages, identity, path, ret);
}

static int64_t wall_of(const struct reading *reading, const struct push_file *file)
{
	int64_t mtime_ns = file->st.st_mtim.tv_sec * 1000000000 + file->st.st_mtim.tv_nsec;

	return reading->input.has_wall ? reading->input.wall_ns
				       : mtime_ns - (int64_t)(reading->end_ns & INT64_MAX);
}

/*
 * Finds the time span of a recording. If its processes only slept, no record may have a time. Then
 * it begins at the time in its header, and ends at the last modification of the file.
 */
static void find_times(struct reading *reading, const struct push_file *file)
{
	int64_t mtime_ns = file->st.st_mtim.tv_sec * 1000000000 + file->st.st_mtim.tv_nsec;
	uint64_t begin_ns = stamp_number(&reading->input, "file.begin");

	if (!reading->end_ns && reading->input.has_wall && mtime_ns > reading->input.wall_ns)
		reading->end_ns = mtime_ns - reading->input.wall_ns;
	if (reading->end_ns < begin_ns)
		reading->end_ns = begin_ns;
	if (!reading->begin_ns)
		reading->begin_ns = begin_ns ? begin_ns : reading->end_ns;
}

static int connect(struct receiver *receiver, const struct inventory_table *tables, size_t n,
	struct error *err)
{
	int code;

	if (receiver->database)
		return 0;
	code = database__open(&receiver->database, receiver->command->url, "perfstamp push", err);
	return code ? code : inventory__begin(receiver->database, tables, n, err);
}

/* Writes the name of the file or directory at @path, escaped, into @ret. */
static void take_name(const char *path, char *ret, size_t size)
{
	size_t end = strlen(path), start;
	char name[NAME_MAX + 1];

	while (end > 1 && path[end - 1] == '/')
		end--;
	for (start = end; start && path[start - 1] != '/'; start--)
		;
	snprintf(name, sizeof(name), "%.*s", (int)(end - start), path + start);
	text__escape(ret, size, name);
}

static int put(struct receiver *receiver, struct reading *reading, const struct push_file *file,
	const struct fleet_rows *rows, bool *ret_taken, struct error *err)
{
	const struct input *input = &reading->input;
	const struct model_ledger *ledger = model__ledger(input->model);
	const char *host = receiver->command->host;
	char own[256] = "unknown", name[4 * NAME_MAX + 1], boot[64], rung[64];
	char kernel[256], arch[64];
	struct inventory_table tables[FLEET_TABLES];
	int64_t wall_ns = wall_of(reading, file);
	struct inventory_file to = {
		.name = name,
		.number = stamp_number(input, "file.number"),
		.begins_us = fleet__time_us(wall_ns, reading->begin_ns),
		.ends_us = fleet__time_us(wall_ns, reading->end_ns),
		.clock_recorded = input->has_wall,
		.complete = !input->unfinished && !input->damaged,
		.boot = stamp_text(input, "boot", boot, sizeof(boot)),
		.rung = stamp_text(input, "rung", rung, sizeof(rung)),
		.kernel = kernel,
		.arch = arch,
		.maps = ledger->maps,
		.cookies = ledger->cookies,
		.samples = ledger->samples,
		.lost_records = ledger->lost_records,
		.lost_samples = ledger->lost_samples,
		.tables = tables,
		.n_tables = FLEET_TABLES,
	};
	char host_name[4 * 256];
	int code;

	for (size_t i = 0; i < PERFSTAMP_SOURCE_COUNT; i++)
		to.identified += ledger->by_source[i];
	for (size_t i = 0; i < FLEET_TABLES; i++)
		tables[i] = (struct inventory_table){
			.name = fleet_table__name(i),
			.columns = fleet_table__columns(i),
			.rows = rows->tables[i].data,
			.size = rows->tables[i].size,
		};
	if (!host)
		host = input->hostname;
	if (!host && !gethostname(own, sizeof(own) - 1))
		host = own;
	text__escape(host_name, sizeof(host_name), host ? host : own);
	to.host = host_name;
	take_name(file->path, name, sizeof(name));
	text__escape(kernel, sizeof(kernel), input->osrelease ? input->osrelease : "");
	text__escape(arch, sizeof(arch), input->arch ? input->arch : "");
	code = push_file__digest(file, to.sha256, err);
	if (!code)
		code = connect(receiver, tables, FLEET_TABLES, err);
	if (!code)
		code = inventory__put(receiver->database, &to, ret_taken, err);
	return code;
}

static int send_reading(struct receiver *receiver, struct reading *reading,
	const struct push_file *file, bool *ret_taken, struct error *err)
{
	const struct fleet_source source = {
		.model = reading->input.model,
		.end_ns = reading->end_ns,
		.replaced = reading->replaced,
		.header_ids = &reading->input.header_ids,
		.stamp = reading->input.stamp,
		.stamp_size = reading->input.stamp_size,
		.wall_ns = wall_of(reading, file),
		.has_file = has_file,
		.packages = find_packages,
		.ctx = receiver,
	};
	struct fleet_rows rows;
	int code = fleet_rows__make(&rows, &source);

	if (code)
		error__set(err, code, "out of memory");
	else
		code = put(receiver, reading, file, &rows, ret_taken, err);
	if (!code && *ret_taken) {
		receiver->n_sightings += rows.n[FLEET_SIGHTINGS];
		receiver->n_replacements += rows.n[FLEET_REPLACEMENTS];
	}
	fleet_rows__free(&rows);
	packages__end(receiver->packages);
	if (code && packages__forget(receiver->packages))
		code = error__set(err, -ENOMEM, "out of memory");
	return code;
}

static int inventory_send(void *ctx, const struct push_file *file, enum sent *ret,
	unsigned int *ret_wait_s, struct error *err)
{
	struct receiver *receiver = ctx;
	struct reading reading = {0};
	const struct input_tap tap = {.fn = take, .ctx = &reading};
	bool taken = false;
	int code = push_file__read(file, &tap, receiver->command->force, &reading.input, err);

	*ret_wait_s = 0;
	if (!code)
		find_times(&reading, file);
	if (!code)
		code = send_reading(receiver, &reading, file, &taken, err);
	if (code) {
		/* Closing the connection rolls back the transaction. */
		database__free(receiver->database);
		receiver->database = NULL;
	}
	*ret = taken ? SENT_NEW : SENT_BEFORE;
	replaced__free(reading.replaced);
	input__free(&reading.input);
	return code;
}

static bool takes(const struct push_command *command)
{
	return !command->binaries && database__is_url(command->url);
}

static void inventory_free(void *ctx)
{
	struct receiver *receiver = ctx;

	if (!receiver)
		return;
	database__free(receiver->database);
	packages__free(receiver->packages);
	cache__free(receiver->cache);
	free(receiver->cache_dir);
	free(receiver);
}

static int inventory_open(void **ret, const struct push_command *command, struct error *err)
{
	struct receiver *receiver;
	struct error ignored;
	int code = database__check_url(command->url, err);

	*ret = NULL;
	if (code)
		return code;
	receiver = calloc(1, sizeof(*receiver));
	if (!receiver)
		return error__set(err, -ENOMEM, "out of memory");
	receiver->command = command;
	code = store__directory(&receiver->cache_dir, command->buildid_dir, err);
	/* Without HOME there is no cache, unless one was named. */
	if (!code)
		code = cache__open(&receiver->cache, receiver->cache_dir, false,
			command->buildid_dir ? err : &ignored);
	if (code && !command->buildid_dir && code != -ENOMEM)
		code = 0;
	if (!code && packages__new(&receiver->packages, receiver->cache))
		code = error__set(err, -ENOMEM, "out of memory");
	if (code) {
		inventory_free(receiver);
		return code;
	}
	*ret = receiver;
	return 0;
}

static void describe(const void *ctx, char *ret, size_t size)
{
	const struct receiver *receiver = ctx;

	snprintf(ret, size, "%" PRIu64 " sighting%s, %" PRIu64 " replacement%s",
		receiver->n_sightings, receiver->n_sightings == 1 ? "" : "s",
		receiver->n_replacements, receiver->n_replacements == 1 ? "" : "s");
}

static const char *kind(const void *ctx)
{
	(void)ctx;
	return "postgresql";
}

static struct receiver_totals totals(const void *ctx)
{
	const struct receiver *receiver = ctx;

	return (struct receiver_totals){.rows = receiver->n_sightings + receiver->n_replacements};
}

const struct receiver_ops INVENTORY_RECEIVER = {
	.kind = kind,
	.takes = takes,
	.open = inventory_open,
	.send = inventory_send,
	.describe = describe,
	.totals = totals,
	.free = inventory_free,
};

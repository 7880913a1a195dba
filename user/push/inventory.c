// SPDX-License-Identifier: GPL-2.0-only
/* See inventory.h. */
#include "user/push/inventory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/buffer.h"
#include "user/base/text.h"

#define SCHEMA_VERSION "3"

static const char SCHEMA[] = {
#include <schema.sql.inc>
	0};

/*
 * Temporary tables: the rows to which add_file() gives numbers, and the sightings that refer to
 * them.
 */
static const char OWN_TABLES[] =
	"CREATE TEMPORARY TABLE of_contents (n integer, content integer) ON COMMIT DELETE ROWS;"
	"CREATE TEMPORARY TABLE of_paths (n integer, key bytea, path_id integer) ON COMMIT DELETE "
	"ROWS;"
	"CREATE TEMPORARY TABLE of_places (n integer, key bytea, place integer) ON COMMIT DELETE "
	"ROWS;"
	"CREATE INDEX ON of_contents (n); CREATE INDEX ON of_paths (n);"
	"CREATE INDEX ON of_places (n);"
	"CREATE TEMPORARY TABLE of_sightings (first_seen timestamptz, last_seen timestamptz,"
	" mappings bigint, samples bigint, content integer, path_id integer, processes integer,"
	" kernel boolean, alive boolean, read_late boolean, places integer[])"
	" ON COMMIT DELETE ROWS";

/* *@ret: the database has a schema, whose version is in @version. */
static int find_version(
	struct database *database, bool *ret, char *version, size_t size, struct error *err)
{
	struct database_answer answer;
	int code = database__ask(database, "SELECT to_regclass('perfstamp.version') IS NOT NULL",
		NULL, 0, &answer, err);

	if (code)
		return code;
	*ret = *database_answer__text(&answer, 0, 0) == 't';
	database_answer__free(&answer);
	if (!*ret)
		return 0;
	code = database__ask(
		database, "SELECT max(version) FROM perfstamp.version", NULL, 0, &answer, err);
	if (code)
		return code;
	snprintf(version, size, "%s",
		database_answer__text(&answer, 0, 0) ? database_answer__text(&answer, 0, 0) : "");
	database_answer__free(&answer);
	return 0;
}

int inventory__check_schema(struct database *database, struct error *err)
{
	char version[32];
	bool there;
	int code = find_version(database, &there, version, sizeof(version), err);

	if (code)
		return code;
	if (!there)
		return error__set(err, -EIO,
			"the database has no tables of perfstamp: its owner makes them with "
			"`perfstamp fleet setup'");
	if (strcmp(version, SCHEMA_VERSION) != 0)
		return error__set(err, -EIO,
			"the tables in the database are of version %s, this program requires "
			"version " SCHEMA_VERSION ": use a perfstamp of the same version",
			version);
	return 0;
}

/* The part of the schema that can be applied again. */
static const char *views(void)
{
	return strstr(SCHEMA, "\n-- Views: ");
}

int inventory__make_schema(struct database *database, bool *ret_made, struct error *err)
{
	char version[32];
	bool there;
	int code = database__run(
		database, "BEGIN; SELECT pg_advisory_xact_lock(hashtext('perfstamp.schema'))", err);

	*ret_made = false;
	if (!code)
		code = find_version(database, &there, version, sizeof(version), err);
	if (!code && there)
		code = inventory__check_schema(database, err);
	if (!code && there)
		code = database__run(database, views(), err);
	else if (!code)
		code = database__run(database, SCHEMA, err);
	if (!code)
		code = database__run(database, "COMMIT", err);
	*ret_made = !code && !there;
	return code;
}

int inventory__begin(struct database *database, const struct inventory_table *tables, size_t n,
	struct error *err)
{
	int code = inventory__check_schema(database, err);
	struct buffer sql;

	if (code)
		return code;
	buffer__init(&sql, 0);
	for (size_t i = 0; i < n; i++)
		buffer__printf(&sql, "CREATE TEMPORARY TABLE %s (%s) ON COMMIT DELETE ROWS;",
			tables[i].name, tables[i].columns);
	buffer__append(&sql, OWN_TABLES, sizeof(OWN_TABLES));
	code = sql.error ? error__set(err, -ENOMEM, "out of memory")
			 : database__run(database, (const char *)sql.data, err);
	buffer__free(&sql);
	return code;
}

/* Runs in a transaction of its own, so that its locks are released at once. */
static int add_day(struct database *database, const char *ends, struct error *err)
{
	struct database_answer answer;
	int code = database__ask(database,
		"SELECT perfstamp.add_day(((to_timestamp($1::numeric / 1000000)) "
		"AT TIME ZONE 'UTC')::date)",
		&ends, 1, &answer, err);

	if (!code)
		database_answer__free(&answer);
	return code;
}

enum {
	NUMBER,
	BEGINS,
	ENDS,
	MAPS,
	IDENTIFIED,
	COOKIES,
	SAMPLES,
	LOST_RECORDS,
	LOST_SAMPLES,
	N_NUMBERS,
};

static int add_file(struct database *database, const struct inventory_file *file,
	char (*numbers)[24], bool *ret_taken, struct error *err)
{
	char sha256[2 * sizeof(file->sha256) + 3] = "\\x";
	const char *const params[] = {
		file->host,
		file->boot,
		sha256,
		file->name,
		file->number ? numbers[NUMBER] : NULL,
		numbers[BEGINS],
		numbers[ENDS],
		file->clock_recorded ? "t" : "f",
		file->complete ? "t" : "f",
		file->kernel,
		file->arch,
		file->rung,
		numbers[MAPS],
		numbers[IDENTIFIED],
		numbers[COOKIES],
		numbers[SAMPLES],
		numbers[LOST_RECORDS],
		numbers[LOST_SAMPLES],
	};
	struct database_answer answer;
	int code;

	text__hex(sha256 + 2, sizeof(sha256) - 2, file->sha256, sizeof(file->sha256));
	code = database__ask(database,
		"SELECT perfstamp.add_file($1, $2, $3::bytea, $4, $5::bigint,"
		" to_timestamp($6::numeric / 1000000), to_timestamp($7::numeric / 1000000),"
		" $8::boolean, $9::boolean, $10, $11, $12, $13::bigint, $14::bigint,"
		" $15::bigint, $16::bigint, $17::bigint, $18::bigint)",
		params, sizeof(params) / sizeof(params[0]), &answer, err);
	if (code)
		return code;
	*ret_taken = database_answer__text(&answer, 0, 0) != NULL;
	database_answer__free(&answer);
	return 0;
}

int inventory__put(struct database *database, const struct inventory_file *file, bool *ret_taken,
	struct error *err)
{
	const uint64_t values[N_NUMBERS] = {
		[NUMBER] = file->number,
		[BEGINS] = (uint64_t)file->begins_us,
		[ENDS] = (uint64_t)file->ends_us,
		[MAPS] = file->maps,
		[IDENTIFIED] = file->identified,
		[COOKIES] = file->cookies,
		[SAMPLES] = file->samples,
		[LOST_RECORDS] = file->lost_records,
		[LOST_SAMPLES] = file->lost_samples,
	};
	char numbers[N_NUMBERS][24];
	int code;

	*ret_taken = false;
	for (size_t i = 0; i < N_NUMBERS; i++)
		snprintf(numbers[i], sizeof(numbers[i]), "%" PRIu64,
			values[i] > INT64_MAX ? INT64_MAX : values[i]);
	code = add_day(database, numbers[ENDS], err);
	if (!code)
		code = database__run(database, "BEGIN", err);
	for (size_t i = 0; i < file->n_tables && !code; i++) {
		const struct inventory_table *table = &file->tables[i];

		code = database__copy(database, table->name, table->rows, table->size, err);
	}
	if (!code)
		code = add_file(database, file, numbers, ret_taken, err);
	if (!code)
		code = database__run(database, "COMMIT", err);
	if (code)
		*ret_taken = false;
	return code;
}

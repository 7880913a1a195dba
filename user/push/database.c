// SPDX-License-Identifier: GPL-2.0-only
/* See database.h. */
#include "user/push/database.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "user/push/libpq.h"

#define COPY_CHUNK ((size_t)1 << 20)

struct database {
	struct libpq pq;
	PGconn *connection;
};

bool database__is_url(const char *url)
{
	return !strncmp(url, "postgresql://", strlen("postgresql://")) ||
	       !strncmp(url, "postgres://", strlen("postgres://"));
}

static bool is_secret(const PQconninfoOption *option)
{
	return option->val && *option->val &&
	       (!strcmp(option->keyword, "password") || !strcmp(option->keyword, "sslpassword"));
}

static int check_url(const struct libpq *pq, const char *url, struct error *err)
{
	PQconninfoOption *options, *option;
	char *text = NULL;
	bool secret = false;

	if (!database__is_url(url))
		return error__set(err, -EINVAL, "a URL of PostgreSQL begins with postgresql://");
	options = pq->PQconninfoParse(url, &text);
	if (!options) {
		/* The library's text may contain the URL. */
		pq->PQfreemem(text);
		return error__set(err, -EINVAL,
			"the URL of the database is malformed; it is "
			"postgresql://[USER@][HOST][:PORT]/DATABASE[?OPTION=VALUE&...]");
	}
	for (option = options; option->keyword; option++)
		secret |= is_secret(option);
	pq->PQconninfoFree(options);
	return secret ? error__set(err, -EINVAL,
				"the URL has a password, which every user of this machine can "
				"read: put it into ~/.pgpass, the file that PGPASSFILE names, or "
				"systemd's credential `pgpass', and change the password")
		      : 0;
}

int database__check_url(const char *url, struct error *err)
{
	struct libpq pq;
	int code = libpq__open(&pq, err);

	return code ? code : check_url(&pq, url, err);
}

/* Uses systemd's credential: a file that only the service can read. */
static void use_credential(void)
{
	const char *directory = getenv("CREDENTIALS_DIRECTORY");
	char *path;

	if (!directory || getenv("PGPASSFILE") || asprintf(&path, "%s/pgpass", directory) < 0)
		return;
	setenv("PGPASSFILE", path, 0);
	free(path);
}

/* Sets the error text to the first line of the library's or the server's text. */
static int fail(int code, const char *text, struct error *err)
{
	return error__set(err, code, "database: %.*s", (int)strcspn(text, "\n"), text);
}

/* Ignores warnings of the server, for example that a table already exists. */
static void ignore_notice(void *ctx, const char *text)
{
	(void)ctx;
	(void)text;
}

int database__open(struct database **ret, const char *url, const char *program, struct error *err)
{
	/*
	 * Parameters of the URL follow these, and override them. The timeout ends a wait for a
	 * server that no longer exists.
	 */
	static const char *const KEYWORDS[] = {"connect_timeout", "keepalives_idle",
		"tcp_user_timeout", "client_encoding", "fallback_application_name", "dbname", NULL};
	const char *const values[] = {"10", "30", "60000", "UTF8", program, url, NULL};
	struct database *database = calloc(1, sizeof(*database));
	int code;

	*ret = NULL;
	if (!database)
		return error__set(err, -ENOMEM, "out of memory");
	code = libpq__open(&database->pq, err);
	if (!code)
		code = check_url(&database->pq, url, err);
	if (code) {
		free(database);
		return code;
	}
	use_credential();
	database->connection = database->pq.PQconnectdbParams(KEYWORDS, values, 1);
	if (database->pq.PQstatus(database->connection) != CONNECTION_OK) {
		code = fail(-EAGAIN, database->pq.PQerrorMessage(database->connection), err);
		database__free(database);
		return code;
	}
	database->pq.PQsetNoticeProcessor(database->connection, ignore_notice, NULL);
	*ret = database;
	return 0;
}

void database__free(struct database *database)
{
	if (!database)
		return;
	if (database->connection)
		database->pq.PQfinish(database->connection);
	free(database);
}

/* Returns the error code for the class of an SQLSTATE (Appendix A of PostgreSQL's manual). */
static int code_of(const char *state)
{
	/*
	 * Connection failure, conflict with others, no resources, object in use, operator
	 * intervention, system error.
	 */
	static const char *const LATER[] = {"08", "40", "53", "55", "57", "58"};

	for (size_t i = 0; i < sizeof(LATER) / sizeof(LATER[0]); i++)
		if (!strncmp(state, LATER[i], 2))
			return -EAGAIN;
	/* Values that are out of range, violate a constraint, or are too large for an index. */
	return !strncmp(state, "22", 2) || !strncmp(state, "23", 2) || !strncmp(state, "54", 2)
		       ? -EBADMSG
		       : -EIO;
}

/* Checks @result, and frees it unless it has the wanted status and the caller takes it. */
static int judge(struct database *database, PGresult *result, ExecStatusType wanted, PGresult **ret,
	struct error *err)
{
	const struct libpq *pq = &database->pq;
	ExecStatusType status = pq->PQresultStatus(result);
	const char *state = NULL;
	int code = 0;

	/* A result without an SQLSTATE is an error of the connection, not of the server. */
	if (status != wanted && !(wanted == PGRES_COMMAND_OK && status == PGRES_TUPLES_OK)) {
		state = pq->PQresultErrorField(result, PG_DIAG_SQLSTATE);
		code = state ? code_of(state) : -EAGAIN;
		fail(code,
			result ? pq->PQresultErrorMessage(result)
			       : pq->PQerrorMessage(database->connection),
			err);
	}
	if (!code && ret)
		*ret = result;
	else
		pq->PQclear(result);
	return code;
}

int database__run(struct database *database, const char *sql, struct error *err)
{
	return judge(database, database->pq.PQexec(database->connection, sql), PGRES_COMMAND_OK,
		NULL, err);
}

int database__copy(struct database *database, const char *table, const void *rows, size_t size,
	struct error *err)
{
	const struct libpq *pq = &database->pq;
	PGresult *result;
	char *sql;
	int code;

	if (!size)
		return 0;
	if (asprintf(&sql, "COPY %s FROM STDIN", table) < 0)
		return error__set(err, -ENOMEM, "out of memory");
	code = judge(database, pq->PQexec(database->connection, sql), PGRES_COPY_IN, NULL, err);
	free(sql);
	if (code)
		return code;
	for (size_t at = 0, n; at < size; at += n) {
		n = size - at < COPY_CHUNK ? size - at : COPY_CHUNK;
		if (pq->PQputCopyData(database->connection, (const char *)rows + at, (int)n) < 0)
			return fail(-EAGAIN, pq->PQerrorMessage(database->connection), err);
	}
	if (pq->PQputCopyEnd(database->connection, NULL) < 0)
		return fail(-EAGAIN, pq->PQerrorMessage(database->connection), err);
	/* The first result is that of the copy; NULL follows the last result. */
	code = judge(database, pq->PQgetResult(database->connection), PGRES_COMMAND_OK, NULL, err);
	while ((result = pq->PQgetResult(database->connection)))
		pq->PQclear(result);
	return code;
}

int database__ask(struct database *database, const char *sql, const char *const *params, size_t n,
	struct database_answer *ret, struct error *err)
{
	const struct libpq *pq = &database->pq;
	PGresult *result = pq->PQexecParams(
		database->connection, sql, (int)n, NULL, params, NULL, NULL, 0);
	int code = judge(database, result, PGRES_TUPLES_OK, &result, err);

	if (code)
		return code;
	*ret = (struct database_answer){
		.n_rows = (size_t)pq->PQntuples(result),
		.n_columns = (size_t)pq->PQnfields(result),
		.result = result,
		.of = database,
	};
	return 0;
}

void database_answer__free(struct database_answer *answer)
{
	answer->of->pq.PQclear(answer->result);
}

const char *database_answer__text(const struct database_answer *answer, size_t row, size_t column)
{
	const struct libpq *pq = &answer->of->pq;

	return pq->PQgetisnull(answer->result, (int)row, (int)column)
		       ? NULL
		       : pq->PQgetvalue(answer->result, (int)row, (int)column);
}

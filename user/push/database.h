/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A connection to PostgreSQL, by a URL without secrets. libpq takes the password from its own
 * sources (.pgpass, a service file, a certificate). Does not know the SQL that it executes.
 */
#ifndef PERFSTAMP_PUSH_DATABASE_H
#define PERFSTAMP_PUSH_DATABASE_H

#include <stdbool.h>
#include <stddef.h>

#include "user/base/error.h"

struct database;

/* Whether @url begins with postgresql:// or postgres://. */
bool database__is_url(const char *url);
/*
 * Checks the URL without connecting. Returns 0, or -EINVAL if it is malformed or has a password,
 * with a text that contains no part of the URL.
 */
int database__check_url(const char *url, struct error *err);

/*
 * Connects; @program is the name that the server shows. Returns 0, -EINVAL as above, -ENOENT if
 * libpq is not installed, or -EAGAIN with text if it may work later.
 */
int database__open(struct database **ret, const char *url, const char *program, struct error *err);
void database__free(struct database *database);

/*
 * Each of the following returns 0, or with text: -EAGAIN if it may work later, on a new connection;
 * -EBADMSG if the server refuses these values; or -EIO. After an error the transaction is undone;
 * free the connection.
 */
/* Executes statements without results. */
int database__run(struct database *database, const char *sql, struct error *err);
/* Copies rows, in the text format of COPY, into @table. */
int database__copy(struct database *database, const char *table, const void *rows, size_t size,
	struct error *err);

struct database_answer {
	size_t n_rows;
	size_t n_columns;
	void *result;
	struct database *of;
};

/* Executes a query. Each of @params is a text or NULL. After 0, the caller frees the answer. */
int database__ask(struct database *database, const char *sql, const char *const *params, size_t n,
	struct database_answer *ret, struct error *err);
void database_answer__free(struct database_answer *answer);
/* Returns NULL for a null value. Valid until the answer is freed. */
const char *database_answer__text(const struct database_answer *answer, size_t row, size_t column);

#endif

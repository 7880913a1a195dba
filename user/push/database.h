/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A connection to PostgreSQL, by a URL without secrets: the password comes from where libpq
 * looks for it (.pgpass, a service file, a certificate). Does not know the SQL that it
 * executes.
 */
#ifndef PERFSTAMP_PUSH_DATABASE_H
#define PERFSTAMP_PUSH_DATABASE_H

#include <stdbool.h>
#include <stddef.h>

#include "user/base/error.h"

struct database;

/* Whether @url is one of these: postgresql:// or postgres://. */
bool database__is_url(const char *url);
/*
 * Whether it can be used, without a connection: returns 0, or -EINVAL with text, which has
 * nothing of the URL, if it is malformed or has a password.
 */
int database__check_url(const char *url, struct error *err);

/*
 * Connects; @program is the name that the server shows. Returns 0, -EINVAL as above,
 * -ENOENT without libpq, or -EAGAIN with text: another time it may work.
 */
int database__open(struct database **ret, const char *url, const char *program, struct error *err);
void database__free(struct database *database);

/*
 * Each of the following returns 0, or with text -EAGAIN if it may work another time, on a new
 * connection; -EBADMSG if the server refuses the very values; or -EIO. Then the transaction is
 * undone; free the connection.
 */
/* Statements without results. */
int database__run(struct database *database, const char *sql, struct error *err);
/* Rows in the text format of COPY, into @table. */
int database__copy(struct database *database, const char *table, const void *rows, size_t size,
	struct error *err);

struct database_answer {
	size_t n_rows;
	size_t n_columns;
	void *result;
	struct database *of;
};

/* @params: each as text, or NULL. To be freed where it returns 0. */
int database__ask(struct database *database, const char *sql, const char *const *params, size_t n,
	struct database_answer *ret, struct error *err);
void database_answer__free(struct database_answer *answer);
/* NULL: it is null. Valid until the answer is freed. */
const char *database_answer__text(const struct database_answer *answer, size_t row, size_t column);

#endif

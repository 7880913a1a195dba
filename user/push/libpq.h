/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PostgreSQL's client library, which is loaded when it is needed: its dependencies would slow down
 * the start of all commands, and a recorder must not contain network code.
 */
#ifndef PERFSTAMP_PUSH_LIBPQ_H
#define PERFSTAMP_PUSH_LIBPQ_H

#include <libpq-fe.h>

#include "user/base/error.h"

#define LIBPQ_FUNCTIONS(F)                                                                         \
	F(PQclear)                                                                                 \
	F(PQconnectdbParams)                                                                       \
	F(PQconninfoFree)                                                                          \
	F(PQconninfoParse)                                                                         \
	F(PQerrorMessage)                                                                          \
	F(PQexec)                                                                                  \
	F(PQexecParams)                                                                            \
	F(PQfinish)                                                                                \
	F(PQfreemem)                                                                               \
	F(PQgetisnull)                                                                             \
	F(PQgetResult)                                                                             \
	F(PQgetvalue)                                                                              \
	F(PQnfields)                                                                               \
	F(PQntuples)                                                                               \
	F(PQputCopyData)                                                                           \
	F(PQputCopyEnd)                                                                            \
	F(PQresultErrorField)                                                                      \
	F(PQresultErrorMessage)                                                                    \
	F(PQresultStatus)                                                                          \
	F(PQsetNoticeProcessor)                                                                    \
	F(PQstatus)

/* Each member has the name of its function. */
struct libpq {
	void *library;
#define LIBPQ_MEMBER(name) __typeof__(name) *name;
	LIBPQ_FUNCTIONS(LIBPQ_MEMBER)
#undef LIBPQ_MEMBER
};

/* Returns 0, or -ENOENT with text if the library is not installed or too old. It stays loaded. */
int libpq__open(struct libpq *ret, struct error *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes a record as named fields, in one line of text or one JSON object, so that the code
 * that describes a record names each field once. Errors stick to the stream.
 */
#ifndef PERFSTAMP_VIEW_FORMAT_FIELDS_H
#define PERFSTAMP_VIEW_FORMAT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct fields;
struct json_object;

/* A form of output. */
struct fields_ops {
	void (*begin)(struct fields *fields, const char *type);
	void (*number)(struct fields *fields, const char *key, uint64_t value);
	void (*pid)(struct fields *fields, const char *key, uint32_t pid); /* -1: the kernel */
	/* an address or flags */
	void (*hex)(struct fields *fields, const char *key, uint64_t value);
	void (*time)(struct fields *fields, const char *key, uint64_t time_ns);
	void (*text)(struct fields *fields, const char *key, const char *text); /* untrusted */
	/* already escaped */
	void (*safe)(struct fields *fields, const char *key, const char *text);
	void (*bytes)(struct fields *fields, const char *key, const void *bytes, size_t size);
	void (*flag)(struct fields *fields, const char *key); /* called only if the flag is set */
	/* Writes a list of numbers in hexadecimal. */
	void (*list)(struct fields *fields, const char *key, const uint64_t *values, size_t n);
	void (*end)(struct fields *fields);
};

struct fields {
	const struct fields_ops *ops;
	FILE *out;
	struct json_object *object; /* used by JSON, between begin and end */
};

extern const struct fields_ops FIELDS_TEXT;
extern const struct fields_ops FIELDS_JSON;

#endif

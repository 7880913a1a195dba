/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table of attributes in OpenTelemetry's dictionary, each value once. It does not
 * choose attributes: those of samples are in otlp.c, those of resources in otlp_resource.c.
 * A part of otlp.c.
 */
#ifndef PERFSTAMP_VIEW_EXPORT_OTLP_ATTRIBUTES_H
#define PERFSTAMP_VIEW_EXPORT_OTLP_ATTRIBUTES_H

#include <stddef.h>
#include <stdint.h>

#include "user/model/profile/numbers.h"
#include "user/model/profile/texts.h"
#include "user/view/export/arena.h"
#include "user/view/export/otlp.pb-c.h"

struct otlp_attribute {
	uint32_t key;
	uint32_t is_text;
	uint64_t value; /* a number, or that of a text */
};

struct otlp_attributes {
	struct texts *texts; /* of the dictionary */
	struct otlp_attribute *v;
	size_t n, room;
	struct numbers by_value;
};

/* The indices of one sample or mapping. */
struct otlp_indices {
	int32_t v[16];
	size_t n;
};

/* Make @attributes empty except for entry 0. Returns 0 or -ENOMEM. */
int otlp_attributes__init(struct otlp_attributes *attributes, struct texts *texts);
/* Add one to @to; a text that is "" is none. Returns 0 or -ENOMEM. */
int otlp_attributes__text(struct otlp_attributes *attributes, struct otlp_indices *to,
	const char *key, const char *value);
int otlp_attributes__number(struct otlp_attributes *attributes, struct otlp_indices *to,
	const char *key, int64_t value);
/* A copy of the indices; NULL without memory. */
int32_t *otlp_indices__copy(const struct otlp_indices *indices, struct arena *arena);
/* To the dictionary. Returns 0 or -ENOMEM. */
int otlp_attributes__write(const struct otlp_attributes *attributes, struct arena *arena,
	Otlp__ProfilesDictionary *ret);
void otlp_attributes__free(struct otlp_attributes *attributes);

#endif

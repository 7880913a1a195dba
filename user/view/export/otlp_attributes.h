/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table of attributes in OpenTelemetry's dictionary, with each value once. Does not choose
 * attributes: otlp.c has those of samples, otlp_resource.c those of resources. A part of otlp.c.
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
	uint64_t value; /* the value, or the number of its text */
};

struct otlp_attributes {
	struct texts *texts; /* the dictionary's texts */
	struct otlp_attribute *v;
	size_t n, room;
	struct numbers by_value;
};

/* The indices of the attributes of one sample or mapping. */
struct otlp_indices {
	int32_t v[16];
	size_t n;
};

/* Initializes @attributes with entry 0 only. Returns 0 or -ENOMEM. */
int otlp_attributes__init(struct otlp_attributes *attributes, struct texts *texts);
/* Adds an attribute to @to, unless its text is "". Returns 0 or -ENOMEM. */
int otlp_attributes__text(struct otlp_attributes *attributes, struct otlp_indices *to,
	const char *key, const char *value);
int otlp_attributes__number(struct otlp_attributes *attributes, struct otlp_indices *to,
	const char *key, int64_t value);
/* Copies the indices. Returns NULL if memory is exhausted. */
int32_t *otlp_indices__copy(const struct otlp_indices *indices, struct arena *arena);
/* Writes the table to the dictionary. Returns 0 or -ENOMEM. */
int otlp_attributes__write(const struct otlp_attributes *attributes, struct arena *arena,
	Otlp__ProfilesDictionary *ret);
void otlp_attributes__free(struct otlp_attributes *attributes);

#endif

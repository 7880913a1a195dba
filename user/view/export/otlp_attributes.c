// SPDX-License-Identifier: GPL-2.0-only
/* See otlp_attributes.h. */
#include "user/view/export/otlp_attributes.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"

static bool is_same(const void *array, uint32_t number, const void *wanted)
{
	const struct otlp_attribute *attribute = (const struct otlp_attribute *)array + number;

	return !memcmp(attribute, wanted, sizeof(*attribute));
}

static int append(
	struct otlp_attributes *attributes, const struct otlp_attribute *attribute, uint32_t *ret)
{
	if (attributes->n >= INT32_MAX || array__reserve(&attributes->v, &attributes->room,
						  attributes->n + 1, sizeof(*attributes->v)))
		return -ENOMEM;
	*ret = attributes->n++;
	attributes->v[*ret] = *attribute;
	return numbers__add(&attributes->by_value, attribute, sizeof(*attribute), *ret);
}

int otlp_attributes__init(struct otlp_attributes *attributes, struct texts *texts)
{
	const struct otlp_attribute zero = {0};
	uint32_t number;

	*attributes = (struct otlp_attributes){.texts = texts};
	return append(attributes, &zero, &number);
}

static int add(struct otlp_attributes *attributes, struct otlp_indices *to, const char *key,
	struct otlp_attribute *attribute)
{
	uint32_t number;

	if (texts__add(attributes->texts, key, &attribute->key))
		return -ENOMEM;
	number = numbers__find(
		&attributes->by_value, attribute, sizeof(*attribute), is_same, attributes->v);
	if (number == NUMBERS_NONE && append(attributes, attribute, &number))
		return -ENOMEM;
	to->v[to->n++] = (int32_t)number;
	return 0;
}

int otlp_attributes__text(struct otlp_attributes *attributes, struct otlp_indices *to,
	const char *key, const char *value)
{
	struct otlp_attribute attribute = {.is_text = true};
	uint32_t number;

	if (!*value)
		return 0;
	if (texts__add(attributes->texts, value, &number))
		return -ENOMEM;
	attribute.value = number;
	return add(attributes, to, key, &attribute);
}

int otlp_attributes__number(
	struct otlp_attributes *attributes, struct otlp_indices *to, const char *key, int64_t value)
{
	struct otlp_attribute attribute = {.value = (uint64_t)value};

	return add(attributes, to, key, &attribute);
}

int32_t *otlp_indices__copy(const struct otlp_indices *indices, struct arena *arena)
{
	int32_t *copy = arena__alloc(arena, indices->n + 1, sizeof(*copy));

	if (copy)
		memcpy(copy, indices->v, indices->n * sizeof(*copy));
	return copy;
}

int otlp_attributes__write(const struct otlp_attributes *attributes, struct arena *arena,
	Otlp__ProfilesDictionary *ret)
{
	size_t n = attributes->n;
	Otlp__KeyValueAndUnit *v = arena__alloc(arena, n, sizeof(*v));
	Otlp__AnyValue *values = arena__alloc(arena, n, sizeof(*values));

	ret->attribute_table = arena__alloc(arena, n, sizeof(Otlp__KeyValueAndUnit *));
	if (!v || !values || !ret->attribute_table)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		const struct otlp_attribute *attribute = &attributes->v[i];

		otlp__key_value_and_unit__init(&v[i]);
		otlp__any_value__init(&values[i]);
		ret->attribute_table[i] = &v[i];
		if (!i)
			continue;
		v[i].key_strindex = (int32_t)attribute->key;
		v[i].value = &values[i];
		if (attribute->is_text) {
			values[i].value_case = OTLP__ANY_VALUE__VALUE_STRING_VALUE;
			values[i].string_value = (char *)texts__at(
				attributes->texts, attribute->value);
		} else {
			values[i].value_case = OTLP__ANY_VALUE__VALUE_INT_VALUE;
			values[i].int_value = (int64_t)attribute->value;
		}
	}
	ret->n_attribute_table = n;
	return 0;
}

void otlp_attributes__free(struct otlp_attributes *attributes)
{
	numbers__free(&attributes->by_value);
	free(attributes->v);
}

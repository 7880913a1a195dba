// SPDX-License-Identifier: GPL-2.0-only
/* See pushed.h. */
#include "user/view/export/pushed.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/base64.h"
#include "user/base/buffer.h"
#include "user/view/export/pyroscope.pb-c.h"

/* RFC 9562, version 8: the sender chooses the bits. */
static void write_uuid(char ret[37], const uint8_t id[16])
{
	uint8_t v[16];

	memcpy(v, id, sizeof(v));
	v[6] = (v[6] & 0x0f) | 0x80;
	v[8] = (v[8] & 0x3f) | 0x80;
	snprintf(ret, 37, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
		v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12],
		v[13], v[14], v[15]);
}

int pushed__pyroscope(char **ret, size_t *ret_size, const struct pushed_profile *profile)
{
	Pyroscope__PushRequest request = PYROSCOPE__PUSH_REQUEST__INIT;
	Pyroscope__RawProfileSeries series = PYROSCOPE__RAW_PROFILE_SERIES__INIT, *all = &series;
	Pyroscope__RawSample sample = PYROSCOPE__RAW_SAMPLE__INIT, *samples = &sample;
	Pyroscope__LabelPair *labels = calloc(profile->n_labels + 1, sizeof(*labels));
	Pyroscope__LabelPair **of = calloc(profile->n_labels + 1, sizeof(*of));
	char id[37];
	int code = labels && of ? 0 : -ENOMEM;

	write_uuid(id, profile->id);
	for (size_t i = 0; i < profile->n_labels && !code; i++) {
		pyroscope__label_pair__init(&labels[i]);
		labels[i].name = (char *)profile->labels[i].name;
		labels[i].value = (char *)profile->labels[i].value;
		of[i] = &labels[i];
	}
	sample.raw_profile = (ProtobufCBinaryData){profile->size, (uint8_t *)profile->pprof};
	sample.id = id;
	series.n_labels = profile->n_labels;
	series.labels = of;
	series.n_samples = 1;
	series.samples = &samples;
	request.n_series = 1;
	request.series = &all;
	*ret_size = code ? 0 : pyroscope__push_request__get_packed_size(&request);
	*ret = code ? NULL : malloc(*ret_size);
	if (*ret)
		pyroscope__push_request__pack(&request, (uint8_t *)*ret);
	free(labels);
	free(of);
	return *ret ? 0 : -ENOMEM;
}

/* The caller frees the text. Returns NULL if memory is exhausted. */
static char *json_labels(const struct pushed_profile *profile)
{
	struct json_object *labels = json_object_new_array(), *label;
	const char *text;
	char *ret = NULL;

	for (size_t i = 0; i < profile->n_labels && labels; i++) {
		label = json_object_new_object();
		json_object_object_add(
			label, "name", json_object_new_string(profile->labels[i].name));
		json_object_object_add(
			label, "value", json_object_new_string(profile->labels[i].value));
		json_object_array_add(labels, label);
	}
	text = labels ? json_object_to_json_string_ext(labels, JSON_C_TO_STRING_PLAIN) : NULL;
	if (text)
		ret = strdup(text);
	json_object_put(labels);
	return ret;
}

int pushed__parca(char **ret, size_t *ret_size, const struct pushed_profile *profile)
{
	char *labels = json_labels(profile);
	struct buffer out;

	*ret = NULL;
	if (!labels)
		return -ENOMEM;
	buffer__init(&out, 0);
	buffer__printf(&out,
		"{\"series\":[{\"labels\":{\"labels\":%s},\"samples\":[{\"rawProfile\":\"", labels);
	free(labels);
	base64__put(&out, profile->pprof, profile->size);
	/* "normalized": the addresses are those of ELF files. */
	buffer__printf(&out, "\"}]}],\"normalized\":true}");
	if (out.error) {
		buffer__free(&out);
		return -ENOMEM;
	}
	*ret = (char *)out.data;
	*ret_size = out.size;
	return 0;
}

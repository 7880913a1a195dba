// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer on the state files of container runtimes: the input's first byte chooses which,
 * the rest is its text. Any bytes give whole lines of known keys, or -ENOENT.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "user/perfdata/features/stamp.h"
#include "user/source/containers/state.h"

static void check(const struct buffer *out)
{
	static const char *const KEYS[] = {"name", "image", "namespace", "pod"};
	const char *text = (const char *)out->data;
	size_t lines = 0, known = 0;
	char value[4096];

	expect(out->size && text[out->size - 1] == '\n');
	for (size_t i = 0; i < out->size; i++) {
		expect(text[i] == '\n' || (uint8_t)text[i] >= ' ');
		lines += text[i] == '\n';
	}
	for (size_t i = 0; i < sizeof(KEYS) / sizeof(KEYS[0]); i++)
		known += stamp__get(text, out->size, KEYS[i], value, sizeof(value)) >= 0;
	expect(known == lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct buffer out;
	char *text, *root;
	int ret = -ENOENT;

	if (!size)
		return 0;
	text = malloc(size); /* of just this size and without a NUL, for ASan */
	if (!text)
		return 0;
	memcpy(text, bytes + 1, --size);
	buffer__init(&out, 1 << 20);
	switch (bytes[0] % 4) {
	case 0:
		ret = container_state__docker(text, size, &out);
		break;
	case 1:
		ret = container_state__bundle(text, size, &out);
		break;
	case 2:
		ret = container_state__listed(text, size, "0123", &out);
		break;
	case 3:
		root = container_state__docker_root(text, size);
		expect(!root || *root);
		free(root);
		break;
	}
	expect(ret == 0 || ret == -ENOENT);
	if (!ret)
		check(&out);
	buffer__free(&out);
	free(text);
	return 0;
}

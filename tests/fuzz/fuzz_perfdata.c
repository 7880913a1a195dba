// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer on the perf.data reader: any bytes give events or -EBADMSG.
 * Features are described too, as dump does.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "user/event/order.h"
#include "user/perfdata/features/features.h"
#include "user/perfdata/read/reader.h"

static int touch(void *ctx, const struct event *event)
{
	if (event->kind == EVENT_MAP)
		*(size_t *)ctx += strlen(event->map.path);
	return 0;
}

static void expect_read(int ret)
{
	if (ret != 0 && ret != -EBADMSG)
		abort();
}

static void describe_features(const struct perfdata_reader *reader)
{
	bool swap = perfdata_reader__is_foreign_order(reader);
	struct buffer text;

	buffer__init(&text, 0);
	for (unsigned int id = 0; id < PERFDATA_FEATURE_BITS; id++) {
		size_t size;
		const void *bytes = perfdata_reader__feature(reader, id, &size);

		buffer__reset(&text);
		if (bytes)
			expect_read(feature__describe(&text, id, bytes, size, swap));
	}
	buffer__free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct perfdata_reader *reader;
	struct event event;
	struct order *order;
	size_t touched = 0;
	int ret = perfdata_reader__open_memory(&reader, bytes, size, "fuzz", NULL);

	expect_read(ret);
	if (ret || order__new(&order, touch, &touched, 1 << 20))
		return 0;
	while ((ret = perfdata_reader__next(reader, &event, NULL)) == 1)
		expect_read(order__push(order, &event));
	expect_read(ret);
	expect_read(order__flush(order));
	order__free(order);
	describe_features(reader);
	perfdata_reader__free(reader);
	return 0;
}

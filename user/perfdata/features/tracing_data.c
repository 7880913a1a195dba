// SPDX-License-Identifier: GPL-2.0-only
/* See tracing_data.h. */
#include "user/perfdata/features/tracing_data.h"

#include <stdbool.h>
#include <string.h>

#define FTRACE "ftrace" /* its events are separate from those of other systems */

static void put_text(struct buffer *out, const char *text)
{
	buffer__append(out, text, strlen(text));
}

static void put_string(struct buffer *out, const char *text)
{
	buffer__append(out, text, strlen(text) + 1);
}

static void put_sized64(struct buffer *out, const char *text)
{
	buffer__u64(out, text ? strlen(text) : 0);
	put_text(out, text ? text : "");
}

static void put_sized32(struct buffer *out, const char *text)
{
	buffer__u32(out, text ? strlen(text) : 0);
	put_text(out, text ? text : "");
}

static void put_prologue(struct buffer *out, uint32_t page_size)
{
	static const uint8_t MAGIC[] = {23, 8, 68};

	buffer__append(out, MAGIC, sizeof(MAGIC));
	put_text(out, "tracing");
	put_string(out, "0.6");
	buffer__u8(out, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	buffer__u8(out, sizeof(long));
	buffer__u32(out, page_size);
}

static bool is_of(const struct tracing_event *event, const char *system)
{
	return !strcmp(event->system, system);
}

/* Writes the events of one system: their number and their formats. */
static void put_system(struct buffer *out, const struct tracing_data *data, const char *system)
{
	uint32_t n = 0;

	for (size_t i = 0; i < data->n_events; i++)
		n += is_of(&data->events[i], system);
	buffer__u32(out, n);
	for (size_t i = 0; i < data->n_events; i++)
		if (is_of(&data->events[i], system))
			put_sized64(out, data->events[i].format);
}

/* Whether a system other than ftrace begins at event @i. */
static bool begins_system(const struct tracing_data *data, size_t i)
{
	const struct tracing_event *event = &data->events[i];

	return !is_of(event, FTRACE) && (!i || !is_of(&event[-1], event->system));
}

static void put_systems(struct buffer *out, const struct tracing_data *data)
{
	uint32_t n = 0;

	for (size_t i = 0; i < data->n_events; i++)
		n += begins_system(data, i);
	buffer__u32(out, n);
	for (size_t i = 0; i < data->n_events; i++) {
		if (!begins_system(data, i))
			continue;
		put_string(out, data->events[i].system);
		put_system(out, data, data->events[i].system);
	}
}

int tracing_data__encode(struct buffer *out, const struct tracing_data *data)
{
	put_prologue(out, data->page_size);
	put_string(out, "header_page");
	put_sized64(out, data->header_page);
	put_string(out, "header_event");
	put_sized64(out, data->header_event);
	put_system(out, data, FTRACE);
	put_systems(out, data);
	/* perf reads kallsyms here and ignores it. */
	put_sized32(out, NULL);
	put_sized32(out, data->printk_formats);
	put_sized64(out, data->saved_cmdlines);
	return out->error;
}

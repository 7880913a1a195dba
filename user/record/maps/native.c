// SPDX-License-Identifier: GPL-2.0-only
/* See native.h. */
#include "user/record/maps/native.h"

#include <linux/perf_event.h>
#include <string.h>

#include "user/event/decode.h"
#include "user/event/native.h"
#include "user/event/types.h"

void native_records__init(struct native_records *native, struct map_writer *maps,
	struct event_decoder *decoder, bool data_only)
{
	native->maps = maps;
	native->decoder = decoder;
	native->data_only = data_only;
}

void native_records__free(struct native_records *native)
{
	event_decoder__free(native->decoder);
	native->decoder = NULL;
}

/*
 * Whether it is a name that perf_event_mmap_event() gives to memory without a file. "//toolong" has
 * a file.
 */
static bool is_no_file(const char *path)
{
	return path[0] == '[' || !strcmp(path, "//anon");
}

/* Counts an identity as the BPF programs do on other rungs. */
static void count_identity(
	struct bpf_identities *identities, const struct perfstamp_identity *identity)
{
	identities->read += identity->source == PERFSTAMP_SOURCE_PAGE_CACHE ||
			    identity->source == PERFSTAMP_SOURCE_FAULTED;
	identities->stashed += identity->source == PERFSTAMP_SOURCE_STASH;
}

int native_records__write(
	struct native_records *native, const struct record_view *view, struct error *err)
{
	struct event event;
	int code;

	code = event_decoder__decode(
		native->decoder, view->header, view->header->size, &event, err);
	if (code)
		return code;
	if (event.kind == EVENT_MAP && event.map.executable && native->data_only)
		return 0;
	if (event.kind == EVENT_MAP && !event.map.identity.build_id_size &&
		is_no_file(event.map.path))
		event.map.identity.reason = PERFSTAMP_REASON_ANONYMOUS;
	if (event.kind == EVENT_MAP && event.type == PERFDATA_RECORD_MMAP3) {
		count_identity(&native->identities, &event.map.identity);
		native_record__translate(&event, native->path);
	}
	code = map_writer__event(native->maps, &event);
	return code ? map_writer__explain(native->maps, code, "map record", err) : 0;
}

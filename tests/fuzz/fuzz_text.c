// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer on the parsers of what users, containers and other machines write as text: mounts,
 * cgroups, configuration, commands, probes, events, filters, notes of another kernel. The
 * input's first byte chooses one, the rest is its text.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "user/parse/config.h"
#include "user/parse/container.h"
#include "user/parse/control.h"
#include "user/parse/elf/sdt.h"
#include "user/parse/event/perf_config.h"
#include "user/parse/event/pmu_format.h"
#include "user/parse/event/sample_filter.h"
#include "user/parse/event/terms.h"
#include "user/parse/kernel/remote_notes.h"
#include "user/parse/mountinfo.h"
#include "user/parse/probes.h"

static volatile size_t touched;

static void parse_mounts(const char *text)
{
	touched += mountinfo__is_served(text, 0, 38);
	touched += mountinfo__is_served(text, 8, 1);
}

static int take_key(void *ctx, const char *key, const char *value, size_t line)
{
	expect(strchr(key, '.') != NULL && line > 0);
	touched += strlen(value);
	*(size_t *)ctx += 1;
	return *(size_t *)ctx == 1000;
}

static void parse_config(const char *text, size_t size)
{
	char value[64];
	size_t line = 0, n = 0;
	int ret = config__parse(text, size, take_key, &n, &line);

	expect(ret == 0 || ret == 1 || (ret == -EINVAL && line > 0));
	if (!perf_config__find(text, "buildid", "dir", value, sizeof(value)))
		touched += strlen(value);
}

static void parse_control(const char *text)
{
	struct control_spec spec;

	if (!control_spec__parse(&spec, text))
		touched += spec.fifo ? strlen(spec.path) + strlen(spec.ack_path) : 0;
	touched += control_command__parse(text);
}

static int take_probe(void *ctx, const struct probe *probe)
{
	struct buffer *out = ctx;

	touched += strlen(probe->group) + strlen(probe->event);
	expect(probe->place + probe->place_len <= probe->command + probe->command_len);
	expect(probe->args_len <= probe->command_len);
	return probe__command_at(out, probe, "/usr/bin/other");
}

/*
 * What was merged is understood. Merging it again removes at most specs without a command, and
 * nothing more the next time.
 */
static void merge_again(const struct buffer *merged)
{
	struct buffer once, twice;
	struct error err = {0};

	buffer__init(&once, 1 << 20);
	buffer__init(&twice, 1 << 20);
	expect(!probes__merge(&once, (const char *)merged->data, merged->size, "", 0, &err));
	expect(once.size <= merged->size);
	expect(!probes__merge(&twice, (const char *)once.data, once.size, "", 0, &err));
	expect(twice.size == once.size);
	expect(!once.size || !memcmp(twice.data, once.data, once.size));
	buffer__free(&once);
	buffer__free(&twice);
}

static void parse_probes(const char *text, size_t size)
{
	struct buffer out;
	struct error err = {0};
	int ret;

	buffer__init(&out, 1 << 20);
	ret = probes__for_each(text, size, take_probe, &out, &err);
	expect(ret <= 0);
	buffer__reset(&out);
	if (!probes__merge(&out, text, size / 2, text + size / 2, size - size / 2, &err))
		merge_again(&out);
	buffer__free(&out);
}

static void parse_wish(const char *text)
{
	struct error err = {0};
	struct probe_wish wish;
	struct buffer out, commands;
	char group[PROBE_NAME_MAX];

	probe_wish__group(text, group);
	if (probe_wish__parse(text, group, &wish, &err))
		return;
	buffer__init(&out, 1 << 20);
	buffer__init(&commands, 1 << 20);
	if (!probe_wish__append(&out, &wish, "/usr/bin/other:0x1000"))
		probes__for_each((const char *)out.data, out.size, take_probe, &commands, &err);
	buffer__free(&commands);
	buffer__free(&out);
}

static void parse_cgroups(const char *text)
{
	struct container container;
	const char *cursor = text;
	char path[300];

	container__parse(&container, text);
	touched += strlen(container.id) + strlen(container.pod) + strlen(container.unit);
	expect(container.inside >= text && container.inside <= text + strlen(text));
	while (proc_cgroup__next(&cursor, path, sizeof(path))) {
		container__parse(&container, path);
		touched += strlen(container.id) + (container.inside - path);
	}
}

static void parse_terms(const char *text)
{
	struct perf_event_attr attr = {0};
	struct event_terms terms = {0};
	enum event_call_graph graph;
	const char *cursor = text;
	struct error err = {0};
	struct pmu_term term;
	uint32_t stack;

	while (pmu_term__next(&cursor, &term) > 0) {
		event_terms__take(&terms, &attr, &term, "event", &err);
		pmu_format__apply(term.text, term.value, &attr);
	}
	if (!event_terms__call_graph(&graph, &stack, text))
		touched += stack;
}

static void parse_filter(const char *text)
{
	struct sample_filter filter = {0};
	struct error err = {0};

	if (!sample_filter__parse(&filter, text, UINT64_MAX, &err)) {
		expect(filter.n <= SAMPLE_FILTER_TERMS);
		touched += sample_filter__has_pids(&filter);
	}
	sample_filter__free(&filter);
}

static void parse_remote(const char *text, size_t size)
{
	struct remote_notes notes;
	struct kernel_ids ids;
	struct error err = {0};
	int ret;

	kernel_ids__init(&ids);
	remote_notes__init(&notes, &ids);
	ret = remote_notes__feed(&notes, text, size / 2, &err);
	if (!ret)
		ret = remote_notes__feed(&notes, text + size / 2, size - size / 2, &err);
	if (!ret && !remote_notes__finish(&notes, &err))
		for (size_t i = 0; i < ids.n_modules; i++)
			touched += strlen(ids.modules[i].name);
	remote_notes__free(&notes);
	kernel_ids__free(&ids);
}

static void parse_markers(const uint8_t *bytes, size_t size)
{
	struct elf_notes notes;
	struct elf_note note;
	struct buffer out;
	struct sdt sdt;

	buffer__init(&out, 1 << 20);
	elf_notes__init(&notes, bytes, size, 4, size & 1);
	while (elf_notes__next(&notes, &note) > 0)
		if (sdt__take(&note, !(size & 2), size & 1, &sdt)) {
			touched += strlen(sdt.provider) + strlen(sdt.name);
			sdt__append_args(&out, sdt.args);
		}
	buffer__free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char *text;

	if (!size)
		return 0;
	text = fuzz__text(bytes, size);
	if (!text)
		return 0;
	switch (bytes[0] % 10) {
	case 0:
		parse_mounts(text);
		break;
	case 1:
		parse_config(text, size - 1);
		break;
	case 2:
		parse_control(text);
		break;
	case 3:
		parse_probes(text, size - 1);
		break;
	case 4:
		parse_wish(text);
		break;
	case 5:
		parse_cgroups(text);
		break;
	case 6:
		parse_terms(text);
		break;
	case 7:
		parse_filter(text);
		break;
	case 8:
		parse_remote(text, size - 1);
		break;
	case 9:
		parse_markers((const uint8_t *)text, size - 1);
		break;
	}
	free(text);
	return 0;
}

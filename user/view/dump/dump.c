// SPDX-License-Identifier: GPL-2.0-only
/* dump__event: see dump.h. Fields that a record does not have are skipped. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "user/perfdata/features/stamp.h"
#include "user/view/dump/dump.h"
#include "user/view/modules.h"
#include "user/view/format/names.h"

static void dump_prot(struct fields *fields, uint32_t prot)
{
	char text[4] = {prot & PROT_READ ? 'r' : '-', prot & PROT_WRITE ? 'w' : '-',
		prot & PROT_EXEC ? 'x' : '-'};

	fields->ops->text(fields, "prot", text);
}

static void dump_identity(struct fields *fields, const struct event_map *map)
{
	const struct perfstamp_identity *identity = &map->identity;

	if (identity->build_id_size)
		fields->ops->bytes(fields, "build_id", identity->build_id, identity->build_id_size);
	if (identity->cookie_size)
		fields->ops->bytes(fields, "cookie", identity->cookie, identity->cookie_size);
	if (identity->source)
		fields->ops->text(fields, "source", name__source(identity->source));
	if (!identity->build_id_size)
		fields->ops->text(fields, "reason", name__reason(identity->reason));
	if (identity->dev_major || identity->dev_minor || identity->ino) {
		fields->ops->number(fields, "dev_major", identity->dev_major);
		fields->ops->number(fields, "dev_minor", identity->dev_minor);
		fields->ops->number(fields, "ino", identity->ino);
		fields->ops->number(fields, "ino_generation", identity->ino_generation);
	}
	if (!map->stamped)
		return;
	fields->ops->number(fields, "file_size", identity->file_size);
	fields->ops->number(fields, "cgroup_id", identity->cgroup_id);
	fields->ops->number(fields, "mnt_ns", identity->mnt_ns);
	fields->ops->flag(fields, "stamped");
	if (map->flags & PERFSTAMP_MAP_SNAPSHOT)
		fields->ops->flag(fields, "snapshot");
	if (map->flags & PERFSTAMP_MAP_DELETED)
		fields->ops->flag(fields, "deleted");
	if (map->flags & PERFSTAMP_MAP_PATH_CUT)
		fields->ops->flag(fields, "path_cut");
	if (map->flags & PERFSTAMP_MAP_LATE)
		fields->ops->flag(fields, "late");
}

static void dump_map(struct fields *fields, const struct event *event)
{
	const struct event_map *map = &event->map;

	fields->ops->hex(fields, "addr", map->addr);
	fields->ops->hex(fields, "len", map->len);
	fields->ops->hex(fields, "pgoff", map->pgoff);
	if (event->type != PERF_RECORD_MMAP)
		dump_prot(fields, map->prot);
	if (map->kernel)
		fields->ops->flag(fields, "kernel");
	if (!map->executable)
		fields->ops->flag(fields, "data");
	dump_identity(fields, map);
	fields->ops->text(fields, "path", map->path);
}

static void dump_sample(struct fields *fields, const struct event_sample *sample)
{
	fields->ops->hex(fields, "ip", sample->ip);
	fields->ops->number(fields, "id", sample->id);
	fields->ops->number(fields, "period", sample->period);
	if (sample->addr)
		fields->ops->hex(fields, "addr", sample->addr);
	if (sample->cgroup)
		fields->ops->number(fields, "cgroup", sample->cgroup);
	if (sample->n_callchain)
		fields->ops->list(fields, "callchain", sample->callchain, sample->n_callchain);
}

static void dump_namespaces(struct fields *fields, const struct event_namespaces *namespaces)
{
	static const char *const NAMES[] = {
		"net_ns", "uts_ns", "ipc_ns", "pid_ns", "user_ns", "mnt_ns", "cgroup_ns"};
	size_t n = sizeof(NAMES) / sizeof(NAMES[0]);

	for (size_t i = 0; i < namespaces->n && i < n; i++) {
		struct perf_ns_link_info link;

		memcpy(&link, namespaces->links + i, sizeof(link)); /* it may be unaligned */
		fields->ops->number(fields, NAMES[i], link.ino);
	}
}

static void dump_ksymbol(struct fields *fields, const struct event_ksymbol *symbol)
{
	fields->ops->hex(fields, "addr", symbol->addr);
	fields->ops->hex(fields, "len", symbol->len);
	fields->ops->number(fields, "ksym_type", symbol->ksym_type);
	if (symbol->flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER)
		fields->ops->flag(fields, "unregister");
	fields->ops->text(fields, "name", symbol->name);
}

static void dump_bpf(struct fields *fields, const struct event_bpf *bpf)
{
	fields->ops->number(fields, "bpf_type", bpf->type);
	fields->ops->number(fields, "flags", bpf->flags);
	fields->ops->number(fields, "id", bpf->id);
	fields->ops->bytes(fields, "tag", bpf->tag, sizeof(bpf->tag));
}

/* Writes the container's data, which the runtime had stored. */
static void dump_about(struct fields *fields, const struct event_cgroup *cgroup)
{
	static const char *const KEYS[] = {"name", "image", "namespace", "pod"};
	char value[1024];

	for (size_t i = 0; cgroup->about && i < sizeof(KEYS) / sizeof(*KEYS); i++)
		if (stamp__get(cgroup->about, cgroup->about_size, KEYS[i], value, sizeof(value)) >=
			0)
			fields->ops->text(fields, KEYS[i], value);
}

static void dump_fork(struct fields *fields, const struct event *event)
{
	if (event->kind == EVENT_FORK && event->misc & PERF_RECORD_MISC_FORK_EXEC)
		fields->ops->flag(fields, "snapshot");
	fields->ops->pid(fields, "ppid", event->fork.ppid);
	fields->ops->pid(fields, "ptid", event->fork.ptid);
}

/* The raw record contains the bytes themselves. */
static void dump_code(struct fields *fields, const struct event_code *code)
{
	static const char *const KINDS[PERFSTAMP_CODE_KINDS] = {
		[PERFSTAMP_CODE_PERF_MAP] = "perf-map",
		[PERFSTAMP_CODE_JITDUMP] = "jitdump",
	};

	fields->ops->text(fields, "code", KINDS[code->kind]);
	if (code->flags & PERFSTAMP_CODE_OTHER_CLOCK)
		fields->ops->flag(fields, "other-clock");
	fields->ops->number(fields, "of-pid", code->pid);
	fields->ops->number(fields, "stream", code->stream);
	fields->ops->number(fields, "at", code->offset);
	fields->ops->number(fields, "bytes", code->size);
	fields->ops->time(fields, "since", code->since_ns);
	fields->ops->time(fields, "seen", code->seen_ns);
}

static void dump_note(struct fields *fields, const struct event_note *note)
{
	fields->ops->text(fields, "note",
		note->magic == PERFSTAMP_EXTENSION_MAGIC ? "map"
		: note->magic == PERFSTAMP_MODULE_MAGIC  ? "module"
							 : "container");
	if (note->number)
		fields->ops->number(fields, "number", note->number);
}

/* Which way a thread was switched; the next thread of CPU-wide ones is in the raw record. */
static void dump_switch(struct fields *fields, const struct event *event)
{
	bool out = event->misc & PERF_RECORD_MISC_SWITCH_OUT;

	if (event->type != PERF_RECORD_SWITCH && event->type != PERF_RECORD_SWITCH_CPU_WIDE)
		return;
	fields->ops->flag(fields, out ? "out" : "in");
	if (out && event->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT)
		fields->ops->flag(fields, "preempted");
}

static void dump_kind(struct fields *fields, const struct event *event)
{
	switch (event->kind) {
	case EVENT_MAP:
		dump_map(fields, event);
		break;
	case EVENT_COMM:
		if (event->comm.exec)
			fields->ops->flag(fields, "exec");
		fields->ops->text(fields, "comm", event->comm.comm);
		break;
	case EVENT_FORK:
	case EVENT_EXIT:
		dump_fork(fields, event);
		break;
	case EVENT_LOST:
		fields->ops->number(fields, "id", event->lost.id);
		fields->ops->number(fields, "lost", event->lost.lost);
		break;
	case EVENT_SAMPLE:
		dump_sample(fields, &event->sample);
		break;
	case EVENT_CGROUP:
		fields->ops->number(fields, "id", event->cgroup.id);
		fields->ops->text(fields, "path", event->cgroup.path);
		dump_about(fields, &event->cgroup);
		break;
	case EVENT_NAMESPACES:
		dump_namespaces(fields, &event->namespaces);
		break;
	case EVENT_KSYMBOL:
		dump_ksymbol(fields, &event->ksymbol);
		break;
	case EVENT_BPF:
		dump_bpf(fields, &event->bpf);
		break;
	case EVENT_MODULE:
		modules_view__dump(fields, event);
		break;
	case EVENT_CODE:
		dump_code(fields, &event->code);
		break;
	case EVENT_CHECK:
		fields->ops->flag(fields, "check");
		fields->ops->time(fields, "since", event->check.since_ns);
		break;
	case EVENT_NOTE:
		dump_note(fields, &event->note);
		break;
	case EVENT_OTHER:
		dump_switch(fields, event);
		break;
	case EVENT_FINISHED_ROUND:
		break;
	}
}

void dump__event(struct fields *fields, const struct event *event, const char *file, bool raw)
{
	static const char *const MODES[] = {
		NULL, "kernel", "user", "hypervisor", "guest-kernel", "guest-user"};
	const char *name = name__record(event->type);
	unsigned int mode = event->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	bool by_kernel = event->type < 64; /* records of user space have no trailer */
	char unknown[24];

	snprintf(unknown, sizeof(unknown), "RECORD_%u", event->type);
	fields->ops->begin(fields, name ? name : unknown);
	if (file)
		fields->ops->text(fields, "file", file);
	fields->ops->hex(fields, "offset", event->offset);
	fields->ops->number(fields, "size", event->raw_size);
	if (by_kernel) {
		fields->ops->time(fields, "time", event->time_ns);
		fields->ops->pid(fields, "pid", event->pid);
		fields->ops->pid(fields, "tid", event->tid);
	}
	if (by_kernel && event->cpu != UINT32_MAX)
		fields->ops->number(fields, "cpu", event->cpu);
	if (mode < sizeof(MODES) / sizeof(MODES[0]) && MODES[mode])
		fields->ops->text(fields, "mode", MODES[mode]);
	dump_kind(fields, event);
	if (raw)
		fields->ops->bytes(fields, "raw", event->raw, event->raw_size);
	fields->ops->end(fields);
}

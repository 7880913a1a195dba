// SPDX-License-Identifier: GPL-2.0-only
/* See tree_notes.h. */
#include "user/record/maps/tree_notes.h"

#include <stdio.h>

/*
 * The sample of a LATE note follows it within microseconds. After this time, an EXIT is written for
 * the reader, because no other record reports the end of the task. Its pid is not reused so soon.
 */
#define LATE_NS 1000000ull

static int write(struct map_writer *writer, struct event *event, enum event_kind kind,
	uint32_t type, uint64_t time_ns)
{
	event->kind = kind;
	event->type = type;
	event->time_ns = time_ns;
	return map_writer__event(writer, event);
}

static int write_comm(struct map_writer *writer, struct event *event, const struct tree_note *note,
	uint64_t time_ns)
{
	char comm[sizeof(note->comm) + 1];

	snprintf(comm, sizeof(comm), "%.*s", (int)sizeof(note->comm), note->comm);
	event->comm = (struct event_comm){.comm = comm};
	return write(writer, event, EVENT_COMM, PERF_RECORD_COMM, time_ns);
}

static int write_exit(struct map_writer *writer, struct event *event, uint64_t time_ns)
{
	event->fork = (struct event_fork){event->pid, event->tid};
	return write(writer, event, EVENT_EXIT, PERF_RECORD_EXIT, time_ns);
}

static int write_note(void *ctx, const struct tree_note *note)
{
	struct map_writer *writer = ctx;
	struct event event = {.pid = note->pid, .tid = note->tid, .cpu = UINT32_MAX};
	uint64_t time_ns = note->time_ns;
	int code;

	if (!note->is_converted)
		time_ns = map_writer__time(writer, time_ns);
	switch (note->kind) {
	case TREE_NOTE_FORK:
		event.fork = (struct event_fork){note->ppid, note->ptid};
		return write(writer, &event, EVENT_FORK, PERF_RECORD_FORK, time_ns);
	case TREE_NOTE_COMM:
		return write_comm(writer, &event, note, time_ns);
	case TREE_NOTE_EXIT:
		return write_exit(writer, &event, time_ns);
	case TREE_NOTE_LATE:
		code = write_comm(writer, &event, note, time_ns);
		return code ? code : write_exit(writer, &event, time_ns + LATE_NS);
	default:
		return 0;
	}
}

int tree_notes__write(struct task_tree *tree, struct map_writer *writer)
{
	return task_tree__drain(tree, write_note, writer);
}

// SPDX-License-Identifier: GPL-2.0-only
/* See rung.h. */
#include "user/source/bpf/rung.h"

#define KPROBES_SWITCH "/sys/kernel/debug/kprobes/enabled"

#define NAME(id, name) [RUNG_##id] = (name),
#define TITLE(id, name) [RUNG_##id] = "rung " name,

static const char *const NAMES[RUNG_COUNT] = {RUNGS(NAME)};
static const char *const TITLES[RUNG_COUNT] = {RUNGS(TITLE)};

static const struct rung_row ROWS[RUNG_COUNT] = {
	[RUNG_KPROBE_MULTI] =
		{
			.programs = {"kprobe_multi_mmap"},
			.of_moves = "moved_map",
			.cost = "works",
			.function = "perf_event_mmap",
			.is_full = true,
			.needs_kprobes = true,
			.by_ftrace = true,
			.reads_cold = true,
		},
	[RUNG_KPROBE] =
		{
			.programs = {"kprobe_mmap"},
			.of_moves = "moved_map",
			.cost = "works",
			.off_switch = KPROBES_SWITCH,
			.is_full = true,
			.needs_kprobes = true,
			.by_ftrace = true,
			.reads_cold = true,
		},
	[RUNG_UPROBE_MMAP] =
		{
			.programs = {"uprobe_mmap", "change_protection", "vma_set_page_prot",
				"install_special_mapping"},
			.of_moves = "moved_map",
			.cost = "works",
			.off_switch = KPROBES_SWITCH,
			.is_full = true,
			.needs_kprobes = true,
			.by_ftrace = true,
			.no_task_vma = true,
		},
	[RUNG_FENTRY] =
		{
			.programs = {"fentry_mmap"},
			.cost = "works; on a preemptible kernel its recursion guard can lose "
				"mappings, "
				"which are counted",
			.needs_fentry = true,
			.by_ftrace = true,
		},
	[RUNG_SYS_EXIT] =
		{
			.programs = {"sys_exit", "exec_maps"},
			.cost = "works; it adds a little to every system call",
		},
};

const struct rung_row *rung__row(enum rung rung)
{
	return &ROWS[rung];
}

const char *rung__name(enum rung rung)
{
	return rung < RUNG_COUNT ? NAMES[rung] : "none";
}

const char *rung__title(enum rung rung)
{
	return TITLES[rung];
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads name, text and build-id from the kernel's struct module. Does not know hooks or the
 * ring.
 */
#ifndef PERFSTAMP_BPF_MODULE_H
#define PERFSTAMP_BPF_MODULE_H

#include "bpf/kernel.h"
#include "perfstamp/record.h"

#define KERNEL_MODULE_NAME 56 /* MODULE_NAME_LEN of 64-bit kernels */
#define NOTE_STEPS 24         /* limit: sections plus notes to read in one module */
#define NT_GNU_BUILD_ID 3
#define ELF_NOTE_GNU 0x00554e47u /* "GNU" and its NUL */

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

/* Up to 6.3: one region for init and one for the rest; text is first. */
struct module_layout {
	void *base;
	unsigned int size;
	unsigned int text_size;
};

/* From 6.4 on (commit ac3b43283923): one region for each kind of memory. */
struct module_memory {
	void *base;
	unsigned int size;
};

enum mod_mem_type { /* the values are taken from the running kernel */
	MOD_TEXT = 0,
	MOD_INIT_TEXT = 4,
	MOD_INIT_DATA = 5,
};

struct bin_attribute {
	unsigned long size;
	void *private; /* of a note section: its content */
};

struct attribute_group {
	struct bin_attribute **bin_attrs; /* ends with NULL */
};

/* From 6.14 on (commit 4723f16de64e), without a separate count. */
struct module_notes_attrs {
	struct attribute_group grp;
};

struct module_notes_attrs___counted {
	unsigned int notes;
	struct bin_attribute attrs[0];
};

struct kobject {
	struct kobject *parent;
};

struct module_kobject {
	struct kobject kobj;
	struct module *mod;
};

struct module {
	char name[KERNEL_MODULE_NAME];
	struct module_kobject mkobj;
	struct module_notes_attrs *notes_attrs;
	struct module_memory mem[7];
};

struct module___layout {
	struct module_layout core_layout;
	struct module_layout init_layout;
};

struct module___counted {
	struct module_notes_attrs___counted *notes_attrs;
};

/* What sysfs stores for an open directory. */
struct inode___kernfs {
	void *i_private; /* struct kernfs_node */
};

struct kernfs_node___kobject {
	void *priv; /* of a directory: struct kobject */
};

#pragma clang attribute pop

static __always_inline void *module__region(struct module *mod, u32 type)
{
	return (void *)mod + bpf_core_field_offset(struct module, mem) +
	       type * bpf_core_type_size(struct module_memory);
}

static __always_inline void module__text(struct module *mod, struct perfstamp_module_state *state)
{
	struct module___layout *old = (void *)mod;
	struct module_memory *text, *init;

	if (bpf_core_field_exists(old->core_layout)) {
		state->text_addr = (u64)BPF_CORE_READ(old, core_layout.base);
		state->text_size = BPF_CORE_READ(old, core_layout.text_size);
		state->init_addr = (u64)BPF_CORE_READ(old, init_layout.base);
		state->init_size = BPF_CORE_READ(old, init_layout.text_size);
		return;
	}
	text = module__region(mod, bpf_core_enum_value(enum mod_mem_type, MOD_TEXT));
	init = module__region(mod, bpf_core_enum_value(enum mod_mem_type, MOD_INIT_TEXT));
	state->text_addr = (u64)BPF_CORE_READ(text, base);
	state->text_size = BPF_CORE_READ(text, size);
	state->init_addr = (u64)BPF_CORE_READ(init, base);
	state->init_size = BPF_CORE_READ(init, size);
}

/*
 * Whether the memory of the init section still exists. The kernel frees that memory when the init
 * function has succeeded. So if a module is freed while the memory still exists, its init function
 * has failed.
 */
static __always_inline bool module__has_init(struct module *mod)
{
	struct module___layout *old = (void *)mod;
	struct module_memory *text, *data;

	if (bpf_core_field_exists(old->init_layout))
		return BPF_CORE_READ(old, init_layout.base);
	text = module__region(mod, bpf_core_enum_value(enum mod_mem_type, MOD_INIT_TEXT));
	data = module__region(mod, bpf_core_enum_value(enum mod_mem_type, MOD_INIT_DATA));
	return BPF_CORE_READ(text, base) || BPF_CORE_READ(data, base);
}

/* Note section @i, or NULL after the last one. */
static __always_inline struct bin_attribute *module__notes(struct module *mod, u32 i)
{
	struct module___counted *counted = (void *)mod;
	struct module_notes_attrs___counted *notes = NULL;
	struct module_notes_attrs *group;
	struct bin_attribute **attrs, *attr = NULL;

	if (bpf_core_field_exists(notes->notes)) {
		notes = BPF_CORE_READ(counted, notes_attrs);
		if (!notes || i >= BPF_CORE_READ(notes, notes))
			return NULL;
		return (void *)notes +
		       bpf_core_field_offset(struct module_notes_attrs___counted, attrs) +
		       i * bpf_core_type_size(struct bin_attribute);
	}
	group = BPF_CORE_READ(mod, notes_attrs);
	if (!group)
		return NULL;
	attrs = BPF_CORE_READ(group, grp.bin_attrs);
	if (!attrs || bpf_probe_read_kernel(&attr, sizeof(attr), attrs + i))
		return NULL;
	return attr;
}

struct module_note {
	u32 name_size;
	u32 size;
	u32 type;
	u32 name;
	u8 desc[PERFSTAMP_BUILD_ID_MAX];
};

/*
 * Working memory. The state of loops is here and not in registers, because the verifier of
 * 5.10 would otherwise need minutes. Each program has its own memory, since one may preempt
 * another.
 */
enum module_slot {
	MODULE_SLOT_LOAD,
	MODULE_SLOT_INIT,
	MODULE_SLOT_FREE,
	MODULE_SLOT_READ,
	MODULE_SLOT_COUNT,
};

struct module_scratch {
	u64 mod;
	u64 start; /* address of the section's content */
	u32 at;    /* offset of the next note in the section */
	u32 size;
	u32 section; /* index of the next section */
	u32 done;
	struct module_note note;
	u32 pad;
	struct perfstamp_module record;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, MODULE_SLOT_COUNT);
	__type(key, u32);
	__type(value, struct module_scratch);
} module_scratch_map SEC(".maps");

static __always_inline struct module_scratch *module__scratch(u32 slot)
{
	return bpf_map_lookup_elem(&module_scratch_map, &slot);
}

/* Reads the note at .at. Returns a reason, or NO_NOTE if the note has no build-id. */
static __always_inline u32 module__take_note(struct module_scratch *s)
{
	struct perfstamp_module_state *state = &s->record.state;
	struct module_note *note = &s->note;
	u32 left = s->size - s->at, i;

	__builtin_memset(note, 0, sizeof(*note));
	if (bpf_probe_read_kernel(
		    note, left < sizeof(*note) ? 16 : sizeof(*note), (void *)s->start + s->at))
		return PERFSTAMP_REASON_IO_ERROR;
	if (note->name_size > 4096 || note->size > 4096)
		return PERFSTAMP_REASON_MALFORMED;
	s->at += 12 + ((note->name_size + 3) & ~3u) + ((note->size + 3) & ~3u);
	if (note->type != NT_GNU_BUILD_ID || note->name_size != 4 || note->name != ELF_NOTE_GNU ||
		!note->size)
		return PERFSTAMP_REASON_NO_NOTE;
	if (note->size > PERFSTAMP_BUILD_ID_MAX)
		return PERFSTAMP_REASON_TOO_LONG;
	if (left < 16 + note->size)
		return PERFSTAMP_REASON_MALFORMED;
	/*
	 * The section ends within the first 20 bytes of the build-id: read only the bytes that
	 * exist.
	 */
	if (left < sizeof(*note) &&
		bpf_probe_read_kernel(note->desc, left - 16 < 20 ? (left - 16) & 31 : 20,
			(void *)s->start + s->at - ((note->size + 3) & ~3u)))
		return PERFSTAMP_REASON_IO_ERROR;
	for (i = 0; i < PERFSTAMP_BUILD_ID_MAX; i++)
		state->build_id[i] = i < note->size ? note->desc[i] : 0;
	state->build_id_size = note->size;
	state->source = PERFSTAMP_SOURCE_KERNEL;
	return PERFSTAMP_REASON_NONE;
}

/* Reads one note, or moves to the next section. */
__noinline int module__note_step(u32 slot)
{
	struct module_scratch *s = module__scratch(slot);
	struct bin_attribute *attr;

	if (!s)
		return 0;
	if (s->at + 16 <= s->size) {
		s->record.state.reason = module__take_note(s);
		s->done = s->record.state.reason != PERFSTAMP_REASON_NO_NOTE;
		return 0;
	}
	attr = module__notes((void *)s->mod, s->section++);
	s->done = !attr;
	s->at = 0;
	s->size = attr ? BPF_CORE_READ(attr, size) : 0;
	s->start = attr ? (u64)BPF_CORE_READ(attr, private) : 0;
	if (s->size > 4096)
		s->size = 0;
	return 0;
}

/*
 * Reads the build-id from the module's notes in memory. The notes of a section follow each
 * other, and each begins at a multiple of 4, as in all modules.
 */
static __always_inline void module__build_id(u32 slot, struct module_scratch *s)
{
	u32 i;

	s->at = s->size = s->section = s->done = 0;
	s->record.state.reason = PERFSTAMP_REASON_NO_NOTE;
	for (i = 0; i < NOTE_STEPS && !s->done; i++)
		module__note_step(slot);
	if (!s->done)
		s->record.state.reason = PERFSTAMP_REASON_LIMIT;
}

static __always_inline struct perfstamp_module *module__begin(u32 slot, u32 event, u32 flags)
{
	struct module_scratch *s = module__scratch(slot);
	u64 pid_tid = bpf_get_current_pid_tgid();
	struct perfstamp_module *record;

	if (!s)
		return NULL;
	record = &s->record;
	__builtin_memset(record, 0, sizeof(*record));
	record->record.type = PERFSTAMP_RECORD_MODULE;
	record->record.flags = flags;
	record->record.size = sizeof(*record);
	record->record.time_ns = bpf_ktime_get_ns();
	record->record.pid = pid_tid >> 32;
	record->record.tid = pid_tid;
	record->state.event = event;
	return record;
}

static __always_inline struct perfstamp_module *module__make(
	u32 slot, struct module *mod, u32 event, u32 flags)
{
	struct perfstamp_module *record = module__begin(slot, event, flags);
	struct module_scratch *s = module__scratch(slot);

	if (!record || !s)
		return NULL;
	s->mod = (u64)mod;
	bpf_probe_read_kernel_str(record->state.name, KERNEL_MODULE_NAME, mod->name);
	module__text(mod, &record->state);
	module__build_id(slot, s);
	return record;
}

#endif

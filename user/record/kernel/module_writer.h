/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes the events of kernel modules to the file, in two forms at once: completely, in our
 * extension; and in a form with which perf resolves each sample, because perf's maps of
 * modules become wrong when a name or an address is reused (docs/modules.md). Knows the
 * loaded modules, and which of them perf considers loaded; does not know rounds.
 */
#ifndef PERFSTAMP_RECORD_MODULE_WRITER_H
#define PERFSTAMP_RECORD_MODULE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/event/event.h"
#include "user/perfdata/features/counters.h"
#include "user/record/kernel/kernel_record.h"
#include "user/record/maps/map_writer.h"

struct module_writer;

/*
 * Attaches to the kernel, so that from then on no module is missed: by BPF, or with @native by the
 * kernel's own records. If neither works, *@ret_why has the reason, and modules are polled once a
 * second. @counters, which must outlive the result, gets COUNTER_MODULES_*. Returns 0 or -ENOMEM.
 */
int module_writer__new(struct module_writer **ret, struct map_writer *maps, bool native,
	struct counters *counters, struct error *ret_why);
void module_writer__free(struct module_writer *writer);

/* Notifies @kernel, which must outlive the writer, of each module loaded from now on. */
void module_writer__notify(struct module_writer *writer, struct kernel_record *kernel);

struct map_writer *module_writer__maps(const struct module_writer *writer);
/* Whether the kernel reports modules. Otherwise they are polled, if the kernel supports any. */
bool module_writer__is_live(const struct module_writer *writer);
bool module_writer__is_looking(const struct module_writer *writer);
/* Returns a descriptor to poll with EPOLLET, if the kernel reports modules. */
int module_writer__fd(const struct module_writer *writer);

/* Begins the snapshot: module_writer__found() is then called for all loaded modules. */
void module_writer__begin(struct module_writer *writer);
/* A proc_module_fn (kernel/proc_kernel.h): reads a module's text and build-id from the kernel. */
int module_writer__read(void *writer, const char *name, struct perfstamp_module_state *ret);
/*
 * Handles an existing module, an EVENT_MODULE with its path. Returns 0 or -errno with .error of the
 * maps.
 */
int module_writer__found(struct module_writer *writer, const struct event *event);

/* Writes new events. @last: losses are counted, but not healed. Returns 0 or -errno with @err. */
int module_writer__drain(struct module_writer *writer, bool last, struct error *err);

/*
 * Called before a KSYMBOL of the kernel is written unchanged. If it is text at which perf still has
 * an unloaded module, writes the unload first. Returns 0 or -errno.
 */
int module_writer__ksymbol(
	struct module_writer *writer, const struct record_view *view, struct error *err);

/*
 * Begins the next file with the modules loaded at @since_ns, in the samples' clock; later
 * events that were already recorded are recorded again. Returns 0 or -errno with .error of
 * the maps.
 */
int module_writer__begin_file(struct module_writer *writer, uint64_t since_ns);

/*
 * The same for a possible start of a file (rotation_held.c), which may also only continue the part
 * before it. So the first call, at the end of a part, writes which modules perf must remove. The
 * second call, in the next part, writes the existing modules. All names stay the same.
 */
int module_writer__end_part(struct module_writer *writer, uint64_t since_ns);
int module_writer__begin_part(struct module_writer *writer, uint64_t since_ns);

#endif

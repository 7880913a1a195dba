// SPDX-License-Identifier: GPL-2.0-only
/* See features.h. */
#include "user/record/files/features.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <time.h>

#include "user/base/buffer.h"
#include "user/perfdata/features/features.h"
#include "user/perfdata/features/group_desc.h"
#include "user/perfdata/features/stamp.h"
#include "user/record/state/cpu_time.h"
#include "user/source/machine/clock.h"
#include "user/source/machine/hardware.h"
#include "user/source/machine/machine.h"
#include "user/source/machine/tracefs.h"

int features__machine(struct perfdata_writer *writer, int clockid, int argc,
	const char *const *argv, struct error *err)
{
	struct machine *machine;
	struct buffer bytes;
	int code;

	code = machine__new(&machine, "perfstamp " PERFSTAMP_VERSION, clockid, argc, argv, err);
	if (code)
		return code;
	buffer__init(&bytes, 0);
	/* In a pipe, NRCPUS has to precede CPU_TOPOLOGY. The order of ids has this effect. */
	for (unsigned int id = 0; !code && id < PERFDATA_FEATURE_BITS; id++) {
		buffer__reset(&bytes);
		code = feature__encode(&bytes, id, machine__info(machine));
		if (code == -ENOTSUP)
			code = hardware__describe(&bytes, id);
		/* The machine does not have it, or it is not a feature of machines. */
		if (code == -ENODATA || code == -ENOTSUP)
			code = 0;
		else if (code)
			error__errno(err, code, "header feature %s", feature__name(id));
		else
			code = perfdata_writer__feature(writer, id, bytes.data, bytes.size, err);
	}
	buffer__free(&bytes);
	machine__free(machine);
	return code;
}

int features__clock(struct perfdata_writer *writer, int clockid, struct error *err)
{
	const struct machine_info info = {
		.has_clock = clockid >= 0,
		.clockid = clockid,
		.wall_ns = clock__now(CLOCK_REALTIME),
		.clock_ns = clockid >= 0 ? clock__now(clockid) : 0,
	};
	struct buffer bytes;
	int code;

	if (!info.has_clock)
		return 0;
	buffer__init(&bytes, 0);
	code = feature__encode(&bytes, HEADER_CLOCK_DATA, &info);
	code = code ? error__errno(err, code, "header feature %s", feature__name(HEADER_CLOCK_DATA))
		    : perfdata_writer__feature(
			      writer, HEADER_CLOCK_DATA, bytes.data, bytes.size, err);
	buffer__free(&bytes);
	return code;
}

int features__tracepoints(
	struct perfdata_writer *writer, const struct evlist *evlist, struct error *err)
{
	size_t n = 0, n_attrs = evlist__n_attrs(evlist);
	struct buffer bytes;
	const char **names;
	int code;

	names = calloc(n_attrs, sizeof(*names));
	if (!names)
		return error__set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < n_attrs; i++)
		if (evlist__attr(evlist, i)->type == PERF_TYPE_TRACEPOINT)
			names[n++] = evlist__name(evlist, i);
	buffer__init(&bytes, 0);
	code = n ? tracefs__describe(&bytes, names, n, err) : 0;
	if (n && !code)
		code = perfdata_writer__feature(
			writer, HEADER_TRACING_DATA, bytes.data, bytes.size, err);
	buffer__free(&bytes);
	free(names);
	return code;
}

int features__groups(struct perfdata_writer *writer, const struct evlist *evlist, struct error *err)
{
	size_t n = evlist__groups(evlist, NULL, 0);
	struct evlist_group *groups = calloc(n + 1, sizeof(*groups));
	struct group_desc *descs = calloc(n + 1, sizeof(*descs));
	struct buffer bytes;
	int code = 0;

	buffer__init(&bytes, 0);
	if (!groups || !descs) {
		code = error__set(err, -ENOMEM, "out of memory");
		goto cleanup;
	}
	evlist__groups(evlist, groups, n);
	for (size_t i = 0; i < n; i++)
		descs[i] = (struct group_desc){groups[i].name, groups[i].first, groups[i].n};
	if (n && group_desc__encode(&bytes, descs, n))
		code = error__set(err, -ENOMEM, "out of memory");
	else if (n)
		code = perfdata_writer__feature(
			writer, HEADER_GROUP_DESC, bytes.data, bytes.size, err);
cleanup:
	buffer__free(&bytes);
	free(groups);
	free(descs);
	return code;
}

/* "CAUSE N BEGIN END", a line for each time span in which something was lost. */
static void put_losses(struct buffer *ret_bytes, const struct recorder_summary *summary)
{
	char text[96];
	size_t i;

	for (i = 0; i < summary->n_loss_spans; i++) {
		const struct loss_span *span = &summary->loss_spans[i];

		snprintf(text, sizeof(text), "%s %" PRIu64 " %" PRIu64 " %" PRIu64,
			loss_cause__name(span->cause), span->n, span->begin_ns, span->end_ns);
		stamp__put(ret_bytes, "loss", text);
	}
}

/* "N ID PATH", a line for each cgroup; both 0 and "?" where they are not known. */
static void put_loss_owners(struct buffer *ret_bytes, const struct loss_owners *owners)
{
	char text[PATH_MAX + 64];

	for (size_t i = 0; i < owners->n; i++) {
		const struct loss_owner *owner = &owners->owners[i];

		if (!owner->n)
			continue;
		snprintf(text, sizeof(text), "%" PRIu64 " %" PRIu64 " %s", owner->n, owner->id,
			owner->path ? owner->path : "?");
		stamp__put(ret_bytes, "loss.cgroup", text);
	}
}

int features__stamp(
	struct perfdata_writer *writer, const struct recorder_summary *summary, struct error *err)
{
	struct buffer bytes;
	struct utsname name;
	char boot[37];
	int code;

	buffer__init(&bytes, 0);
	stamp__put(&bytes, "version", PERFSTAMP_VERSION);
	if (!uname(&name))
		stamp__put(&bytes, "kernel", name.release);
	if (!machine__boot_id(boot))
		stamp__put(&bytes, "boot", boot);
	stamp__put(&bytes, "rung", summary->rung);
	counters__stamp(&summary->counters, &bytes);
	if (summary->file.number) {
		stamp__put_number(&bytes, "file.number", summary->file.number);
		stamp__put_number(&bytes, "file.begin", summary->file.begin_ns);
		stamp__put_number(&bytes, "file.repeated-bytes", summary->file.repeated_bytes);
		if (summary->file.overwritten)
			stamp__put_number(&bytes, "file.overwritten", summary->file.overwritten);
		if (summary->file.no_file)
			stamp__put_number(&bytes, "lost.no-file", summary->file.no_file);
		stamp__put_number(&bytes, "file.seam-ns", summary->file.seam_ns);
	}
	put_losses(&bytes, summary);
	put_loss_owners(&bytes, summary->loss_owners);
	cpu_time__stamp(summary->cpu_time, &bytes);
	kernel_record__stamp(summary->kernel, &bytes);
	if (summary->capture)
		dso_capture__stamp(summary->capture, &bytes);
	if (summary->code)
		code_capture__stamp(summary->code, &bytes);
	code = bytes.error ? error__errno(err, bytes.error, "header feature of perfstamp")
			   : perfdata_writer__feature(
				     writer, PERFSTAMP_FEATURE, bytes.data, bytes.size, err);
	buffer__free(&bytes);
	return code;
}

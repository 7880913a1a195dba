/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counters of a recording, one row for each. These follow from the rows: sums over the files of
 * a recording and differences between them, the lines in a file's header (stamp.h, docs/format.md,
 * "The recording's own lines"), the metrics, and the causes of losses. A new counter needs a row
 * here and the line that counts it. Pure; does not know its callers.
 */
#ifndef PERFSTAMP_PERFDATA_COUNTERS_H
#define PERFSTAMP_PERFDATA_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"

/* How a counter of the recording relates to one of its files. */
enum counter_kind {
	COUNTER_SINCE, /* only grows; a file has the increase since the file began */
	COUNTER_ANEW,  /* each file also counts what exists when it begins */
	COUNTER_FILE,  /* each file begins at 0; values of several files cannot be added */
};

/* clang-format off */

/*
 * X(id, name, cause in words if map records are lost by it or NULL, option that prevents it or
 * NULL). The names are those of docs/format.md, "loss".
 */
#define LOSS_CAUSES(X)                                                                             \
	X(RING_FULL, "ring-full", "ring full", "a larger --map-ring-size")                         \
	X(RECURSION, "recursion", "recursion guard", NULL) /* a program was running on that CPU */ \
	X(LOOKUP, "lookup", "lookup failed", NULL)         /* the mapping was gone, or locked */   \
	X(PIDS_FULL, "pids-full", NULL, "-a") /* children and threads that could not be followed */ \
	X(PERF_RINGS, "perf-rings", NULL, "a larger -m or a lower -F") /* samples and others */    \
	X(CPU, "cpu-off-line", NULL, NULL) /* how often a CPU was off-line, and not recorded */

/*
 * X(id, kind, header line, metric, unit, label, value of the label, help for the metric). NULL:
 * there is no line, or no metric. A metric without a label is one number. The rows of one metric
 * are adjacent. LOSS: applied to the causes of losses.
 */
#define COUNTERS(X, LOSS)                                                                          \
	X(MAPS, COUNTER_ANEW, "maps", NULL, NULL, NULL, NULL, NULL)                                \
	X(IDENTIFIED, COUNTER_ANEW, "maps.identified", "maps", NULL, "identity", "build-id",       \
		"Executable mappings in user space, by kind of identity.")                         \
	X(COOKIES, COUNTER_ANEW, "maps.cookies", "maps", NULL, "identity", "cookie", NULL)         \
	X(UNREADABLE, COUNTER_ANEW, NULL, "maps", NULL, "identity", "none", NULL)                  \
	X(ANONYMOUS, COUNTER_ANEW, "maps.anonymous", "maps", NULL, "identity", "anonymous", NULL)  \
	X(COMPLETED, COUNTER_ANEW, "maps.completed", NULL, NULL, NULL, NULL, NULL)                 \
	X(LATE, COUNTER_ANEW, "maps.late", NULL, NULL, NULL, NULL, NULL)                           \
	X(DSOS, COUNTER_FILE, NULL, NULL, NULL, NULL, NULL, NULL)                                  \
	LOSS_CAUSES(LOSS)                                                                          \
	X(MODULES_LOADED, COUNTER_SINCE, "modules.loaded", "modules", NULL, "event", "load",       \
		"Kernel modules loaded and unloaded.")                                             \
	X(MODULES_UNLOADED, COUNTER_SINCE, "modules.unloaded", "modules", NULL, "event", "unload", \
		NULL)                                                                              \
	X(MODULES_LOST, COUNTER_SINCE, "lost.modules", NULL, NULL, NULL, NULL, NULL)               \
	X(BPF_PROGRAMS, COUNTER_FILE, "bpf.programs", NULL, NULL, NULL, NULL, NULL)                \
	X(BPF_GONE, COUNTER_FILE, "bpf.gone", NULL, NULL, NULL, NULL, NULL)                        \
	X(BPF_LEFT_OUT, COUNTER_FILE, "bpf.left-out", NULL, NULL, NULL, NULL, NULL)                \
	X(SNAPSHOTS, COUNTER_SINCE, "snapshots", "snapshots", NULL, NULL, NULL,                    \
		"How often the existing state was read again after a loss.")                       \
	X(UNNAMED, COUNTER_SINCE, NULL, NULL, NULL, NULL, NULL, NULL)                              \
	X(IDENTITIES_READ, COUNTER_SINCE, NULL, NULL, NULL, NULL, NULL, NULL)                      \
	X(IDENTITIES_STASHED, COUNTER_SINCE, NULL, NULL, NULL, NULL, NULL, NULL)                   \
	X(SAMPLES, COUNTER_SINCE, NULL, "samples", NULL, NULL, NULL, "Samples recorded.")          \
	X(BYTES, COUNTER_ANEW, NULL, "written_bytes", "bytes", NULL, NULL, "Bytes recorded.")

/* X(id, metric, unit, help): current values, independent of files. */
#define GAUGES(X)                                                                                  \
	X(PERF_RING_FILL, "perf_ring_fill_ratio", "ratio",                                         \
		"How full the fullest perf ring was when it was last read.")                       \
	X(BPF_RING_FILL, "bpf_ring_fill_ratio", "ratio",                                           \
		"How full the ring of map records was when it was last read.")

/* clang-format on */

#define LOSS_CAUSE_ENUM(id, ...) LOSS_##id,
enum loss_cause { LOSS_CAUSES(LOSS_CAUSE_ENUM) LOSS_CAUSES_N };

#define COUNTER_ENUM(id, ...) COUNTER_##id,
#define COUNTER_LOSS_ENUM(id, ...) COUNTER_LOST_##id,
enum counter { COUNTERS(COUNTER_ENUM, COUNTER_LOSS_ENUM) COUNTERS_N };

#define GAUGE_ENUM(id, ...) GAUGE_##id,
enum gauge { GAUGES(GAUGE_ENUM) GAUGES_N };

struct counters {
	uint64_t n[COUNTERS_N];
	double gauges[GAUGES_N];
};

/* A row. Strings that it does not have are NULL. */
struct counter_row {
	enum counter_kind kind;
	const char *line;
	const char *metric;
	const char *unit;
	const char *label;
	const char *value;
	const char *help;
};

const struct counter_row *counter__row(enum counter counter);
/* The same for a gauge, which has metric, unit and help. */
const struct counter_row *gauge__row(enum gauge gauge);

/* "ring-full" … */
const char *loss_cause__name(enum loss_cause cause);
/* Returns the cause in words if map records are lost by it, otherwise NULL. */
const char *loss_cause__of_maps(enum loss_cause cause);
/* Returns the option that prevents losses with this cause; NULL: none is known. */
const char *loss_cause__remedy(const char *name);

static inline enum counter counter__of_loss(enum loss_cause cause)
{
	return COUNTER_LOST_RING_FULL + (enum counter)cause;
}

/* Return the sum of the causes by which map records are lost, and the sum of all causes. */
uint64_t counters__lost_maps(const struct counters *counters);
uint64_t counters__lost(const struct counters *counters);

/* Begins the next file: resets the counters that are counted per file. */
void counters__begin_file(struct counters *counters);
/* Subtracts @base from the counters that only grow. */
void counters__subtract(struct counters *counters, const struct counters *base);
/* Adds the per-file counters of @file, minus @repeated (may be NULL), with which the file began. */
void counters__add_file(
	struct counters *to, const struct counters *file, const struct counters *repeated);
/* Copies the per-file counters, and nothing else, from @from. */
void counters__take_anew(struct counters *to, const struct counters *from);

/* Appends the lines of a file's header. */
void counters__stamp(const struct counters *counters, struct buffer *out);

#endif

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of header features, see features.h, and write_*(), print_*() in
 * tools/perf/util/header.c of Linux.
 */
#include "user/perfdata/features/features.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "user/base/cursor.h"
#include "user/base/text.h"
#include "user/perfdata/features/bpf_prog.h"
#include "user/perfdata/features/event_desc.h"
#include "user/perfdata/features/group_desc.h"
#include "user/perfdata/features/shape.h"
#include "user/perfdata/features/stamp.h"
#include "user/perfdata/strings.h"

static int write_string(struct buffer *out, const char *s)
{
	return s ? strings__put(out, s) : -ENODATA;
}

static int write_hostname(struct buffer *out, const struct machine_info *info)
{
	return write_string(out, info->hostname);
}

static int write_osrelease(struct buffer *out, const struct machine_info *info)
{
	return write_string(out, info->osrelease);
}

static int write_version(struct buffer *out, const struct machine_info *info)
{
	return write_string(out, info->version);
}

static int write_arch(struct buffer *out, const struct machine_info *info)
{
	return write_string(out, info->arch);
}

static int write_cpudesc(struct buffer *out, const struct machine_info *info)
{
	return write_string(out, info->cpudesc);
}

static int write_cpuid(struct buffer *out, const struct machine_info *info)
{
	return write_string(out, info->cpuid);
}

static int write_nrcpus(struct buffer *out, const struct machine_info *info)
{
	if (!info->nr_cpus_avail)
		return -ENODATA;
	buffer__u32(out, info->nr_cpus_avail);
	return buffer__u32(out, info->nr_cpus_online);
}

static int write_total_mem(struct buffer *out, const struct machine_info *info)
{
	return info->total_mem_kb ? buffer__u64(out, info->total_mem_kb) : -ENODATA;
}

static int write_cmdline(struct buffer *out, const struct machine_info *info)
{
	if (!info->exe)
		return -ENODATA;
	buffer__u32(out, info->argc + 1);
	strings__put(out, info->exe);
	for (uint32_t i = 0; i < info->argc; i++)
		strings__put(out, info->argv[i]);
	return out->error;
}

/*
 * The part on dies is always written. In a pipe, a record is padded to eight bytes, and without
 * that part perf would read the padding as its beginning.
 */
static int write_cpu_topology(struct buffer *out, const struct machine_info *info)
{
	if (!info->cpus || !info->nr_cpus_avail)
		return -ENODATA;
	strings__put_list(out, info->packages.lists, info->packages.n);
	strings__put_list(out, info->cores.lists, info->cores.n);
	for (uint32_t i = 0; i < info->nr_cpus_avail; i++) {
		buffer__u32(out, info->cpus[i].core_id);
		buffer__u32(out, info->cpus[i].package_id);
	}
	strings__put_list(out, info->dies.lists, info->dies.n);
	for (uint32_t i = 0; i < info->nr_cpus_avail; i++)
		buffer__u32(out, info->cpus[i].die_id);
	return out->error;
}

static int write_clockid(struct buffer *out, const struct machine_info *info)
{
	return info->has_clock ? buffer__u64(out, info->clock_res_ns) : -ENODATA;
}

static int write_clock_data(struct buffer *out, const struct machine_info *info)
{
	if (!info->has_clock)
		return -ENODATA;
	buffer__u32(out, 1); /* version */
	buffer__u32(out, info->clockid);
	buffer__u64(out, info->wall_ns);
	return buffer__u64(out, info->clock_ns);
}

static void show_escaped(struct buffer *out, const char *s)
{
	size_t len = text__escape(NULL, 0, s);
	char *at = buffer__extend(out, len + 1);

	if (!at)
		return;
	text__escape(at, len + 1, s);
	out->size--; /* the NUL */
}

static void show_string(struct buffer *out, struct cursor *in)
{
	const char *s = strings__get(in);

	if (s)
		show_escaped(out, s);
}

static void show_u64(struct buffer *out, struct cursor *in)
{
	buffer__printf(out, "%" PRIu64, cursor__u64(in));
}

static void show_total_mem(struct buffer *out, struct cursor *in)
{
	show_u64(out, in);
	buffer__printf(out, " kB");
}

static void show_clockid(struct buffer *out, struct cursor *in)
{
	show_u64(out, in);
	buffer__printf(out, " ns resolution");
}

static void show_nrcpus(struct buffer *out, struct cursor *in)
{
	uint32_t avail = cursor__u32(in), online = cursor__u32(in);

	buffer__printf(out, "%u online, %u available", online, avail);
}

static void show_cmdline(struct buffer *out, struct cursor *in)
{
	uint32_t n = cursor__u32(in);

	for (uint32_t i = 0; i < n && !in->failed; i++) {
		if (i)
			buffer__printf(out, " ");
		show_string(out, in);
	}
}

static void show_cpu_lists(struct buffer *out, struct cursor *in, const char *what)
{
	uint32_t n = cursor__u32(in);

	buffer__printf(out, "%s", what);
	for (uint32_t i = 0; i < n && !in->failed; i++) {
		buffer__printf(out, " ");
		show_string(out, in);
	}
}

static void show_cpu_topology(struct buffer *out, struct cursor *in)
{
	show_cpu_lists(out, in, "packages");
	show_cpu_lists(out, in, "; cores");
}

static void show_sample_time(struct buffer *out, struct cursor *in)
{
	uint64_t first = cursor__u64(in), last = cursor__u64(in);

	buffer__printf(out, "%" PRIu64 " to %" PRIu64 " ns", first, last);
}

static void show_clock_data(struct buffer *out, struct cursor *in)
{
	uint32_t clockid;
	uint64_t wall, clock;

	cursor__u32(in); /* version */
	clockid = cursor__u32(in);
	wall = cursor__u64(in);
	clock = cursor__u64(in);
	buffer__printf(out, "clock %u was %" PRIu64 " ns at %" PRIu64 " ns since the epoch",
		clockid, clock, wall);
}

static void show_compressed(struct buffer *out, struct cursor *in)
{
	uint32_t type, level, ratio;

	cursor__u32(in); /* version */
	type = cursor__u32(in);
	level = cursor__u32(in);
	ratio = cursor__u32(in);
	buffer__printf(
		out, "%s, level %u, ratio %u", type == 1 ? "zstd" : "unknown method", level, ratio);
}

static int show_event(void *ctx, size_t index, const struct event_desc *event)
{
	struct buffer *out = ctx;

	if (index)
		buffer__printf(out, ", ");
	show_escaped(out, event->name);
	buffer__printf(out, " (%zu ids)", event->n_ids);
	return out->error;
}

static void show_event_desc(struct buffer *out, struct cursor *in)
{
	size_t size = cursor__remaining(in);
	const void *bytes = cursor__bytes(in, size);

	if (event_desc__parse(bytes, size, in->swap, show_event, out) == -EBADMSG)
		in->failed = true;
}

static void show_stamp(struct buffer *out, struct cursor *in)
{
	size_t size = cursor__remaining(in);
	const void *bytes = cursor__bytes(in, size);

	if (stamp__describe(out, bytes, size) == -EBADMSG)
		in->failed = true;
}

struct feature {
	const char *name;
	int (*write)(struct buffer *out, const struct machine_info *info);
	void (*show)(struct buffer *out, struct cursor *in);
	/* layout that perf reads (shape.h), if .show does not check it; or NULL */
	const char *shape;
	unsigned int is; /* IN_PIPE, OF_RECORDS */
};

#define IN_PIPE 1u    /* perf 6.1 itself writes it to pipes (FEAT_OPR in its table) */
#define OF_RECORDS 2u /* it describes the records of its own file */

/*
 * Indexed by id. Features without functions are only known by name, or are written elsewhere:
 * user/source/machine/hardware.c has those that are read from /sys.
 */
static const struct feature features[PERFDATA_FEATURE_BITS] = {
	[HEADER_TRACING_DATA] = {"tracing data", NULL, NULL, NULL, 0},
	[HEADER_BUILD_ID] = {"build-ids", NULL, NULL, NULL, OF_RECORDS},
	[HEADER_HOSTNAME] = {"hostname", write_hostname, show_string, NULL, IN_PIPE},
	[HEADER_OSRELEASE] = {"os release", write_osrelease, show_string, NULL, IN_PIPE},
	[HEADER_VERSION] = {"tool version", write_version, show_string, NULL, IN_PIPE},
	[HEADER_ARCH] = {"arch", write_arch, show_string, NULL, IN_PIPE},
	[HEADER_NRCPUS] = {"cpus", write_nrcpus, show_nrcpus, NULL, IN_PIPE},
	[HEADER_CPUDESC] = {"cpu", write_cpudesc, show_string, NULL, IN_PIPE},
	[HEADER_CPUID] = {"cpuid", write_cpuid, show_string, NULL, IN_PIPE},
	[HEADER_TOTAL_MEM] = {"memory", write_total_mem, show_total_mem, NULL, IN_PIPE},
	[HEADER_CMDLINE] = {"command line", write_cmdline, show_cmdline, NULL, IN_PIPE},
	[HEADER_EVENT_DESC] = {"events", NULL, show_event_desc, NULL, IN_PIPE},
	[HEADER_CPU_TOPOLOGY] = {"cpu topology", write_cpu_topology, show_cpu_topology, NULL,
		IN_PIPE},
	[HEADER_NUMA_TOPOLOGY] = {"numa topology", NULL, NULL, "(488s)", IN_PIPE},
	[HEADER_BRANCH_STACK] = {"branch stack", NULL, NULL, NULL, 0},
	[HEADER_PMU_MAPPINGS] = {"pmu mappings", NULL, NULL, "(4s)", IN_PIPE},
	[HEADER_GROUP_DESC] = {"event groups", NULL, group_desc__show, "(s44)", IN_PIPE},
	[HEADER_AUXTRACE] = {"auxtrace index", NULL, NULL, NULL, 0},
	[HEADER_STAT] = {"stat", NULL, NULL, NULL, 0},
	[HEADER_CACHE] = {"cpu caches", NULL, NULL, "4(4444sss)", 0},
	[HEADER_SAMPLE_TIME] = {"sample time", NULL, show_sample_time, NULL, IN_PIPE | OF_RECORDS},
	[HEADER_MEM_TOPOLOGY] = {"memory topology", NULL, NULL, "88{88b}", IN_PIPE},
	[HEADER_CLOCKID] = {"clock", write_clockid, show_clockid, NULL, IN_PIPE},
	[HEADER_DIR_FORMAT] = {"directory format", NULL, NULL, NULL, 0},
	[HEADER_BPF_PROG_INFO] = {"bpf programs", NULL, bpf_prog__show, "(d)",
		IN_PIPE | OF_RECORDS},
	[HEADER_BPF_BTF] = {"bpf types", NULL, bpf_btf__show, "(4B)", IN_PIPE | OF_RECORDS},
	[HEADER_COMPRESSED] = {"compression", NULL, show_compressed, NULL, IN_PIPE},
	[HEADER_CPU_PMU_CAPS] = {"cpu pmu capabilities", NULL, NULL, "(ss)", IN_PIPE},
	[HEADER_CLOCK_DATA] = {"clock reference", write_clock_data, show_clock_data, NULL, IN_PIPE},
	[HEADER_HYBRID_TOPOLOGY] = {"hybrid topology", NULL, NULL, "(ss)", 0},
	[HEADER_PMU_CAPS] = {"pmu capabilities", NULL, NULL, "((ss)s)", IN_PIPE},
	[HEADER_CPU_DOMAIN_INFO] = {"cpu domains", NULL, NULL, NULL, 0},
	[HEADER_E_MACHINE] = {"elf machine", NULL, NULL, "44", 0},
	[HEADER_CLN_SIZE] = {"cache line size", NULL, NULL, "4", 0},
	[PERFSTAMP_FEATURE] = {"perfstamp", NULL, show_stamp, NULL, 0},
};

static const struct feature *find(unsigned int id)
{
	return id < PERFDATA_FEATURE_BITS && features[id].name ? &features[id] : NULL;
}

const char *feature__name(unsigned int id)
{
	const struct feature *feature = find(id);

	return feature ? feature->name : NULL;
}

bool feature__in_pipe(unsigned int id)
{
	const struct feature *feature = find(id);

	return feature && feature->is & IN_PIPE;
}

bool feature__is_of_records(unsigned int id)
{
	const struct feature *feature = find(id);

	return feature && feature->is & OF_RECORDS;
}

bool feature__fits(unsigned int id, const void *bytes, size_t size, bool swap)
{
	const struct feature *feature = find(id);

	return !feature || feature_shape__fits(feature->shape, bytes, size, swap);
}

int feature__encode(struct buffer *out, unsigned int id, const struct machine_info *info)
{
	const struct feature *feature = find(id);
	size_t start = out->size;
	int err;

	if (!feature || !feature->write)
		return -ENOTSUP;
	err = feature->write(out, info);
	if (err)
		buffer__truncate(out, start);
	return err;
}

int feature__describe(
	struct buffer *out, unsigned int id, const void *bytes, size_t size, bool swap)
{
	const struct feature *feature = find(id);
	struct cursor in;

	cursor__init(&in, bytes, size, swap);
	/* perfstamp's own feature already consists of lines. */
	if (id == PERFSTAMP_FEATURE) {
		show_stamp(out, &in);
		return in.failed ? -EBADMSG : out->error;
	}
	if (feature)
		buffer__printf(out, "%s: ", feature->name);
	else
		buffer__printf(out, "feature %u: ", id);
	if (feature && feature->show)
		feature->show(out, &in);
	else
		buffer__printf(out, "%zu bytes", size);
	buffer__printf(out, "\n");
	return in.failed ? -EBADMSG : out->error;
}

const char *feature__string(const void *bytes, size_t size, bool swap)
{
	struct cursor in;

	cursor__init(&in, bytes, size, swap);
	return strings__get(&in);
}

bool feature__wall_offset(const void *bytes, size_t size, bool swap, int64_t *ret)
{
	struct cursor in;
	uint64_t wall_ns;

	cursor__init(&in, bytes, size, swap);
	cursor__skip(&in, 8); /* version, clock */
	wall_ns = cursor__u64(&in);
	*ret = (int64_t)(wall_ns - cursor__u64(&in));
	return !in.failed;
}

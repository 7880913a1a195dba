// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names that mean the same everywhere are perf's own, with perf's aliases; the
 * tables follow tools/perf/util/parse-events.c and evsel.c. Knows no machine.
 */
#include "user/parse/event_name.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct fixed_name {
	const char *name;
	uint32_t type;
	uint32_t config;
};

#define HW(name, config)                                                                           \
	{                                                                                          \
		name, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##config                                   \
	}
#define SW(name, config)                                                                           \
	{                                                                                          \
		name, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##config                                   \
	}

static const struct fixed_name fixed_names[] = {
	HW("cycles", CPU_CYCLES),
	HW("cpu-cycles", CPU_CYCLES),
	HW("instructions", INSTRUCTIONS),
	HW("cache-references", CACHE_REFERENCES),
	HW("cache-misses", CACHE_MISSES),
	HW("branches", BRANCH_INSTRUCTIONS),
	HW("branch-instructions", BRANCH_INSTRUCTIONS),
	HW("branch-misses", BRANCH_MISSES),
	HW("bus-cycles", BUS_CYCLES),
	HW("stalled-cycles-frontend", STALLED_CYCLES_FRONTEND),
	HW("idle-cycles-frontend", STALLED_CYCLES_FRONTEND),
	HW("stalled-cycles-backend", STALLED_CYCLES_BACKEND),
	HW("idle-cycles-backend", STALLED_CYCLES_BACKEND),
	HW("ref-cycles", REF_CPU_CYCLES),
	SW("cpu-clock", CPU_CLOCK),
	SW("task-clock", TASK_CLOCK),
	SW("page-faults", PAGE_FAULTS),
	SW("faults", PAGE_FAULTS),
	SW("context-switches", CONTEXT_SWITCHES),
	SW("cs", CONTEXT_SWITCHES),
	SW("cpu-migrations", CPU_MIGRATIONS),
	SW("migrations", CPU_MIGRATIONS),
	SW("minor-faults", PAGE_FAULTS_MIN),
	SW("major-faults", PAGE_FAULTS_MAJ),
	SW("alignment-faults", ALIGNMENT_FAULTS),
	SW("emulation-faults", EMULATION_FAULTS),
	SW("dummy", DUMMY),
	SW("bpf-output", BPF_OUTPUT),
	SW("cgroup-switches", CGROUP_SWITCHES),
};

struct cache_name {
	const char *name;
	uint8_t value;
};

static const struct cache_name cache_names[] = {
	{"L1-dcache", PERF_COUNT_HW_CACHE_L1D},
	{"L1-icache", PERF_COUNT_HW_CACHE_L1I},
	{"LLC", PERF_COUNT_HW_CACHE_LL},
	{"dTLB", PERF_COUNT_HW_CACHE_DTLB},
	{"iTLB", PERF_COUNT_HW_CACHE_ITLB},
	{"branch", PERF_COUNT_HW_CACHE_BPU},
	{"node", PERF_COUNT_HW_CACHE_NODE},
};

/* Both parts of the rest: the operation, and the result if it is misses. */
static const struct {
	const char *name;
	uint8_t op;
	uint8_t result;
} cache_ops[] = {
	{"loads", PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_ACCESS},
	{"load-refs", PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_ACCESS},
	{"load-misses", PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_MISS},
	{"stores", PERF_COUNT_HW_CACHE_OP_WRITE, PERF_COUNT_HW_CACHE_RESULT_ACCESS},
	{"store-refs", PERF_COUNT_HW_CACHE_OP_WRITE, PERF_COUNT_HW_CACHE_RESULT_ACCESS},
	{"store-misses", PERF_COUNT_HW_CACHE_OP_WRITE, PERF_COUNT_HW_CACHE_RESULT_MISS},
	{"prefetches", PERF_COUNT_HW_CACHE_OP_PREFETCH, PERF_COUNT_HW_CACHE_RESULT_ACCESS},
	{"prefetch-refs", PERF_COUNT_HW_CACHE_OP_PREFETCH, PERF_COUNT_HW_CACHE_RESULT_ACCESS},
	{"prefetch-misses", PERF_COUNT_HW_CACHE_OP_PREFETCH, PERF_COUNT_HW_CACHE_RESULT_MISS},
};

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

static bool lookup_cache(const char *name, struct event_name *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(cache_names); i++) {
		size_t len = strlen(cache_names[i].name);

		if (strncmp(name, cache_names[i].name, len) || name[len] != '-')
			continue;
		for (size_t j = 0; j < ARRAY_SIZE(cache_ops); j++) {
			if (strcmp(name + len + 1, cache_ops[j].name))
				continue;
			ret->type = PERF_TYPE_HW_CACHE;
			ret->config = cache_names[i].value | cache_ops[j].op << 8 |
				      cache_ops[j].result << 16;
			return true;
		}
	}
	return false;
}

static bool lookup_raw(const char *name, struct event_name *ret)
{
	size_t digits;

	if (name[0] != 'r')
		return false;
	digits = strspn(name + 1, "0123456789abcdefABCDEF");
	if (!digits || digits > 16 || name[1 + digits])
		return false;
	ret->type = PERF_TYPE_RAW;
	ret->config = strtoull(name + 1, NULL, 16);
	return true;
}

static bool lookup_fixed(const char *name, struct event_name *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(fixed_names); i++) {
		if (strcmp(name, fixed_names[i].name))
			continue;
		ret->type = fixed_names[i].type;
		ret->config = fixed_names[i].config;
		return true;
	}
	return lookup_cache(name, ret) || lookup_raw(name, ret);
}

int event_modifiers__parse(struct event_modifiers *ret, const char *text)
{
	struct event_modifiers m = {0};

	for (const char *p = text; *p; p++) {
		if (strchr("ukh", *p) && !m.privilege_given) {
			m.exclude_user = m.exclude_kernel = m.exclude_hv = true;
			m.privilege_given = true;
		}
		if (strchr("GH", *p) && !m.guest_given) {
			m.exclude_host = m.exclude_guest = true;
			m.guest_given = true;
		}
		switch (*p) {
		case 'u':
			m.exclude_user = false;
			break;
		case 'k':
			m.exclude_kernel = false;
			break;
		case 'h':
			m.exclude_hv = false;
			break;
		case 'G':
			m.exclude_guest = false;
			break;
		case 'H':
			m.exclude_host = false;
			break;
		case 'I':
			m.exclude_idle = true;
			break;
		case 'p':
			m.precise++;
			break;
		case 'P':
			m.precise_max = true;
			break;
		case 'D':
			m.pinned = true;
			break;
		case 'e':
			m.exclusive = true;
			break;
		default:
			return -EINVAL;
		}
		if (m.precise > 3)
			return -EINVAL;
	}
	*ret = m;
	return 0;
}

void event_modifiers__apply(const struct event_modifiers *modifiers, struct perf_event_attr *attr)
{
	if (modifiers->privilege_given) {
		attr->exclude_user = modifiers->exclude_user;
		attr->exclude_kernel = modifiers->exclude_kernel;
		attr->exclude_hv = modifiers->exclude_hv;
	}
	if (modifiers->guest_given) {
		attr->exclude_host = modifiers->exclude_host;
		attr->exclude_guest = modifiers->exclude_guest;
	} else {
		/* As perf: what runs in a guest is not sampled unless asked for. */
		attr->exclude_guest = 1;
	}
	attr->exclude_idle = modifiers->exclude_idle;
	attr->pinned = modifiers->pinned;
	attr->exclusive = modifiers->exclusive;
	if (modifiers->precise)
		attr->precise_ip = modifiers->precise;
	if (modifiers->precise_max)
		attr->precise_ip = 3;
}

static int parse_pmu(struct event_name *ret, const char *slash, struct error *err)
{
	size_t len = slash - ret->text;
	const char *end = strchr(slash + 1, '/');

	if (!end)
		return error__set(
			err, -EINVAL, "event '%s': the closing slash is missing", ret->text);
	if (len >= sizeof(ret->pmu))
		return error__set(
			err, -EINVAL, "event '%s': the PMU's name is too long", ret->text);
	ret->kind = EVENT_NAME_PMU;
	memcpy(ret->pmu, ret->text, len);
	ret->pmu[len] = '\0';
	memcpy(ret->terms, slash + 1, end - slash - 1);
	ret->terms[end - slash - 1] = '\0';
	end++;
	/* perf takes both pmu/terms/u and pmu/terms/:u. */
	if (*end == ':')
		end++;
	if (event_modifiers__parse(&ret->modifiers, end))
		return error__set(err, -EINVAL,
			"event '%s': '%s' are not modifiers (u k h I G H p P D e)", ret->text, end);
	return 0;
}

static int parse_one(struct event_name *ret, struct error *err)
{
	char base[EVENT_NAME_MAX];
	const char *colon, *slash;
	size_t len;

	ret->kind = EVENT_NAME_OTHER;
	if (strpbrk(ret->text, "{}"))
		return error__set(
			err, -EINVAL, "event '%s': event groups are not supported", ret->text);
	slash = strchr(ret->text, '/');
	if (slash)
		return parse_pmu(ret, slash, err);
	colon = strchr(ret->text, ':');
	len = colon ? (size_t)(colon - ret->text) : strlen(ret->text);
	memcpy(base, ret->text, len);
	base[len] = '\0';
	if (!lookup_fixed(base, ret))
		return 0;
	ret->kind = EVENT_NAME_FIXED;
	if (colon && event_modifiers__parse(&ret->modifiers, colon + 1))
		return error__set(err, -EINVAL,
			"event '%s': '%s' are not modifiers (u k h I G H p P D e)", ret->text,
			colon + 1);
	return 0;
}

int event_name__next(const char **cursor, struct event_name *ret, struct error *err)
{
	const char *p = *cursor;
	bool in_terms = false;
	size_t len = 0;
	int r;

	memset(ret, 0, sizeof(*ret));
	if (!*p)
		return 0;
	while (p[len] && (in_terms || p[len] != ',')) {
		if (p[len] == '/')
			in_terms = !in_terms;
		if (isspace((unsigned char)p[len]))
			return error__set(err, -EINVAL, "event list '%s': contains a space", p);
		len++;
	}
	if (!len || (p[len] == ',' && !p[len + 1]))
		return error__set(err, -EINVAL, "event list '%s': an event's name is missing", p);
	if (len >= sizeof(ret->text))
		return error__set(err, -EINVAL, "event name over %zu bytes", sizeof(ret->text) - 1);
	memcpy(ret->text, p, len);
	*cursor = p + len + (p[len] == ',');
	r = parse_one(ret, err);
	return r ? r : 1;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * See name.h. Names that have the same meaning on every machine are perf's, with perf's aliases;
 * the tables follow tools/perf/util/parse-events.c and evsel.c. Does not know the machine.
 */
#include "user/parse/event/name.h"

#include <ctype.h>
#include <errno.h>
#include <linux/hw_breakpoint.h>
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

/* The end of a cache event's name, with its operation and its result. */
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
		case 'S':
			m.sample_read = true;
			break;
		case 'W':
			m.weak = true;
			break;
		case 'X':
			/* "do not regroup": perfstamp never regroups */
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

void event_modifiers__add(struct event_modifiers *ret, const struct event_modifiers *group)
{
	/* parse_events__modifier_group() of perf */
	if (group->privilege_given) {
		ret->exclude_user = group->exclude_user &&
				    (!ret->privilege_given || ret->exclude_user);
		ret->exclude_kernel = group->exclude_kernel &&
				      (!ret->privilege_given || ret->exclude_kernel);
		ret->exclude_hv = group->exclude_hv && (!ret->privilege_given || ret->exclude_hv);
		ret->privilege_given = true;
	}
	if (group->guest_given) {
		ret->exclude_host = group->exclude_host && (!ret->guest_given || ret->exclude_host);
		ret->exclude_guest = group->exclude_guest &&
				     (!ret->guest_given || ret->exclude_guest);
		ret->guest_given = true;
	}
	ret->exclude_idle |= group->exclude_idle;
	ret->pinned |= group->pinned;
	ret->exclusive |= group->exclusive;
	ret->precise_max |= group->precise_max;
	if (group->precise)
		ret->precise = group->precise;
	ret->sample_read |= group->sample_read;
	ret->weak |= group->weak;
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
		/* As in perf: guests are sampled only on request. */
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

#define MODIFIERS "u k h I G H p P D e S W X"

static int not_modifiers(const char *text, const char *letters, struct error *err)
{
	return error__set(
		err, -EINVAL, "event '%s': '%s' are not modifiers (" MODIFIERS ")", text, letters);
}

/* Parses name/terms/modifiers: an event of a PMU, or one that needs no PMU, with terms. */
static int parse_terms(struct event_name *ret, const char *slash, struct error *err)
{
	size_t len = slash - ret->text;
	const char *end = strchr(slash + 1, '/');

	if (!end)
		return error__set(
			err, -EINVAL, "event '%s': the closing slash is missing", ret->text);
	memcpy(ret->base, ret->text, len);
	ret->base[len] = '\0';
	memcpy(ret->terms, slash + 1, end - slash - 1);
	ret->terms[end - slash - 1] = '\0';
	end++;
	/* perf takes both pmu/terms/u and pmu/terms/:u. */
	if (*end == ':')
		end++;
	if (event_modifiers__parse(&ret->modifiers, end))
		return not_modifiers(ret->text, end, err);
	ret->kind = EVENT_NAME_FIXED;
	if (lookup_fixed(ret->base, ret))
		return 0;
	if (strchr(ret->base, ':'))
		return error__set(err, -EINVAL,
			"event '%s': only a PMU's name, or an event that needs no PMU, can have "
			"terms; a tracepoint cannot",
			ret->text);
	ret->kind = EVENT_NAME_PMU;
	if (len >= sizeof(ret->pmu))
		return error__set(
			err, -EINVAL, "event '%s': the PMU's name is too long", ret->text);
	memcpy(ret->pmu, ret->base, len + 1);
	return 0;
}

#define BREAKPOINT "mem:"

static bool is_breakpoint(const char *text)
{
	return !strncmp(text, BREAKPOINT, strlen(BREAKPOINT)) &&
	       isdigit((unsigned char)text[strlen(BREAKPOINT)]);
}

/* Parses mem:ADDRESS/LENGTH:ACCESS:MODIFIERS, of which only the address is mandatory. */
static int parse_breakpoint(struct event_name *ret, struct error *err)
{
	char *p;
	size_t n;

	ret->kind = EVENT_NAME_FIXED;
	ret->type = PERF_TYPE_BREAKPOINT;
	memcpy(ret->base, ret->text, sizeof(ret->base));
	ret->bp_addr = strtoull(ret->text + strlen(BREAKPOINT), &p, 0);
	if (*p == '/' && isdigit((unsigned char)p[1]))
		ret->bp_len = strtoull(p + 1, &p, 10);
	n = *p == ':' ? strspn(p + 1, "rwx") : 0;
	for (size_t i = 1; i <= n; i++)
		ret->bp_type |= p[i] == 'r'   ? HW_BREAKPOINT_R
				: p[i] == 'w' ? HW_BREAKPOINT_W
					      : HW_BREAKPOINT_X;
	p += n ? n + 1 : 0;
	/* These are perf's defaults. For code, the kernel only accepts the length of a long. */
	if (!ret->bp_type)
		ret->bp_type = HW_BREAKPOINT_RW;
	if (!ret->bp_len)
		ret->bp_len = ret->bp_type == HW_BREAKPOINT_X ? sizeof(long) : HW_BREAKPOINT_LEN_4;
	if (*p && *p != ':')
		return error__set(err, -EINVAL,
			"event '%s': a breakpoint is mem:ADDRESS[/LENGTH][:ACCESS][:MODIFIERS], "
			"with ACCESS of r, w and x",
			ret->text);
	if (*p && event_modifiers__parse(&ret->modifiers, p + 1))
		return not_modifiers(ret->text, p + 1, err);
	return 0;
}

static int parse_one(struct event_name *ret, struct error *err)
{
	const char *colon, *slash;
	size_t len;

	if (is_breakpoint(ret->text))
		return parse_breakpoint(ret, err);
	ret->kind = EVENT_NAME_OTHER;
	slash = strchr(ret->text, '/');
	if (slash)
		return parse_terms(ret, slash, err);
	colon = strchr(ret->text, ':');
	len = colon ? (size_t)(colon - ret->text) : strlen(ret->text);
	memcpy(ret->base, ret->text, len);
	ret->base[len] = '\0';
	if (!lookup_fixed(ret->base, ret)) {
		memcpy(ret->base, ret->text, sizeof(ret->base));
		return 0;
	}
	ret->kind = EVENT_NAME_FIXED;
	if (colon && event_modifiers__parse(&ret->modifiers, colon + 1))
		return not_modifiers(ret->text, colon + 1, err);
	return 0;
}

/* Returns the length of @p up to one of @stops outside of the slashes around terms. */
static size_t span(const char *p, const char *stops)
{
	bool in_terms = false, has_terms = !is_breakpoint(p);
	size_t len;

	for (len = 0; p[len] && (in_terms || !strchr(stops, p[len])); len++)
		if (p[len] == '/' && has_terms)
			in_terms = !in_terms;
	return len;
}

static const char *skip_spaces(const char *p)
{
	while (isspace((unsigned char)*p))
		p++;
	return p;
}

static int is_missing(const char *at, struct error *err)
{
	return error__set(err, -EINVAL, "event list '%s': an event's name is missing", at);
}

/*
 * Called at a brace, which a name and a colon may precede. Looks ahead for the group's modifiers.
 */
static int begin_group(struct event_names *names, size_t name_len, struct error *err)
{
	const char *p = names->at, *end;
	size_t len;

	if (name_len >= sizeof(names->group_name))
		return error__set(err, -EINVAL, "event list '%s': a group's name is too long", p);
	memcpy(names->group_name, p, name_len);
	names->group_name[name_len] = '\0';
	p += name_len + !!name_len;
	end = p + 1 + span(p + 1, "{}");
	if (*end != '}')
		return error__set(
			err, -EINVAL, "event list '%s': the closing brace is missing", names->at);
	end++;
	memset(&names->modifiers, 0, sizeof(names->modifiers));
	names->group_letters[0] = '\0';
	if (*end == ':') {
		len = span(++end, ", ");
		if (len >= sizeof(names->group_letters))
			return not_modifiers(names->at, end, err);
		memcpy(names->group_letters, end, len);
		names->group_letters[len] = '\0';
		if (event_modifiers__parse(&names->modifiers, names->group_letters))
			return not_modifiers(names->at, names->group_letters, err);
	}
	names->at = skip_spaces(p + 1);
	names->in_group = true;
	names->after_comma = false;
	names->n_groups++;
	return *names->at == '}' ? is_missing(p, err) : 0;
}

static int end_group(struct event_names *names, struct error *err)
{
	if (names->after_comma)
		return is_missing(names->at, err);
	names->in_group = false;
	names->at++;
	if (*names->at == ':')
		names->at += 1 + strlen(names->group_letters);
	names->at = skip_spaces(names->at);
	if (*names->at && *names->at != ',')
		return error__set(err, -EINVAL,
			"event list: '%s' after a group, where only a comma or modifiers may "
			"follow",
			names->at);
	names->after_comma = *names->at == ',';
	names->at = skip_spaces(names->at + names->after_comma);
	return 0;
}

/* Opens and closes groups, up to an event or the end. */
static int step_over_braces(struct event_names *names, struct error *err)
{
	size_t name_len;
	int r = 0;

	names->at = skip_spaces(names->at);
	while (!r) {
		name_len = strcspn(names->at, "{},/: \t\n");
		if (*names->at == '}' && names->in_group)
			r = end_group(names, err);
		else if (*names->at == '{' && !names->in_group)
			r = begin_group(names, 0, err);
		else if (!names->in_group && name_len && !strncmp(names->at + name_len, ":{", 2))
			r = begin_group(names, name_len, err);
		else
			break;
	}
	return r;
}

/* Completes the name as perf does: with those of the group's letters that apply to each event. */
static void add_letters(struct event_name *ret, const char *letters)
{
	const char *slash = strrchr(ret->text, '/');
	size_t len = strlen(ret->text);
	bool first = slash ? false : !strchr(ret->text, ':') || ret->kind == EVENT_NAME_OTHER;

	for (; *letters; letters++) {
		if (strchr("SWX", *letters) || len + 2 >= sizeof(ret->text))
			continue;
		if (first)
			ret->text[len++] = ':';
		first = false;
		ret->text[len++] = *letters;
		ret->text[len] = '\0';
	}
}

void event_names__init(struct event_names *names, const char *text)
{
	memset(names, 0, sizeof(*names));
	names->at = text;
}

int event_names__next(struct event_names *names, struct event_name *ret, struct error *err)
{
	const char *end;
	size_t len;
	int r;

	memset(ret, 0, sizeof(*ret));
	r = step_over_braces(names, err);
	if (r)
		return r;
	if (!*names->at)
		return names->after_comma ? is_missing(names->at, err) : 0;
	len = span(names->at, ",{} \t\n");
	if (!len)
		return is_missing(names->at, err);
	if (len >= sizeof(ret->text))
		return error__set(err, -EINVAL, "event name over %zu bytes", sizeof(ret->text) - 1);
	memcpy(ret->text, names->at, len);
	end = skip_spaces(names->at + len);
	if (*end && *end != ',' && !(*end == '}' && names->in_group))
		return error__set(err, -EINVAL,
			"event list '%s': a brace or a space where a comma belongs", names->at);
	names->after_comma = *end == ',';
	names->at = skip_spaces(end + names->after_comma);
	r = parse_one(ret, err);
	if (r)
		return r;
	if (names->in_group) {
		ret->group = names->n_groups;
		memcpy(ret->group_name, names->group_name, sizeof(ret->group_name));
		ret->group_modifiers = names->modifiers;
		if (ret->kind != EVENT_NAME_OTHER)
			event_modifiers__add(&ret->modifiers, &names->modifiers);
		add_letters(ret, names->group_letters);
	}
	return 1;
}

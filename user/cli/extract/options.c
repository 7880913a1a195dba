// SPDX-License-Identifier: GPL-2.0-only
/* See options.h. */
#include "user/cli/extract/options.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "user/base/array.h"
#include "user/base/text.h"
#include "user/cli/cli.h"

#define NS_PER_S 1000000000ull

enum { KEY_BUILD_ID = 256, KEY_BINARY, KEY_TIME, KEY_CONTAINER, KEY_BOLT, KEY_NO_CHAINS };

static const struct argp_option OPTIONS[] = {
	{"build-id", KEY_BUILD_ID, "HEX", 0,
		"Extract the build whose build-id begins with HEX; may be repeated", 0},
	{"binary", KEY_BINARY, "ELF", 0, "Extract the build of the file ELF", 0},
	{"time", KEY_TIME, "[START],[STOP]", 0,
		"Extract only samples between these times: seconds of the recording's clock, or "
		"dates as 2026-11-25T17:30:00",
		0},
	{"container", KEY_CONTAINER, "GLOB", 0,
		"Extract only samples of containers whose name, id, pod or image matches GLOB", 0},
	{"pid", 'p', "PID[,PID...]", 0, "Extract only samples of these processes", 0},
	{"bolt", KEY_BOLT, NULL, 0,
		"Write BOLT's pre-aggregated form instead of perf.data, from branch records; "
		"requires --binary",
		0},
	{"no-chains", KEY_NO_CHAINS, NULL, 0,
		"Omit call chains, at which perf2bolt stops if there are no branch records", 0},
	{"input", 'i', "FILE", 0,
		"Read FILE, or standard input for -; may be repeated (default: standard input if "
		"it is a pipe, otherwise perf.data)",
		0},
	{"output", 'o', "OUT", 0, "Write the samples to the file OUT", 0},
	{"force", 'f', NULL, 0, "Replace OUT if it exists", 0},
	{0},
};

static void no_memory(struct argp_state *state)
{
	argp_failure(state, CLI_FAILED, 0, "out of memory");
}

static void add_path(struct extract_options *options, const char *path, struct argp_state *state)
{
	if (array__extend(&options->paths, options->n_paths, sizeof(*options->paths)))
		no_memory(state);
	else
		options->paths[options->n_paths++] = path;
}

static void add_build(struct extract_options *options, const char *arg, struct argp_state *state)
{
	struct extract_build *build = &options->builds[options->n_builds];

	if (options->n_builds == EXTRACT_BUILDS_MAX)
		argp_error(state, "--build-id: more than %d builds", EXTRACT_BUILDS_MAX);
	build->size = text__parse_hex(build->id, sizeof(build->id), arg);
	if (build->size <= 0)
		argp_error(state,
			"--build-id requires 2 to 40 hexadecimal digits, an even number of them: "
			"`%s'",
			arg);
	options->n_builds++;
}

/* Parses seconds with up to nine decimal places. */
static bool parse_seconds(const char *text, uint64_t *ret_ns)
{
	uint64_t seconds = 0, ns = 0, unit = NS_PER_S / 10;

	for (; *text >= '0' && *text <= '9'; text++) {
		if (seconds > UINT64_MAX / NS_PER_S / 10 - 1)
			return false;
		seconds = seconds * 10 + (*text - '0');
	}
	if (*text == '.')
		for (text++; *text >= '0' && *text <= '9'; text++, unit /= 10)
			ns += (*text - '0') * unit;
	*ret_ns = seconds * NS_PER_S + ns;
	return !*text;
}

/* Parses a date in local time, or in UTC if it ends with Z. */
static bool parse_date(const char *text, uint64_t *ret_ns)
{
	struct tm tm = {.tm_isdst = -1};
	const char *end = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
	time_t seconds;
	bool utc;

	if (!end)
		end = strptime(text, "%Y-%m-%d %H:%M:%S", &tm);
	if (!end)
		return false;
	utc = *end == 'Z';
	seconds = utc ? timegm(&tm) : mktime(&tm);
	*ret_ns = (uint64_t)seconds * NS_PER_S;
	return seconds >= 0 && !end[utc];
}

static bool parse_one_time(const char *text, struct extract_time *ret)
{
	*ret = (struct extract_time){.is_set = *text};
	if (!*text || parse_seconds(text, &ret->ns))
		return true;
	ret->is_wall = true;
	return parse_date(text, &ret->ns);
}

static void parse_time(struct extract_options *options, const char *arg, struct argp_state *state)
{
	char *copy = strdup(arg), *comma = copy ? strchr(copy, ',') : NULL;
	bool is_right = comma;

	if (!copy)
		no_memory(state);
	if (comma) {
		*comma = '\0';
		is_right = parse_one_time(copy, &options->from) &&
			   parse_one_time(comma + 1, &options->to);
	}
	free(copy);
	if (is_right && options->from.is_set && options->to.is_set &&
		options->from.is_wall == options->to.is_wall)
		is_right = options->from.ns <= options->to.ns;
	if (!is_right)
		argp_error(state,
			"--time requires START,STOP, one of which may be omitted, in seconds or as "
			"2026-11-25T17:30:00: `%s'",
			arg);
}

static void parse_pids(struct extract_options *options, const char *arg, struct argp_state *state)
{
	const char *at = arg;
	unsigned long pid;
	char *end;

	for (;; at = end + 1) {
		errno = 0;
		pid = strtoul(at, &end, 10);
		if (end == at || *at < '0' || *at > '9' || errno || pid > INT_MAX ||
			(*end && *end != ','))
			argp_error(state, "--pid requires numbers of processes: `%s'", arg);
		if (array__extend(&options->pids, options->n_pids, sizeof(*options->pids))) {
			no_memory(state);
			return;
		}
		options->pids[options->n_pids++] = (uint32_t)pid;
		if (!*end)
			return;
	}
}

static void check(struct extract_options *options, struct argp_state *state)
{
	bool is_part = options->from.is_set || options->to.is_set || options->container_glob ||
		       options->n_pids;

	if (!options->out)
		argp_error(state, "--output is required");
	if (!options->n_builds && !options->binary && !is_part)
		argp_error(state,
			"nothing is selected: use --build-id, --binary, --time, --container or "
			"--pid");
	if (options->bolt && (!options->binary || options->n_builds))
		argp_error(state, "--bolt requires --binary, and no --build-id");
	if (!options->n_paths)
		add_path(options, cli__default_recording(), state);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct extract_options *options = state->input;

	switch (key) {
	case KEY_BUILD_ID:
		add_build(options, arg, state);
		return 0;
	case KEY_BINARY:
		options->binary = arg;
		return 0;
	case KEY_TIME:
		parse_time(options, arg, state);
		return 0;
	case KEY_CONTAINER:
		options->container_glob = arg;
		return 0;
	case 'p':
		parse_pids(options, arg, state);
		return 0;
	case KEY_BOLT:
		options->bolt = true;
		return 0;
	case KEY_NO_CHAINS:
		options->no_chains = true;
		return 0;
	case 'o':
		options->out = arg;
		return 0;
	case 'f':
		options->force = true;
		return 0;
	case 'i':
	case ARGP_KEY_ARG:
		add_path(options, arg, state);
		return 0;
	case ARGP_KEY_END:
		check(options, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

void extract_options__parse(struct extract_options *ret, int argc, char **argv)
{
	static const struct argp ARGP = {
		.options = OPTIONS,
		.parser = parse,
		.args_doc = "[FILE...]",
		.doc = "Write the samples of one build, time, container or process into a "
		       "perf.data file for perf2bolt, create_llvm_prof, llvm-profgen and other "
		       "tools.",
	};

	*ret = (struct extract_options){0};
	cli__parse(&ARGP, argc, argv, ret);
}

void extract_options__free(struct extract_options *options)
{
	segments__free(&options->segments);
	free(options->binary_path);
	free(options->paths);
	free(options->pids);
}

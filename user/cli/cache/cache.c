// SPDX-License-Identifier: GPL-2.0-only
/* perfstamp cache: the options, and the verbs that do not change the cache. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/base/text.h"
#include "user/cli/cache/cache.h"
#include "user/cli/cli.h"
#include "user/cli/needs.h"
#include "user/cli/option_value.h"
#include "user/io/regular.h"
#include "user/perfdata/features/stamp.h"
#include "user/record/capture/dso_outcomes.h"
#include "user/store/files/digest.h"
#include "user/symbols/lookup.h"
#include "user/view/format/escaped.h"
#include "user/view/format/json.h"

enum { KEY_BUILDID_DIR = 256, KEY_MISSING, KEY_ALL, KEY_SIZE, KEY_AGE, KEY_FORCE, KEY_JSON };

static const struct argp_option OPTIONS[] = {
	{"buildid-dir", KEY_BUILDID_DIR, "DIR", 0, "Build-id cache (default: perf's)", 0},
	{"missing", KEY_MISSING, "FILE", 0,
		"List binaries that FILE needs and the cache does not have", 0},
	{"all", KEY_ALL, NULL, 0, "With --missing: also list binaries without samples", 0},
	{"size", KEY_SIZE, "SIZE", 0,
		"With trim: keep at most SIZE bytes, or with suffix B, K, M or G", 0},
	{"age", KEY_AGE, "AGE", 0,
		"With trim: remove entries not used for AGE seconds, or with suffix s, m, h, d or "
		"w",
		0},
	{"force", KEY_FORCE, NULL, 0,
		"With probe: also accept definitions for another build, or changed ones, with a "
		"warning",
		0},
	{"json", KEY_JSON, NULL, 0, "Write JSON, one object per line", 0},
	{0},
};

static const struct verb {
	const char *name;
	int (*run)(struct cache_command *command);
	bool makes;      /* the command creates the cache if it does not exist */
	bool wants_args; /* at least one argument; the other verbs take none */
} VERBS[] = {
	{"list", cache_command__list, false, false},
	{"add", cache_command__add, true, true},
	{"remove", cache_command__remove, false, true},
	{"find", cache_command__find, false, true},
	{"verify", cache_command__verify, false, false},
	{"trim", cache_command__trim, false, false},
	{"probe", cache_command__probe, false, true},
};

#define VERB_NAMES "list, add, remove, find, verify, trim"

struct options {
	struct cache_command command;
	const char *dir;
	const char *verb_name;
	const struct verb *verb;
	char **args;
};

/* Parses seconds. Returns 0 or -EINVAL. */
static int parse_age(const char *text, uint64_t *ret)
{
	return option_value__number(text, 1, INT64_MAX, ret)
		       ? option_value__seconds(text, "smhdw", ret)
		       : 0;
}

static error_t take_argument(struct options *options, char *arg, struct argp_state *state)
{
	if (options->verb) {
		options->args[options->command.n_args++] = arg;
		return 0;
	}
	options->verb_name = arg;
	for (size_t i = 0; i < sizeof(VERBS) / sizeof(*VERBS); i++)
		if (!strcmp(arg, VERBS[i].name))
			options->verb = &VERBS[i];
	if (!options->verb)
		argp_error(state, "unknown command `%s', expected " VERB_NAMES " and probe", arg);
	return 0;
}

static void check(const struct options *options, struct argp_state *state)
{
	const struct cache_command *command = &options->command;
	const struct verb *verb = options->verb;
	bool trims = verb && verb->run == cache_command__trim;
	bool probes = verb && verb->run == cache_command__probe && command->n_args;
	const char *lacks = probes ? cache_command__probe_lacks(command) : NULL;

	if (!verb == !command->recording)
		argp_error(state, "one of " VERB_NAMES ", probe or --missing is required");
	if (verb && verb->wants_args && !command->n_args)
		argp_error(state, "%s requires an argument", verb->name);
	if (verb && !verb->wants_args && command->n_args)
		argp_error(state, "%s: unexpected argument `%s'", verb->name, options->args[0]);
	if (lacks)
		argp_error(state, "%s", lacks);
	if (trims && !command->bounded && !command->age_s)
		argp_error(state, "trim requires --size or --age");
	if (!trims && (command->bounded || command->age_s))
		argp_error(state, "--size and --age are options of trim");
	if (command->force && !probes)
		argp_error(state, "--force is an option of probe");
	if (command->all && !command->recording)
		argp_error(state, "--all requires --missing");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case KEY_BUILDID_DIR:
		options->dir = arg;
		return 0;
	case KEY_MISSING:
		options->command.recording = arg;
		return 0;
	case KEY_ALL:
		options->command.all = true;
		return 0;
	case KEY_SIZE:
		options->command.bounded = true;
		if (strcmp(arg, "0") && option_value__bytes(arg, &options->command.size))
			argp_error(state,
				"--size requires a number of bytes, or a number with B, K, M or G: "
				"`%s'",
				arg);
		return 0;
	case KEY_AGE:
		if (parse_age(arg, &options->command.age_s))
			argp_error(state,
				"--age requires a number of seconds, or a number with s, m, h, d "
				"or "
				"w: `%s'",
				arg);
		return 0;
	case KEY_FORCE:
		options->command.force = true;
		return 0;
	case KEY_JSON:
		options->command.json = true;
		return 0;
	case ARGP_KEY_ARG:
		return take_argument(options, arg, state);
	case ARGP_KEY_END:
		check(options, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/*
 * Computes the hash of an entry's executable or library, in hexadecimal; "" if there is none, or it
 * cannot be read.
 */
static void read_htlhash(const struct cache_command *command, const struct cache_entry *entry,
	char ret[2 * HTLHASH_SIZE + 1])
{
	uint8_t hash[HTLHASH_SIZE];
	int fd = -1;

	*ret = '\0';
	if (entry->there[CACHE_ELF])
		fd = cache__open_file(command->cache, entry, CACHE_ELF, false, NULL);
	if (fd < 0)
		return;
	if (!digest__htlhash(fd, hash))
		text__hex(ret, 2 * HTLHASH_SIZE + 1, hash, sizeof(hash));
	close(fd);
}

bool cache_command__is_asked(const struct cache_entry *entry, const char *what)
{
	bool cookie = !strncmp(what, "cookie:", 7);

	return (cookie == entry->cookie && !strcmp(entry->hex, cookie ? what + 7 : what)) ||
	       !strcmp(entry->name, what);
}

void cache_command__show(const struct cache_command *command, const struct cache_entry *entry)
{
	struct json_object *object, *kinds;
	char htlhash[2 * HTLHASH_SIZE + 1];
	const char *separator = " (";

	if (!command->json) {
		printf("%s%-*s ", entry->cookie ? "cookie:" : "", entry->cookie ? 33 : 40,
			entry->hex);
		escaped__write(stdout, entry->name);
		for (int kind = 0; kind < CACHE_N_KINDS; kind++)
			if (entry->there[kind]) {
				printf("%s%s", separator, cache__kind_name(kind));
				separator = ", ";
			}
		printf("%s%" PRIu64 " bytes)\n", *separator == ',' ? "; " : separator,
			entry->bytes);
		return;
	}
	object = json_object_new_object();
	json__add_text(object, "build_id", entry->cookie ? NULL : entry->hex);
	json__add_text(object, "cookie", entry->cookie ? entry->hex : NULL);
	read_htlhash(command, entry, htlhash);
	json__add_text(object, "htlhash", *htlhash ? htlhash : NULL);
	json__add_text(object, "path", entry->name);
	kinds = json_object_new_array();
	for (int kind = 0; kind < CACHE_N_KINDS; kind++)
		if (entry->there[kind])
			json_object_array_add(
				kinds, json_object_new_string(cache__kind_name(kind)));
	json_object_object_add(object, "kinds", kinds);
	json__add_number(object, "bytes", entry->bytes);
	json__add_number(object, "used", entry->used_s < 0 ? 0 : entry->used_s);
	json__write_line(object, stdout);
}

static int show(void *ctx, const struct cache_entry *entry)
{
	cache_command__show(ctx, entry);
	return 0;
}

int cache_command__list(struct cache_command *command)
{
	uint64_t foreign = 0;
	int code = cache__for_each(command->cache, show, command, &foreign);

	if (code)
		return cli__fail("%s: %s", cache__dir(command->cache), strerror(-code));
	if (foreign)
		return cli__fail("%s: %" PRIu64
				 " names in it are not the cache's, or lead nowhere, "
				 "or out of it: they are not followed",
			cache__dir(command->cache), foreign);
	return CLI_DONE;
}

#define HTLHASH "htlhash:"

struct search {
	const struct cache_command *command;
	const char *what;
	const char *hex; /* the digits of an id, or NULL for a name */
	bool cookie;
	bool htlhash;
	size_t found;
	bool bad; /* a file has a wrong identity */
};

static bool is_found(const struct search *search, const struct cache_entry *entry)
{
	char hash[2 * HTLHASH_SIZE + 1];

	if (search->htlhash) {
		read_htlhash(search->command, entry, hash);
		return *hash && !strcmp(hash, search->what + strlen(HTLHASH));
	}
	if (search->hex)
		return entry->cookie == search->cookie &&
		       !strncmp(entry->hex, search->hex, strlen(search->hex));
	return !strcmp(entry->name, search->what);
}

static int show_found(void *ctx, const struct cache_entry *entry)
{
	struct search *search = ctx;
	const struct cache_command *command = search->command;
	size_t before = search->found;

	if (!is_found(search, entry))
		return 0;
	for (int kind = 0; kind < CACHE_N_KINDS; kind++) {
		struct error err;

		if (!entry->there[kind])
			continue;
		if (cache__verify(command->cache, entry, kind, &err)) {
			cli__fail("%s", err.text);
			search->bad = true;
			continue;
		}
		search->found++;
		if (command->json)
			continue;
		escaped__write(stdout, cache__dir(command->cache));
		putchar('/');
		escaped__write(stdout, entry->dir);
		/* A kcore is in a subdirectory whose name is the time of the copy. */
		printf("/%s\n", kind == CACHE_KCORE ? "" : cache__kind_name(kind));
	}
	if (command->json && search->found > before)
		cache_command__show(command, entry);
	return 0;
}

int cache_command__find(struct cache_command *command)
{
	int status = CLI_DONE;

	for (size_t i = 0; i < command->n_args; i++) {
		const char *what = command->args[i];
		struct search search = {
			.command = command, .what = what, .cookie = !strncmp(what, "cookie:", 7)};
		const char *digits = search.cookie ? what + 7 : what;
		int code;

		search.htlhash = !strncmp(what, HTLHASH, strlen(HTLHASH));
		if (*digits && !digits[strspn(digits, "0123456789abcdef")])
			search.hex = digits;
		code = cache__for_each(command->cache, show_found, &search, NULL);
		if (code)
			return cli__fail("%s: %s", cache__dir(command->cache), strerror(-code));
		if (search.bad)
			status = CLI_FAILED;
		else if (!search.found)
			status = cli__fail("%s: not in %s", what, cache__dir(command->cache));
	}
	return status;
}

/* Whether the file at the need's path has the recorded content. */
static bool is_at_path(const struct need *need)
{
	int fd = *need->path == '/' ? regular__open(need->path) : -1;
	bool is = fd >= 0 && lookup__is(fd, &need->identity, need->n_contents > 1);

	if (fd >= 0)
		close(fd);
	return is;
}

/* Whether the cache has a file of the need's content or its symbols. Reports damaged ones. */
static bool is_cached(const struct cache_command *command, const struct need *need)
{
	static const enum cache_kind KINDS[] = {CACHE_ELF, CACHE_DEBUG, CACHE_VDSO, CACHE_KALLSYMS};
	struct cache_entry entry;
	struct error why;
	bool is = false;

	if (!command->cache ||
		lookup__find(command->cache, &need->identity, need->n_contents > 1, &entry))
		return false;
	for (size_t i = 0; !is && i < sizeof(KINDS) / sizeof(KINDS[0]); i++)
		if (entry.there[KINDS[i]]) {
			int code = cache__verify(command->cache, &entry, KINDS[i], &why);

			is = !code;
			if (code == -EBADMSG)
				cli__fail("%s", why.text);
		}
	return is;
}

static void show_missing(
	const struct cache_command *command, const struct input *input, const struct need *need)
{
	const struct perfstamp_identity *identity = &need->identity;
	bool cookie = !identity->build_id_size, at_path = is_at_path(need);
	const char *missed = NULL, *why = NULL;
	char hex[STORE_HEX_MAX];
	struct json_object *object;

	/*
	 * If several contents share a build-id, the recording does not show which of them is
	 * missing.
	 */
	if (input->stamp && (cookie || need->n_contents < 2))
		missed = dso_outcome__why_missed(input->stamp, input->stamp_size, identity, &why);
	if (command->json) {
		object = json_object_new_object();
		json__add_bytes(object, "build_id", identity->build_id, identity->build_id_size);
		json__add_bytes(object, "cookie", identity->cookie, identity->cookie_size);
		json__add_text(object, "path", need->path);
		json__add_number(object, "samples", need->samples);
		json__add_bool(object, "at_path", at_path);
		json__add_text(object, "capture_missed", missed);
		json__write_line(object, stdout);
		return;
	}
	text__hex(hex, sizeof(hex), cookie ? identity->cookie : identity->build_id,
		cookie ? identity->cookie_size : identity->build_id_size);
	printf("%s%-*s ", cookie ? "cookie:" : "", cookie ? 33 : 40, hex);
	escaped__write(stdout, need->path);
	printf(" (%" PRIu64 " sample%s%s%s%s)\n", need->samples, need->samples == 1 ? "" : "s",
		at_path ? "; is at its path" : "", missed ? "; not captured: " : "",
		missed ? why : "");
}

/* Warns about names of run-time code: only the recording itself contains them. */
static void warn_of_code(const struct input *input)
{
	static const char *const KEYS[] = {"code.missed.bytes", "code.missed.foreign",
		"code.missed.unreadable", "code.missed.crowded", "code.missed.unanswered"};
	static const char *const WHAT[] = {"bytes beyond the limits",
		"files of another user, or not regular files", "files that could not be read",
		"processes over the limit", "processes whose files did not answer"};
	char number[24], text[256];
	size_t at = 0;

	for (size_t i = 0; input->stamp && i < sizeof(KEYS) / sizeof(KEYS[0]); i++)
		if (stamp__get(input->stamp, input->stamp_size, KEYS[i], number, sizeof(number)) >
			0)
			at += snprintf(text + at, sizeof(text) - at, "%s%s %s", at ? ", " : "",
				number, WHAT[i]);
	if (at)
		cli__fail("the names of code made at run time are not all in the recording: %s",
			text);
}

int cache_command__missing(struct cache_command *command)
{
	struct needs needs = {0};
	struct input input;
	struct error err;
	size_t lacking = 0;
	int status = CLI_DONE;

	if (input__read_chains(&input, command->recording, &err))
		status = cli__fail("%s", err.text);
	else if (needs__collect(&needs, &input, command->all, NULL, NULL))
		status = cli__fail("out of memory");
	for (size_t i = 0; status == CLI_DONE && i < needs.n; i++) {
		const struct need *need = &needs.v[i];

		if (is_cached(command, need))
			continue;
		show_missing(command, &input, need);
		lacking++;
	}
	if (status == CLI_DONE && needs.unidentified)
		cli__fail("%zu mapped files with samples have no identity and cannot be searched "
			  "for: `perfstamp check' shows why",
			needs.unidentified);
	if (status == CLI_DONE)
		warn_of_code(&input);
	if (status == CLI_DONE && input.damaged)
		status = cli__fail("%s", input.damage.text);
	needs__free(&needs);
	input__free(&input);
	return status == CLI_DONE && lacking ? CLI_FAILED : status;
}

/* Whether the verb needs an existing entry, so that a missing cache is an error. */
static bool wants_entry(const struct cache_command *command, const struct verb *verb)
{
	return verb->run == cache_command__find || verb->run == cache_command__remove ||
	       (verb->run == cache_command__probe && !strcmp(*command->args, "show"));
}

static int run(struct options *options)
{
	struct cache_command *command = &options->command;
	const struct verb *verb = options->verb;
	char *dir = NULL;
	struct error err;
	int status, code;
	bool makes;

	if (store__directory(&dir, options->dir, &err))
		return cli__fail("%s", err.text);
	makes = verb && (verb->makes || (verb->run == cache_command__probe && command->n_args &&
						!strcmp(*command->args, "add")));
	code = cache__open(&command->cache, dir, makes, &err);
	if (!code)
		status = verb ? verb->run(command) : cache_command__missing(command);
	else if (code == -ENOENT && !verb)
		/* Without a cache, all files are missing. */
		status = cache_command__missing(command);
	else if (code == -ENOENT && !wants_entry(command, verb))
		status = CLI_DONE; /* without a cache, the list is empty */
	else
		status = cli__fail("%s", err.text);
	cache__free(command->cache);
	free(dir);
	return status;
}

int cmd_cache(int argc, char **argv)
{
	static const struct argp ARGP = {
		.options = OPTIONS,
		.parser = parse,
		.args_doc = "list\nadd FILE...\nremove ID|PATH...\nfind ID|PATH...\nverify\n"
			    "trim\nprobe add FILE [DEFINITION...]\nprobe list [ID|PATH...]\n"
			    "probe show FILE|ID [EVENT...]\n--missing FILE",
		.doc = "Cache executables, libraries, debug files and kernel symbols by identity, "
		       "in the directory from which perf reads them.",
	};
	struct options options = {.args = calloc(argc + 1, sizeof(char *))};
	int status;

	if (!options.args)
		return cli__fail("out of memory");
	options.command.args = options.args;
	cli__parse(&ARGP, argc, argv, &options);
	status = run(&options);
	free(options.args);
	return status;
}

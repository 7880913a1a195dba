// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfstamp cache probe: definitions of kprobes, uprobes and SDT markers. Each belongs to the
 * content that it was made for.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/cli/cache/cache.h"
#include "user/cli/cli.h"
#include "user/io/regular.h"
#include "user/parse/kernel/kallsyms.h"
#include "user/parse/probes.h"
#include "user/source/kernel/kallsyms.h"
#include "user/source/kernel/proc_kernel.h"
#include "user/store/files/digest.h"
#include "user/store/cache/probes.h"
#include "user/symbols/probes_read.h"
#include "user/view/format/escaped.h"
#include "user/view/format/json.h"
#include "user/view/format/names.h"

/* The target of probes: a file or the running kernel. */
struct target {
	int fd;     /* -1: the running kernel */
	char *name; /* its resolved path; the caller frees it */
	struct perfstamp_identity identity;
};

static int open_kernel(struct target *ret, struct error *err)
{
	proc_kernel__identity("", &ret->identity);
	if (!ret->identity.build_id_size)
		return error__set(err, -ENODATA, "%s: its build-id cannot be read: %s",
			STORE_KERNEL, name__reason(ret->identity.reason));
	ret->name = strdup(STORE_KERNEL);
	return ret->name ? 0 : error__set(err, -ENOMEM, "out of memory");
}

static int open_target(const char *what, struct target *ret, struct error *err)
{
	int code = 0;

	*ret = (struct target){.fd = -1};
	if (!strcmp(what, STORE_KERNEL))
		return open_kernel(ret, err);
	ret->fd = regular__open(what);
	if (ret->fd < 0)
		return error__errno(err, ret->fd, "%s", what);
	ret->name = realpath(what, NULL);
	code = ret->name ? digest__identity(ret->fd, &ret->identity) : -errno;
	return code ? error__errno(err, code, "%s", what) : 0;
}

static void close_target(struct target *target)
{
	if (target->fd >= 0)
		close(target->fd);
	free(target->name);
}

/* ---- Output ---- */

struct showing {
	const struct cache_command *command;
	const struct cache_entry *entry;
	const char *path; /* commands use this path; NULL: the paths in the cache */
	char *const *events;
	size_t n_events;
	bool *seen; /* by definition: it was shown */
	bool commands;
	uint64_t shown;
	int code;
};

static bool is_wanted(struct showing *showing, const struct probe *probe)
{
	char name[2 * PROBE_NAME_MAX];
	bool wanted = !showing->n_events;

	snprintf(name, sizeof(name), "%s:%s", probe->group, probe->event);
	for (size_t i = 0; i < showing->n_events; i++)
		if (!strcmp(showing->events[i], name) || !strcmp(showing->events[i], probe->event))
			wanted = showing->seen[i] = true;
	return wanted;
}

static void show_json(
	const struct showing *showing, const struct probe *probe, const struct buffer *line)
{
	const struct cache_entry *entry = showing->entry;
	struct json_object *object = json_object_new_object();

	json__add_text(object, "build_id", entry->cookie ? NULL : entry->hex);
	json__add_text(object, "cookie", entry->cookie ? entry->hex : NULL);
	json__add_text(object, "path", showing->path ? showing->path : entry->name);
	json__add_text(object, "kind", probe__kind_name(probe->kind));
	json__add_text(object, "group", probe->group);
	json__add_text(object, "event", probe->event);
	json__add_text(object, "command", (const char *)line->data);
	json__write_line(object, stdout);
}

static int show_probe(void *ctx, const struct probe *probe)
{
	struct showing *showing = ctx;
	const struct cache_entry *entry = showing->entry;
	struct buffer line;

	if (!is_wanted(showing, probe))
		return 0;
	showing->shown++;
	buffer__init(&line, 0);
	if (showing->path)
		probe__command_at(&line, probe, showing->path);
	else
		buffer__append(&line, probe->command, probe->command_len + 1);
	if (line.error) {
		showing->code = line.error;
	} else {
		line.data[line.size - 1] = '\0';
		if (showing->command->json) {
			show_json(showing, probe, &line);
		} else if (showing->commands) {
			printf("%s\n", (const char *)line.data);
		} else {
			printf("%s%-*s ", entry->cookie ? "cookie:" : "", entry->cookie ? 33 : 40,
				entry->hex);
			escaped__write(stdout, entry->name);
			printf(" %s:%s (%s)\n", probe->group, probe->event,
				probe__kind_name(probe->kind));
		}
	}
	buffer__free(&line);
	return showing->code;
}

/* Shows the definitions of showing->entry. Returns the exit status. */
static int show(struct showing *showing)
{
	const struct cache_command *command = showing->command;
	bool changed = false;
	struct buffer text;
	struct error err;
	int code;

	buffer__init(&text, PROBES_MAX);
	code = probes__read(command->cache, showing->entry, &text, &changed, &err);
	if (!code && changed && !command->force)
		code = error__set(&err, -EBADMSG,
			"%s/%s/probes: it has changed since it was added: perf modified it, or it "
			"is damaged; --force shows it",
			cache__dir(command->cache), showing->entry->dir);
	if (!code) {
		if (changed) {
			error__set(&err, -EBADMSG,
				"%s/%s/probes: it has changed since it was added: it may be "
				"damaged",
				cache__dir(command->cache), showing->entry->dir);
			cli__fail("%s", err.text);
		}
		code = probes__for_each(
			(const char *)text.data, text.size, show_probe, showing, &err);
		if (showing->code)
			code = error__set(&err, showing->code, "out of memory");
	}
	buffer__free(&text);
	return code ? cli__fail("%s", err.text) : CLI_DONE;
}

/* ---- list ---- */

struct listing {
	struct cache_command *command;
	bool *seen;
	int status;
};

static int list_entry(void *ctx, const struct cache_entry *entry)
{
	struct listing *listing = ctx;
	struct cache_command *command = listing->command;
	struct showing showing = {.command = command, .entry = entry};
	bool wanted = command->n_args == 1;

	for (size_t i = 1; i < command->n_args; i++)
		if (cache_command__is_asked(entry, command->args[i]))
			wanted = listing->seen[i] = true;
	if (wanted && entry->there[CACHE_PROBES] && show(&showing) != CLI_DONE)
		listing->status = CLI_FAILED;
	return 0;
}

static int list(struct cache_command *command)
{
	struct listing listing = {
		.command = command, .seen = calloc(command->n_args, sizeof(bool))};
	int code = -ENOMEM;

	if (listing.seen)
		code = cache__for_each(command->cache, list_entry, &listing, NULL);
	if (code)
		listing.status = cli__fail("%s: %s", cache__dir(command->cache), strerror(-code));
	for (size_t i = 1; !code && i < command->n_args; i++)
		if (!listing.seen[i])
			listing.status = cli__fail(
				"%s: not in %s", command->args[i], cache__dir(command->cache));
	free(listing.seen);
	return listing.status;
}

/* ---- show ---- */

struct others {
	const char *name;
	size_t n;
	struct cache_entry newest;
};

static int find_other(void *ctx, const struct cache_entry *entry)
{
	struct others *others = ctx;

	if (!entry->there[CACHE_PROBES] || strcmp(entry->name, others->name) != 0)
		return 0;
	if (!others->n++ || entry->used_s > others->newest.used_s) {
		others->newest = *entry;
		others->newest.name = others->newest.name_text;
	}
	return 0;
}

/*
 * Finds the entry of @target; with --force, also the entry of another build at its path. Returns 0
 * or -errno with text.
 */
static int find_entry(struct cache_command *command, const struct target *target,
	struct others *others, struct error *err)
{
	const char *name = target->name;
	int code = probes__find(command->cache, &target->identity, &others->newest);

	if (code != -ENOENT)
		return code ? error__errno(err, code, "%s", name) : 0;
	others->name = name;
	code = cache__for_each(command->cache, find_other, others, NULL);
	if (code)
		return error__errno(err, code, "%s", cache__dir(command->cache));
	if (!others->n)
		return error__set(err, -ENOENT,
			"%s: no probe definitions are cached; `perfstamp cache probe add' adds "
			"them",
			name);
	if (command->force) {
		cli__fail("%s: these definitions are for %s %s, which is another build: an offset "
			  "may be inside an instruction",
			name, others->newest.cookie ? "cookie" : "build-id", others->newest.hex);
		return 0;
	}
	return error__set(err, -ESTALE,
		"%s: the cached definitions are for %s %s, which is another build: `perfstamp "
		"cache probe add' updates them; --force shows them",
		name, others->newest.cookie ? "cookie" : "build-id", others->newest.hex);
}

static int find_by_id(void *ctx, const struct cache_entry *entry)
{
	struct others *others = ctx;
	bool cookie = !strncmp(others->name, "cookie:", 7);

	if (!entry->there[CACHE_PROBES] || cookie != entry->cookie ||
		strcmp(entry->hex, cookie ? others->name + 7 : others->name) != 0)
		return 0;
	others->n++;
	others->newest = *entry;
	others->newest.name = others->newest.name_text;
	return 1;
}

static bool is_id(const char *what)
{
	const char *digits = strncmp(what, "cookie:", 7) ? what : what + 7;

	return *digits && !digits[strspn(digits, "0123456789abcdef")];
}

static int show_events(
	struct cache_command *command, const struct cache_entry *entry, const char *path)
{
	struct showing showing = {
		.command = command,
		.entry = entry,
		.path = path,
		.events = command->args + 2,
		.n_events = command->n_args - 2,
		.seen = calloc(command->n_args, sizeof(bool)),
		.commands = true,
	};
	int status;

	if (!showing.seen)
		return cli__fail("out of memory");
	status = show(&showing);
	for (size_t i = 0; status == CLI_DONE && i < showing.n_events; i++) {
		struct error err;

		if (showing.seen[i])
			continue;
		error__set(&err, -ENOENT, "%s: no definition of %s is cached", entry->name,
			showing.events[i]);
		status = cli__fail("%s", err.text);
	}
	free(showing.seen);
	return status;
}

static int show_target(struct cache_command *command)
{
	const char *what = command->args[1];
	struct others *others = calloc(1, sizeof(*others));
	struct target target = {.fd = -1};
	int status = CLI_FAILED, code;
	struct error err;

	if (!others)
		return cli__fail("out of memory");
	others->name = what;
	if (is_id(what)) {
		code = cache__for_each(command->cache, find_by_id, others, NULL);
		if (code < 0)
			cli__fail("%s: %s", cache__dir(command->cache), strerror(-code));
		else if (!others->n)
			cli__fail("%s: no probe definitions are cached in %s", what,
				cache__dir(command->cache));
		else
			status = show_events(command, &others->newest, NULL);
	} else {
		code = open_target(what, &target, &err);
		if (!code)
			code = find_entry(command, &target, others, &err);
		if (!code && !probe__takes_path(target.name))
			code = error__set(&err, -EINVAL, "%s: " PROBES_PATH, target.name);
		if (code)
			cli__fail("%s", err.text);
		else
			status = show_events(command, &others->newest, target.name);
	}
	close_target(&target);
	free(others);
	return status;
}

/* ---- add ---- */

struct search {
	const struct probe_wish *wishes;
	size_t n, left;
	bool *found;
};

static int find_symbol(void *ctx, const struct kallsyms_symbol *symbol)
{
	struct search *search = ctx;

	if (symbol->module || !strchr("tTwW", symbol->type))
		return 0;
	for (size_t i = 0; i < search->n; i++)
		if (!search->found[i] && !strcmp(search->wishes[i].function, symbol->name)) {
			search->found[i] = true;
			search->left--;
		}
	return !search->left;
}

/* For kprobes, the kernel finds the function itself: only check that it exists. */
static int add_to_kernel(
	const struct probe_wish *wishes, size_t n, struct probes_found *ret, struct error *err)
{
	struct search search = {.wishes = wishes, .n = n, .left = n};
	int code;

	buffer__init(&ret->text, PROBES_MAX);
	if (!n)
		return error__set(err, -EINVAL, "%s: name the functions", STORE_KERNEL);
	search.found = calloc(n, sizeof(bool));
	if (!search.found)
		return error__set(err, -ENOMEM, "out of memory");
	code = proc_kallsyms__read("", -1, find_symbol, &search);
	for (size_t i = 0; code >= 0 && i < n; i++) {
		char place[sizeof(wishes->function) + 24];

		if (!search.found[i]) {
			code = error__set(err, -ENOENT, "%s: no such function: %s", STORE_KERNEL,
				wishes[i].function);
			break;
		}
		snprintf(place, sizeof(place), "%s+%" PRIu64, wishes[i].function, wishes[i].offset);
		probe_wish__append(&ret->text, &wishes[i], place);
		code = 0;
	}
	if (code < 0 && !err->text[0])
		error__errno(err, code, "/proc/kallsyms");
	free(search.found);
	return code;
}

static int add_wishes(struct cache_command *command, const struct target *target,
	const struct probe_wish *wishes, struct error *err)
{
	const struct perfstamp_identity *identity = &target->identity;
	size_t n = command->n_args - 2;
	struct probes_found found = {0};
	int code;

	if (target->fd < 0)
		code = add_to_kernel(wishes, n, &found, err);
	else
		code = probes_read(target->fd, target->name, wishes, n, &found, err);
	if (!code && !found.text.size)
		code = error__set(err, -ENOENT, "%s: no SDT markers found; name functions to probe",
			target->name);
	if (!code)
		code = probes__add(command->cache, identity, target->name,
			(const char *)found.text.data, found.text.size, command->force, err);
	if (!code && found.left_out)
		cli__fail("%s: %u marker arguments omitted: tracefs cannot express them",
			target->name, found.left_out);
	buffer__free(&found.text);
	return code;
}

/* tracefs would use only the first of two definitions with one name. */
static int refuse_second(const struct probe_wish *wishes, size_t at, struct error *err)
{
	for (size_t i = 0; i < at; i++)
		if (!strcmp(wishes[i].group, wishes[at].group) &&
			!strcmp(wishes[i].event, wishes[at].event))
			return error__set(err, -EEXIST,
				"two definitions have the name %s:%s; rename one with EVENT=%s",
				wishes[at].group, wishes[at].event, wishes[at].function);
	return 0;
}

static int add(struct cache_command *command)
{
	struct probe_wish *wishes = calloc(command->n_args, sizeof(*wishes));
	char group[PROBE_NAME_MAX] = "probe";
	struct target target = {.fd = -1};
	struct error err = {0};
	int code;

	if (!wishes)
		return cli__fail("out of memory");
	code = open_target(command->args[1], &target, &err);
	if (!code && target.fd >= 0)
		probe_wish__group(target.name, group);
	for (size_t i = 2; !code && i < command->n_args; i++) {
		code = probe_wish__parse(command->args[i], group, &wishes[i - 2], &err);
		if (!code)
			code = refuse_second(wishes, i - 2, &err);
	}
	if (!code)
		code = add_wishes(command, &target, wishes, &err);
	close_target(&target);
	free(wishes);
	return code ? cli__fail("%s", err.text) : CLI_DONE;
}

const char *cache_command__probe_lacks(const struct cache_command *command)
{
	const char *what = *command->args;

	if (!strcmp(what, "list"))
		return NULL;
	if (strcmp(what, "add") != 0 && strcmp(what, "show") != 0)
		return "probe needs add, list or show";
	return command->n_args < 2 ? "probe needs a file" : NULL;
}

int cache_command__probe(struct cache_command *command)
{
	const char *what = *command->args;

	if (!strcmp(what, "list"))
		return list(command);
	return strcmp(what, "add") ? show_target(command) : add(command);
}

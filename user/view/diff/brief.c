// SPDX-License-Identifier: GPL-2.0-only
/* See brief.h. */
#include "user/view/diff/brief.h"

#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/view/format/escaped.h"
#include "user/view/watch.h"

#define TYPE "compared"
#define NAME_MAX_SHOWN 256 /* bytes of a function's name */
#define DIGITS 12          /* of a build-id: enough to recognize a build */

static const char *const SIDE_KEYS[SIDES] = {"before", "after"};

static struct json_object *member(struct json_object *object, const char *key)
{
	struct json_object *ret = NULL;

	json_object_object_get_ex(object, key, &ret);
	return ret;
}

static const char *text_of(struct json_object *object, const char *key)
{
	struct json_object *value = member(object, key);

	return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : NULL;
}

static uint64_t number_of(struct json_object *object, const char *key)
{
	return json_object_get_uint64(member(object, key));
}

static double percent_of(struct json_object *object, const char *key)
{
	return 100 * json_object_get_double(member(object, key));
}

static int take_whole(struct diff_brief *brief, struct json_object *object)
{
	const char *type = text_of(object, "type");

	if (!type || strcmp(type, "comparison") != 0)
		return -EBADMSG;
	brief->n_tested = number_of(object, "tested");
	brief->n_marked = number_of(object, "marked");
	for (int side = 0; side < SIDES; side++) {
		struct json_object *of = member(object, SIDE_KEYS[side]);
		const char *build = text_of(of, "build");

		brief->n_samples[side] = number_of(of, "samples");
		brief->builds[side] = strdup(build ? build : "");
		if (!brief->builds[side])
			return -ENOMEM;
	}
	return 0;
}

/*
 * Writes "slower +11.11 % [+5.12, +17.00]", with its kind. Returns false if the change is not
 * marked.
 */
static bool add_change(FILE *out, struct json_object *object, bool first)
{
	const char *symbol = text_of(object, "symbol"), *kind = text_of(object, "kind");
	const char *dso = text_of(object, "dso");
	char name[NAME_MAX_SHOWN];

	if (!json_object_get_boolean(member(object, "marked")))
		return false;
	text__escape(name, sizeof(name), symbol ? symbol : dso ? dso : "[unknown]");
	fprintf(out, "%s%s %+.2f %% [%+.2f, %+.2f]", first ? "" : ", ", name,
		percent_of(object, "change"), percent_of(object, "low"),
		percent_of(object, "high"));
	if (kind)
		fprintf(out, " (%s)", kind);
	return true;
}

/* Parses the lines, in which marked changes come first. */
static int take_lines(struct diff_brief *brief, const char *text, size_t size, FILE *changes)
{
	const char *end = text + size, *next;
	int code = 0;

	for (size_t n = 0; !code && n <= DIFF_BRIEF_CHANGES && text < end; n++, text = next) {
		struct json_tokener *tokener = json_tokener_new();
		struct json_object *object = NULL;
		bool more = true;

		next = memchr(text, '\n', end - text);
		next = next ? next + 1 : end;
		if (!tokener)
			return -ENOMEM;
		object = json_tokener_parse_ex(tokener, text, (int)(next - text));
		json_tokener_free(tokener);
		if (!json_object_is_type(object, json_type_object))
			code = -EBADMSG;
		else if (!n)
			code = take_whole(brief, object);
		else
			more = add_change(changes, object, n == 1);
		json_object_put(object);
		if (!more)
			break;
	}
	return !code && !brief->builds[BEFORE] ? -EBADMSG : code;
}

int diff_brief__parse(struct diff_brief *brief, const char *text, size_t size)
{
	size_t changes_size = 0;
	FILE *changes = open_memstream(&brief->changes, &changes_size);
	int code;

	if (!changes)
		return -ENOMEM;
	code = take_lines(brief, text, size, changes);
	return fclose(changes) ? -ENOMEM : code;
}

void diff_brief__free(struct diff_brief *brief)
{
	for (int side = 0; side < SIDES; side++)
		free(brief->builds[side]);
	free(brief->changes);
}

/* Writes the command that shows the whole comparison. */
static void write_command(FILE *out, const struct diff_brief *brief)
{
	fputs("perfstamp diff --since-replaced ", out);
	escaped__write_word(out, brief->path);
	fputc(' ', out);
	escaped__write_word(out, brief->file);
}

static void write_build(FILE *out, const char *build)
{
	char shown[sizeof("cookie:") + DIGITS];

	snprintf(shown, (strncmp(build, "cookie:", 7) != 0 ? 0 : 7) + DIGITS + 1, "%s", build);
	escaped__write(out, shown);
}

void diff_brief__sentence(FILE *out, const struct diff_brief *brief)
{
	escaped__write(out, brief->path);
	if (brief->error) {
		fputs(" was replaced, and not compared: ", out);
		escaped__write(out, brief->error);
		return;
	}
	fputs(": since ", out);
	write_build(out, brief->builds[AFTER]);
	fputs(" replaced ", out);
	write_build(out, brief->builds[BEFORE]);
	if (brief->n_marked)
		fprintf(out, ", %" PRIu64 " of %" PRIu64 " functions changed: %s%s",
			brief->n_marked, brief->n_tested, brief->changes,
			brief->n_marked > DIFF_BRIEF_CHANGES ? ", …" : "");
	else
		fprintf(out, ", none of %" PRIu64 " functions changed by more than chance",
			brief->n_tested);
	fputs("; see: ", out);
	write_command(out, brief);
}

void diff_brief__text(FILE *out, const struct diff_brief *brief)
{
	watch_view__begin(out, brief->realtime_ns, TYPE, "");
	diff_brief__sentence(out, brief);
	fputc('\n', out);
}

void diff_brief__fields(struct fields *fields, const struct diff_brief *brief)
{
	const struct fields_ops *ops = fields->ops;

	ops->begin(fields, TYPE);
	ops->time(fields, "time", brief->time_ns);
	ops->time(fields, "realtime", brief->realtime_ns);
	ops->text(fields, "path", brief->path);
	ops->text(fields, "file", brief->file);
	if (brief->error) {
		ops->text(fields, "error", brief->error);
	} else {
		ops->text(fields, "build_before", brief->builds[BEFORE]);
		ops->text(fields, "build_after", brief->builds[AFTER]);
		ops->number(fields, "samples_before", brief->n_samples[BEFORE]);
		ops->number(fields, "samples_after", brief->n_samples[AFTER]);
		ops->number(fields, "functions", brief->n_tested);
		ops->number(fields, "marked", brief->n_marked);
		if (*brief->changes)
			ops->safe(fields, "changes", brief->changes);
	}
	ops->end(fields);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * See kernel.h.
 */
#include "user/view/kernel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/model/kernel.h"
#include "user/perfdata/features/stamp.h"
#include "user/view/format/escaped.h"
#include "user/view/format/json.h"

#define KERNEL_DSO "[kernel.kallsyms]"

void kernel_side__free(struct kernel_side *side)
{
	kernel_ids__free(&side->ids);
	free(side->vmlinux);
	free(side->vmlinux_why);
	side->vmlinux = side->vmlinux_why = NULL;
}

/* Finds a module's name: that of a path like "[ext4]", or that of the path of its file. */
static bool find_module_name(char ret[MODULE_NAME_MAX], const char *path)
{
	size_t len = strlen(path);

	if (*path != '[' || len < 3 || path[len - 1] != ']')
		return module_name__from_path(ret, path, len);
	if (len - 2 >= MODULE_NAME_MAX)
		return false;
	memcpy(ret, path + 1, len - 2);
	ret[len - 2] = '\0';
	return true;
}

static int take(struct kernel_side *side, const char *path, const uint8_t *id, size_t size)
{
	struct kernel_dso *kernel = &side->ids.kernel;
	char name[MODULE_NAME_MAX];
	int code;

	kernel_text__name(path, name, sizeof(name));
	if (!strcmp(name, KERNEL_DSO)) {
		if (!kernel->size && size)
			memcpy(kernel->build_id, id, size);
		if (!kernel->size)
			kernel->size = size;
		return 0;
	}
	if (!strncmp(path, "[guest", 6) || !find_module_name(name, path))
		return 0;
	code = kernel_ids__add_module(&side->ids, name, id, size);
	/* Neither name is verified to be the kernel's, because the file is untrusted. */
	return code == -ENOMEM ? code : 0;
}

static void take_stamp(struct kernel_side *side, const void *stamp, size_t size)
{
	struct kernel_dso *kernel = &side->ids.kernel;
	uint8_t id[ELF_BUILD_ID_MAX];
	char text[4096];
	int n;

	/* Used if there are no maps of the kernel, as in a recording without kernel samples. */
	if (!kernel->size && stamp__get(stamp, size, "kernel.build-id", text, sizeof(text)) > 0) {
		n = text__parse_hex(id, sizeof(id), text);
		if (n > 0) {
			memcpy(kernel->build_id, id, n);
			kernel->size = n;
		}
	}
	if (stamp__get(stamp, size, "vmlinux", text, sizeof(text)) > 0)
		side->vmlinux = strdup(text);
	if (stamp__get(stamp, size, "vmlinux.why", text, sizeof(text)) > 0)
		side->vmlinux_why = strdup(text);
}

int kernel_side__from_recording(struct kernel_side *side, struct model *model,
	const struct header_ids *header_ids, const void *stamp, size_t stamp_size)
{
	int code = 0;

	side->ids.knows_modules = true;
	for (size_t i = 0; !code && i < model__n_sightings(model); i++) {
		const struct sighting *sighting = model__sighting(model, i);
		const struct perfstamp_identity *identity = &sighting->identity;
		const struct header_id *id = NULL;

		if (!sighting->kernel || sighting->symbol)
			continue;
		if (!identity->build_id_size)
			id = header_ids__find(header_ids, sighting->path);
		code = id ? take(side, sighting->path, id->build_id, id->build_id_size)
			  : take(side, sighting->path, identity->build_id, identity->build_id_size);
	}
	/*
	 * perf's table has the kernel by its name; a map of the kernel appends a symbol to the
	 * name.
	 */
	for (size_t i = 0; !code && i < header_ids->n; i++)
		if (header_ids->v[i].kernel && !strcmp(header_ids->v[i].path, KERNEL_DSO))
			code = take(side, KERNEL_DSO, header_ids->v[i].build_id,
				header_ids->v[i].build_id_size);
	if (!code && stamp)
		take_stamp(side, stamp, stamp_size);
	if (!side->ids.kernel.size)
		side->ids.why = "the recording does not have its build-id";
	kernel_ids__sort(&side->ids);
	return code;
}

static void write_dso(FILE *out, const struct kernel_dso *dso)
{
	char hex[2 * ELF_BUILD_ID_MAX + 1] = "-";

	if (dso->size)
		text__hex(hex, sizeof(hex), dso->build_id, dso->size);
	fprintf(out, "%-40s ", hex);
	if (!*dso->name) {
		fputs(KERNEL_DSO, out);
		return;
	}
	fputc('[', out);
	escaped__write(out, dso->name);
	fputc(']', out);
}

static void show_text(FILE *out, const struct kernel_side *side)
{
	const struct kernel_ids *ids = &side->ids;

	write_dso(out, &ids->kernel);
	if (*ids->release) {
		fputc(' ', out);
		escaped__write(out, ids->release);
	}
	if (*ids->machine) {
		fputc(' ', out);
		escaped__write(out, ids->machine);
	}
	if (!ids->kernel.size && ids->why)
		fprintf(out, " (%s)", ids->why);
	fputc('\n', out);
	for (size_t i = 0; i < ids->n_modules; i++) {
		write_dso(out, &ids->modules[i]);
		fputc('\n', out);
	}
	if (side->vmlinux || side->vmlinux_why) {
		fputs("vmlinux: ", out);
		if (!side->vmlinux)
			fputs("none: ", out);
		escaped__write(out, side->vmlinux ? side->vmlinux : side->vmlinux_why);
		if (side->vmlinux && side->vmlinux_why) {
			fputs(" (forced: ", out);
			escaped__write(out, side->vmlinux_why);
			fputc(')', out);
		}
		fputc('\n', out);
	}
}

static void add_name(struct json_object *object, const char *name)
{
	json__add_text(object, "name", *name ? name : NULL);
}

static void show_json(FILE *out, const struct kernel_side *side)
{
	struct json_object *object = json_object_new_object(), *modules;
	const struct kernel_ids *ids = &side->ids;

	json__add_text(object, "of", side->name);
	json__add_text(object, "release", *ids->release ? ids->release : NULL);
	json__add_text(object, "machine", *ids->machine ? ids->machine : NULL);
	json__add_bytes(object, "build_id", ids->kernel.build_id, ids->kernel.size);
	json__add_text(object, "reason", ids->kernel.size ? NULL : ids->why);
	json__add_text(object, "vmlinux", side->vmlinux);
	json__add_text(object, "vmlinux_reason", side->vmlinux_why);
	modules = ids->knows_modules ? json_object_new_array() : NULL;
	for (size_t i = 0; modules && i < ids->n_modules; i++) {
		struct json_object *module = json_object_new_object();

		add_name(module, ids->modules[i].name);
		json__add_bytes(module, "build_id", ids->modules[i].build_id, ids->modules[i].size);
		json_object_array_add(modules, module);
	}
	json_object_object_add(object, "modules", modules);
	json__write_line(object, out);
}

void kernel_view__show(FILE *out, const struct kernel_side *side, bool json)
{
	if (json)
		show_json(out, side);
	else
		show_text(out, side);
}

struct differences {
	FILE *out;
	struct json_object *array; /* NULL: output is text */
	const struct kernel_side *sides[2];
	bool headed;
};

/* Writes a heading in the form of diff -u. */
static void write_heading(struct differences *differences)
{
	for (int side = 0; side < 2; side++) {
		fputs(side ? "+++ " : "--- ", differences->out);
		escaped__write(differences->out, differences->sides[side]->name);
		if (*differences->sides[side]->ids.release) {
			fputc(' ', differences->out);
			escaped__write(differences->out, differences->sides[side]->ids.release);
		}
		fputc('\n', differences->out);
	}
	differences->headed = true;
}

static void show_difference(void *ctx, int side, const struct kernel_dso *dso)
{
	struct differences *differences = ctx;
	struct json_object *object;

	if (differences->array) {
		object = json_object_new_object();
		add_name(object, dso->name);
		json__add_bytes(object, "build_id", dso->build_id, dso->size);
		json__add_text(object, "of", differences->sides[side]->name);
		json_object_array_add(differences->array, object);
		return;
	}
	if (!differences->headed)
		write_heading(differences);
	fputc(side ? '+' : '-', differences->out);
	write_dso(differences->out, dso);
	fputc('\n', differences->out);
}

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void sum_up(FILE *out, const struct differences *differences,
	const struct kernel_comparison *comparison)
{
	size_t modules = comparison->same + comparison->different;

	if (!comparison->kernel_known) {
		for (int side = 0; side < 2; side++) {
			const struct kernel_side *it = differences->sides[side];

			if (it->ids.kernel.size)
				continue;
			fputs("not known: the kernel of ", out);
			escaped__write(out, it->name);
			fprintf(out, ": %s\n", it->ids.why ? it->ids.why : "it has no build-id");
		}
	} else if (kernel_comparison__equal(comparison)) {
		fputs("equal: the kernel", out);
		if (comparison->modules_known)
			fprintf(out, ", and %zu module%s", modules, plural(modules));
	} else if (!comparison->kernel_same && !comparison->different) {
		fputs("different: the kernel", out);
	} else {
		fprintf(out, "different: %s%zu of %zu module%s",
			comparison->kernel_same ? "" : "the kernel, and ", comparison->different,
			modules, plural(modules));
	}
	if (!comparison->kernel_known)
		return;
	if (comparison->unknown)
		fprintf(out, "; %zu without a build-id", comparison->unknown);
	for (int side = 0; side < 2; side++) {
		if (!comparison->only[side])
			continue;
		fprintf(out, "; %zu only in ", comparison->only[side]);
		escaped__write(out, differences->sides[side]->name);
	}
	fputc('\n', out);
}

bool kernel_view__compare(
	FILE *out, const struct kernel_side *a, const struct kernel_side *b, bool json)
{
	struct differences differences = {.out = out, .sides = {a, b}};
	struct kernel_comparison comparison;
	struct json_object *object;

	if (json)
		differences.array = json_object_new_array();
	kernel_ids__compare(&a->ids, &b->ids, &comparison, show_difference, &differences);
	if (!json) {
		sum_up(out, &differences, &comparison);
		return kernel_comparison__equal(&comparison);
	}
	object = json_object_new_object();
	json__add_bool(object, "equal", kernel_comparison__equal(&comparison));
	json__add_bool(object, "kernel_known", comparison.kernel_known);
	json__add_number(object, "modules_same", comparison.same);
	json__add_number(object, "modules_different", comparison.different);
	json__add_number(object, "modules_unknown", comparison.unknown);
	json__add_number(object, "modules_only_first", comparison.only[0]);
	json__add_number(object, "modules_only_second", comparison.only[1]);
	json_object_object_add(object, "differences", differences.array);
	json__write_line(object, out);
	return kernel_comparison__equal(&comparison);
}

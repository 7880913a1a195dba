// SPDX-License-Identifier: GPL-2.0-only
/*
 * See ids.h. Knows neither files nor the source of its data, and checks every name and number in
 * it.
 */
#include "user/parse/kernel/ids.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"

void kernel_ids__init(struct kernel_ids *ids)
{
	memset(ids, 0, sizeof(*ids));
}

void kernel_ids__free(struct kernel_ids *ids)
{
	free(ids->modules);
	kernel_ids__init(ids);
}

/* Whether the kernel could use it as a module's name: not a path, and nothing that ends a line. */
static bool is_module_name(const char *name)
{
	size_t len = strlen(name);

	if (!len || len >= MODULE_NAME_MAX || *name == '.')
		return false;
	for (; *name; name++)
		if (*name <= ' ' || *name >= 0x7f || *name == '/')
			return false;
	return true;
}

int kernel_ids__add_module(
	struct kernel_ids *ids, const char *name, const uint8_t *build_id, size_t size)
{
	struct kernel_dso *module;

	if (!is_module_name(name) || size > ELF_BUILD_ID_MAX)
		return -EBADMSG;
	if (ids->n_modules >= KERNEL_MODULES_MAX)
		return -E2BIG;
	if (array__reserve(&ids->modules, &ids->room, ids->n_modules + 1, sizeof(*ids->modules)))
		return -ENOMEM;
	module = &ids->modules[ids->n_modules++];
	memset(module, 0, sizeof(*module));
	for (size_t i = 0; name[i]; i++)
		module->name[i] = name[i] == '-' ? '_' : name[i];
	if (size)
		memcpy(module->build_id, build_id, size);
	module->size = size;
	return 0;
}

bool kernel_dso__take_notes(struct kernel_dso *dso, const void *notes, size_t size)
{
	/*
	 * A notes file states neither alignment nor byte order: the first combination that gives a
	 * build-id is right.
	 */
	static const struct {
		unsigned int align;
		bool swap;
	} READINGS[] = {{4, false}, {8, false}, {4, true}, {8, true}};

	for (size_t i = 0; i < sizeof(READINGS) / sizeof(*READINGS); i++) {
		int r = elf_notes__build_id(
			notes, size, READINGS[i].align, READINGS[i].swap, dso->build_id);

		if (r > 0) {
			dso->size = r;
			return true;
		}
	}
	return false;
}

static int compare_dsos(const void *a, const void *b)
{
	const struct kernel_dso *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	if (!order)
		order = memcmp(x->build_id, y->build_id, sizeof(x->build_id));
	return order ? order : x->size - y->size;
}

void kernel_ids__sort(struct kernel_ids *ids)
{
	size_t kept = 0;

	if (!ids->n_modules)
		return;
	qsort(ids->modules, ids->n_modules, sizeof(*ids->modules), compare_dsos);
	for (size_t i = 0; i < ids->n_modules; i++)
		if (!i || compare_dsos(&ids->modules[i], &ids->modules[kept - 1]))
			ids->modules[kept++] = ids->modules[i];
	ids->n_modules = kept;
}

/* The builds of one module: all entries with the name of the first. */
struct group {
	const struct kernel_dso *v;
	size_t n;
	bool unknown; /* at least one has no build-id */
};

static struct group next_group(const struct kernel_ids *ids, size_t at)
{
	struct group group = {.v = at < ids->n_modules ? &ids->modules[at] : NULL};

	while (at + group.n < ids->n_modules && !strcmp(group.v[group.n].name, group.v->name)) {
		group.unknown = group.unknown || !group.v[group.n].size;
		group.n++;
	}
	return group;
}

/* Reports each build of @a that is not in @b. Returns their number. */
static size_t report_missing(
	const struct group *a, const struct group *b, int side, kernel_difference_fn *fn, void *ctx)
{
	size_t missing = 0;

	for (size_t i = 0; i < a->n; i++) {
		bool there = false;

		for (size_t j = 0; j < b->n && !there; j++)
			there = !compare_dsos(&a->v[i], &b->v[j]);
		if (there)
			continue;
		missing++;
		if (fn)
			fn(ctx, side, &a->v[i]);
	}
	return missing;
}

void kernel_ids__compare(const struct kernel_ids *a, const struct kernel_ids *b,
	struct kernel_comparison *ret, kernel_difference_fn *fn, void *ctx)
{
	struct group kernels[2] = {{.v = &a->kernel, .n = 1}, {.v = &b->kernel, .n = 1}};
	size_t i = 0, j = 0;

	memset(ret, 0, sizeof(*ret));
	ret->kernel_known = a->kernel.size && b->kernel.size;
	ret->kernel_same = ret->kernel_known && !compare_dsos(&a->kernel, &b->kernel);
	if (ret->kernel_known) {
		report_missing(&kernels[0], &kernels[1], 0, fn, ctx);
		report_missing(&kernels[1], &kernels[0], 1, fn, ctx);
	}
	ret->modules_known = a->knows_modules && b->knows_modules;
	if (!ret->modules_known)
		return;
	while (i < a->n_modules || j < b->n_modules) {
		struct group x = next_group(a, i), y = next_group(b, j);
		int order = !x.n ? 1 : !y.n ? -1 : strcmp(x.v->name, y.v->name);

		i += order <= 0 ? x.n : 0;
		j += order >= 0 ? y.n : 0;
		if (order) {
			ret->only[order > 0]++;
		} else if (x.unknown || y.unknown) {
			ret->unknown++;
		} else if (report_missing(&x, &y, 0, fn, ctx) +
			   report_missing(&y, &x, 1, fn, ctx)) {
			ret->different++;
		} else {
			ret->same++;
		}
	}
}

bool kernel_comparison__equal(const struct kernel_comparison *comparison)
{
	return comparison->kernel_same && !comparison->different;
}

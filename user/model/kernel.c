// SPDX-License-Identifier: GPL-2.0-only
/*
 * kernel_text: see kernel.h.
 */
#include <linux/perf_event.h>
#include <string.h>

#include "user/model/kernel.h"

static bool is_image(const char *path)
{
	return !strncmp(path, "[kernel.kallsyms]", 17) ||
	       !strncmp(path, "[guest.kernel.kallsyms", 22);
}

/* Whether @name is the text of a module's init function, by its name in records. */
static bool is_init_text(const char *name)
{
	static const char END[] = "].init.text";
	size_t len = strlen(name);

	return name[0] == '[' && len > sizeof(END) && !strcmp(name + len - (sizeof(END) - 1), END);
}

void kernel_text__name(const char *path, char *ret, size_t size)
{
	const char *end = is_image(path) ? strchr(path, ']') : NULL;
	size_t len = end ? (size_t)(end - path) + 1 : strlen(path);

	if (len >= size)
		len = size - 1;
	memcpy(ret, path, len);
	ret[len] = '\0';
}

int kernel_text__map(struct kernel_text *text, const char *path, const struct mapping *mapping,
	struct sightings *sightings, uint64_t now_ns)
{
	struct maps **slot = is_image(path) ? &text->image : &text->modules;

	return maps__insert(slot, mapping, &sightings->refs, now_ns);
}

static int add_symbol(struct kernel_text *text, const struct event_ksymbol *symbol,
	struct sightings *sightings, uint64_t time_ns, uint64_t now_ns)
{
	static const struct perfstamp_identity NONE = {.reason = PERFSTAMP_REASON_ANONYMOUS};
	const struct mapping *known = maps__find(text->symbols, symbol->addr);
	struct mapping mapping = {
		.start = symbol->addr,
		.end = symbol->addr + symbol->len,
	};
	struct sighting *sighting;
	int err;

	err = sightings__get(sightings, symbol->name, &NONE, true, time_ns, &mapping.sighting);
	if (err)
		return err;
	/* The snapshot and the kernel reported the same mapping. */
	if (known && known->sighting == mapping.sighting && known->start == mapping.start)
		return 0;
	sighting = sightings__at(sightings, mapping.sighting);
	sighting->symbol = true;
	sighting->init_text = is_init_text(symbol->name);
	sighting->mappings++;
	return maps__insert(&text->symbols, &mapping, &sightings->refs, now_ns);
}

int kernel_text__symbol(struct kernel_text *text, const struct event_ksymbol *symbol,
	struct sightings *sightings, uint64_t time_ns, uint64_t now_ns)
{
	uint64_t end = symbol->addr + symbol->len;
	int err;

	if (end <= symbol->addr)
		return 0;
	if (!(symbol->flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER))
		return add_symbol(text, symbol, sightings, time_ns, now_ns);
	err = maps__remove(&text->symbols, symbol->addr, end, &sightings->refs, now_ns);
	return err ? err
		   : maps__remove(&text->modules, symbol->addr, end, &sightings->refs, now_ns);
}

struct mapping *kernel_text__at(const struct kernel_text *text, const char *path, uint64_t addr)
{
	return maps__find(is_image(path) ? text->image : text->modules, addr);
}

const struct mapping *kernel_text__find(
	const struct kernel_text *text, uint64_t addr, enum kernel_text_kind *ret_kind)
{
	const struct mapping *mapping = maps__find(text->modules, addr);

	*ret_kind = KERNEL_TEXT_MODULE;
	if (!mapping) {
		*ret_kind = KERNEL_TEXT_SYMBOL;
		mapping = maps__find(text->symbols, addr);
	}
	if (!mapping) {
		*ret_kind = KERNEL_TEXT_IMAGE;
		mapping = maps__find(text->image, addr);
	}
	if (!mapping)
		*ret_kind = KERNEL_TEXT_NONE;
	return mapping;
}

int kernel_text__unload(struct kernel_text *text, uint64_t addr, uint64_t end,
	struct sightings *sightings, uint64_t now_ns)
{
	return maps__remove(&text->modules, addr, end, &sightings->refs, now_ns);
}

void kernel_text__free(struct kernel_text *text, struct sightings *sightings)
{
	maps__release(&text->image, &sightings->refs, 0);
	maps__release(&text->modules, &sightings->refs, 0);
	maps__release(&text->symbols, &sightings->refs, 0);
}

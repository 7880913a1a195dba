// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfstamp inject --jit: copies a recording so that code made at run time is in DSOs with
 * build-ids, whose files it adds to the cache. perf inject --jit does the same with jitdumps that
 * still exist. The recording is read twice: for the names (recorded_code.h), and for the samples in
 * named functions (model/profile/code_maps.h). The copy does not contain the names, since the DSOs
 * have them.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "user/base/array.h"
#include "user/cli/cli.h"
#include "user/cli/input.h"
#include "user/cli/profile/recorded_code.h"
#include "user/cli/progress_bar.h"
#include "user/cli/repair.h"
#include "user/event/order.h"
#include "user/io/whole.h"
#include "user/base/hash.h"
#include "user/model/profile/code_maps.h"
#include "user/perfdata/encode.h"
#include "user/perfdata/read/reader.h"
#include "user/store/cache/add.h"
#include "user/store/cache/symbol_elf.h"
#include "user/store/files/digest.h"

#define TEXT_START 4096u /* no function may have offset 0, and perf needs whole pages */
/* For an image with unwind tables, so that it does not cover its neighbours. */
#define TEXT_START_ALONE 64u
#define ALIGNMENT 16u              /* linkers align functions to this */
#define FUNCTION_MAX (1ull << 32)  /* larger ranges are not functions */
#define IMAGE_BYTES_MAX (1u << 30) /* limit for images of programs, with their symbols */

struct options {
	const char *path;
	const char *out;
	const char *dir;
	bool jit;
	bool force;
	bool later;
};

/*
 * The functions of one program. Each has its own offset, however often and wherever it was made,
 * since perf has one row for each offset. If stacks are unwound, a function with unwind tables has
 * its own image, with the tables behind the code.
 */
struct image {
	uint32_t life;
	uint32_t pid;
	struct text_symbol *v;
	size_t n, room;
	uint64_t start, end;       /* addresses from the first to the last function */
	struct code_unwind unwind; /* tables of its only function; .bytes NULL: none */
	uint8_t build_id[PERFSTAMP_BUILD_ID_MAX];
	char path[48];
};

/* Limit for all images with unwind tables, in bytes. */
#define IMAGES_MAX (4ull << 30)

/* A name in a program. It stands for all code that had this name. */
struct function {
	UT_hash_handle hh;
	struct {
		const char *name; /* the model's copy, which is unique for each name */
		uint32_t life;
		uint32_t detail; /* NONE: the function is in the program's image */
	} key;
	uint32_t image;
	size_t symbol; /* number of its symbol in that image */
};

struct inject {
	const struct options *options;
	struct recorded_code *code;
	const struct code_names *names; /* NULL: there are no names */
	struct code_maps *maps;
	struct image *images;
	size_t n_images, images_room;
	struct function *functions;
	struct buffer records;
	struct encode_trailer trailer; /* for new records: as those of the first event */
	bool has_times;                /* .trailer is known */
};

enum { KEY_BUILDID_DIR = 256, KEY_LATER_NAMES };

static const struct argp_option OPTIONS[] = {
	{"jit", 'j', NULL, 0, "Put code that was made at run time into DSOs", 0},
	{"output", 'o', "OUT", 0, "Write the copy to the file OUT", 0},
	{"force", 'f', NULL, 0, "Replace OUT if it exists", 0},
	{"later-names", KEY_LATER_NAMES, NULL, 0,
		"Also use names that were written only after the sample", 0},
	{"buildid-dir", KEY_BUILDID_DIR, "DIR", 0,
		"Build-id cache for the files of these DSOs (default: perf's)", 0},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->path;
		return 0;
	case 'j':
		options->jit = true;
		return 0;
	case 'o':
		options->out = arg;
		return 0;
	case 'f':
		options->force = true;
		return 0;
	case KEY_BUILDID_DIR:
		options->dir = arg;
		return 0;
	case KEY_LATER_NAMES:
		options->later = true;
		return 0;
	case ARGP_KEY_END:
		if (!options->jit || !options->out)
			argp_error(state, "--jit and --output are needed");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* ---- Reading ---- */

/* Sets the trailer. The records of a pipe describe its events, so this is called after reading. */
static void take_trailer(struct inject *inject, const struct perfdata_reader *reader)
{
	const struct perfdata_attr *attr = perfdata_reader__n_attrs(reader)
						   ? perfdata_reader__attr(reader, 0)
						   : NULL;

	inject->has_times = attr && attr->attr.sample_id_all &&
			    !perfdata_reader__is_foreign_order(reader);
	if (inject->has_times)
		inject->trailer = (struct encode_trailer){
			.sample_type = attr->attr.sample_type,
			.id = attr->n_ids ? attr->ids[0] : 0,
		};
}

static int read_in_order(struct inject *inject, order_fn *fn, void *ctx, struct error *err)
{
	struct perfdata_reader *reader = NULL;
	struct order *order = NULL;
	struct event event;
	int more = 0, failed = perfdata_reader__open(&reader, inject->options->path, err);

	if (failed)
		return failed;
	failed = order__new(&order, fn, ctx, 0);
	progress_bar__begin(PROGRESS_BYTES, "reading", inject->options->path);
	while (!failed && (more = perfdata_reader__next(reader, &event, err)) > 0) {
		input__show_progress(reader);
		failed = order__push(order, &event);
	}
	if (!failed && !more)
		failed = order__flush(order);
	progress_bar__end();
	take_trailer(inject, reader);
	order__free(order);
	perfdata_reader__free(reader);
	return failed ? error__set(err, failed, "out of memory") : more;
}

static int take_names(void *ctx, const struct event *event)
{
	return recorded_code__take(ctx, event);
}

static int take_samples(void *ctx, const struct event *event)
{
	return code_maps__follow(ctx, event);
}

static int find_maps(struct inject *inject, struct error *err)
{
	int failed = recorded_code__new(&inject->code);

	if (failed)
		return error__set(err, failed, "out of memory");
	failed = read_in_order(inject, take_names, inject->code, err);
	if (failed)
		return failed;
	if (recorded_code__names(inject->code, &inject->names) ||
		(inject->names &&
			code_maps__new(&inject->maps, inject->names, inject->options->later)))
		return error__set(err, -ENOMEM, "out of memory");
	return inject->names ? read_in_order(inject, take_samples, inject->maps, err) : 0;
}

/* ---- DSOs ---- */

static struct image *get_image(
	struct inject *inject, uint32_t life, uint32_t pid, const struct code_unwind *unwind)
{
	struct image *v = inject->images;

	for (size_t i = inject->n_images; i && !unwind->bytes; i--)
		if (v[i - 1].life == life && !v[i - 1].unwind.bytes)
			return &v[i - 1];
	if (array__reserve(&inject->images, &inject->images_room, inject->n_images + 1, sizeof(*v)))
		return NULL;
	v = &inject->images[inject->n_images++];
	*v = (struct image){.life = life, .pid = pid, .unwind = *unwind};
	v->end = v->start = unwind->bytes ? TEXT_START_ALONE : TEXT_START;
	snprintf(v->path, sizeof(v->path), "jitted-%" PRIu32 "-%zu.so", pid, inject->n_images);
	return v;
}

/* Returns the tables of a function that needs its own image; otherwise .bytes is NULL. */
static struct code_unwind unwind_of(const struct inject *inject, const struct code_entry *entry)
{
	struct code_unwind unwind = {0};

	if (code_maps__saw_stacks(inject->maps) && entry->size <= SYMBOL_ELF_UNWIND_TEXT_MAX)
		code_details__unwind(code_names__details(inject->names), entry->detail, &unwind);
	return unwind;
}

static struct function *find_function(const struct inject *inject, const struct code_entry *entry)
{
	struct function *function, wanted;

	memset(&wanted, 0, sizeof(wanted));
	wanted.key.name = entry->name;
	wanted.key.life = entry->life;
	wanted.key.detail = unwind_of(inject, entry).bytes ? entry->detail : CODE_DETAILS_NONE;
	HASH_FIND(hh, inject->functions, &wanted.key, sizeof(wanted.key), function);
	return function;
}

static int add_symbol(struct image *image, const char *name)
{
	if (array__reserve(&image->v, &image->room, image->n + 1, sizeof(*image->v)))
		return -ENOMEM;
	image->v[image->n++] = (struct text_symbol){.name = name, .type = 't'};
	return 0;
}

static int add_function(
	struct inject *inject, const struct code_entry *entry, uint32_t pid, struct function **ret)
{
	const struct code_unwind unwind = unwind_of(inject, entry);
	struct image *image = get_image(inject, entry->life, pid, &unwind);
	struct function *function = calloc(1, sizeof(*function));

	if (!image || !function || add_symbol(image, entry->name)) {
		free(function);
		return -ENOMEM;
	}
	function->key.name = entry->name;
	function->key.life = entry->life;
	function->key.detail = unwind.bytes ? entry->detail : CODE_DETAILS_NONE;
	function->image = image - inject->images;
	function->symbol = image->n - 1;
	HASH_ADD(hh, inject->functions, key, sizeof(function->key), function);
	if (!hash__added(function)) {
		free(function);
		return -ENOMEM;
	}
	*ret = function;
	return 0;
}

static int take_function(struct inject *inject, const struct code_map *map)
{
	const struct code_entry entry = code_names__at(inject->names, map->number);
	struct function *function = find_function(inject, &entry);
	struct text_symbol *symbol;

	if (entry.size > FUNCTION_MAX)
		return 0;
	if (!function && add_function(inject, &entry, map->pid, &function))
		return -ENOMEM;
	symbol = &inject->images[function->image].v[function->symbol];
	if (entry.size > symbol->size)
		symbol->size = entry.size;
	return 0;
}

static void lay_out(struct image *image)
{
	for (size_t i = 0; i < image->n; i++) {
		image->v[i].addr = image->end;
		image->end += (image->v[i].size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	}
	if (image->unwind.bytes)
		image->end = image->start + image->v[0].size;
}

static int place_functions(struct inject *inject, struct error *err)
{
	size_t n;
	const struct code_map *maps = code_maps__all(inject->maps, &n);

	for (size_t i = 0; i < n; i++)
		if (maps[i].number != CODE_NAMES_NONE && take_function(inject, &maps[i]))
			return error__set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < inject->n_images; i++)
		lay_out(&inject->images[i]);
	return 0;
}

static int build(struct buffer *out, const struct image *image, size_t id_size)
{
	const struct text_symbols symbols = {
		.shared = true,
		.start = image->start,
		.size = image->end - image->start,
		.v = image->v,
		.n = image->n,
		.unwind = image->unwind.bytes,
		.unwind_size = image->unwind.size,
		.unwind_hdr_size = image->unwind.hdr_size,
	};

	buffer__reset(out);
	return symbol_elf__build(out, image->build_id, id_size, &symbols);
}

/*
 * Writes the ELF file. Its build-id is the begin of the SHA-256 of the file without the build-id.
 */
static int write_image(int fd, struct buffer *elf, struct image *image)
{
	uint8_t digest[DIGEST_SIZE];
	int code = build(elf, image, sizeof(image->build_id));

	if (!code)
		code = whole__pwrite(fd, elf->data, elf->size, 0);
	if (!code)
		code = digest__sha256(fd, digest);
	if (code)
		return code;
	memcpy(image->build_id, digest, sizeof(image->build_id));
	code = build(elf, image, sizeof(image->build_id));
	return code ? code : whole__pwrite(fd, elf->data, elf->size, 0);
}

static int keep_image(struct cache *cache, struct image *image, struct error *err)
{
	struct add_result added;
	struct buffer elf;
	int fd = memfd_create("jitted", MFD_CLOEXEC), code = fd < 0 ? -errno : 0;

	buffer__init(&elf, IMAGE_BYTES_MAX);
	if (!code)
		code = write_image(fd, &elf, image);
	if (code)
		error__errno(err, code, "%s", image->path);
	else
		code = add__file(cache, fd, image->path, &added, err);
	buffer__free(&elf);
	if (fd >= 0)
		close(fd);
	return code;
}

/* Checks the size of images with unwind tables: each is as long as its process wrote. */
static int check_images(const struct inject *inject, struct error *err)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < inject->n_images; i++)
		if (inject->images[i].unwind.bytes)
			bytes += inject->images[i].end - inject->images[i].start;
	return bytes <= IMAGES_MAX
		       ? 0
		       : error__set(err, -EFBIG,
				 "the jitdumps of the recording have functions of %" PRIu64
				 " MiB, %llu MiB is the most that is put into DSOs; "
				 "`perfstamp report' names them",
				 bytes >> 20, IMAGES_MAX >> 20);
}

static int keep_images(struct inject *inject, struct error *err)
{
	struct cache *cache = NULL;
	char *dir = NULL;
	int failed;

	if (!inject->n_images)
		return 0;
	failed = check_images(inject, err);
	if (!failed)
		failed = store__directory(&dir, inject->options->dir, err);
	if (!failed)
		failed = cache__open(&cache, dir, true, err);
	for (size_t i = 0; i < inject->n_images && !failed; i++)
		failed = keep_image(cache, &inject->images[i], err);
	cache__free(cache);
	free(dir);
	return failed;
}

/* ---- The copy ---- */

static int put_map(
	struct inject *inject, const struct code_map *map, const struct encode_trailer *trailer)
{
	struct event event = {
		.kind = EVENT_MAP,
		.pid = map->pid,
		.tid = map->pid,
		.cpu = UINT32_MAX,
		.time_ns = map->time_ns,
		.map =
			{
				.addr = map->addr,
				.len = map->size,
				.prot = PROT_READ | PROT_EXEC,
				.map_flags = MAP_PRIVATE | MAP_ANONYMOUS,
				.executable = true,
				.identity.reason = PERFSTAMP_REASON_ANONYMOUS,
				.path = "//anon",
			},
	};
	struct code_entry entry = {0};
	const struct function *function = NULL;
	const struct image *image;

	if (map->number != CODE_NAMES_NONE) {
		entry = code_names__at(inject->names, map->number);
		function = find_function(inject, &entry);
	}
	if (function) {
		image = &inject->images[function->image];
		event.map.pgoff = image->v[function->symbol].addr;
		event.map.path = image->path;
		event.map.map_flags = MAP_PRIVATE;
		event.map.identity.reason = PERFSTAMP_REASON_NONE;
		event.map.identity.source = PERFSTAMP_SOURCE_USER;
		event.map.identity.build_id_size = sizeof(image->build_id);
		memcpy(event.map.identity.build_id, image->build_id, sizeof(image->build_id));
	}
	return encode__event(&inject->records, &event, trailer);
}

static int put_maps(struct inject *inject, struct error *err)
{
	const struct code_map *maps;
	size_t n;
	int failed = 0;

	maps = code_maps__all(inject->maps, &n);
	for (size_t i = 0; i < n && !failed; i++)
		failed = put_map(inject, &maps[i], &inject->trailer);
	return failed ? error__set(err, failed, "out of memory") : 0;
}

static bool keeps(void *ctx, uint64_t n, const struct event *event)
{
	const struct inject *inject = ctx;

	(void)n;
	return !inject->names || event->kind != EVENT_CODE;
}

static int write_copy(struct inject *inject)
{
	const struct options *options = inject->options;
	const struct repair_choice choice = {
		.keeps = keeps,
		.ctx = inject,
		.first = inject->records.size ? &inject->records : NULL,
	};
	const struct cli_input_choice input = {options->path, &choice};
	struct repair copied;
	int status = cli__copy(&input, 1, options->out, options->force, &copied);
	unsigned int n = HASH_COUNT(inject->functions);

	if (status == CLI_DONE)
		printf("%s: %u function%s in %zu DSO%s\n", options->out, n, n == 1 ? "" : "s",
			inject->n_images, inject->n_images == 1 ? "" : "s");
	if (status == CLI_DONE && copied.dropped)
		cli__fail("warning: %" PRIu64 " records that stock perf cannot read were omitted",
			copied.dropped);
	repair__free(&copied);
	return status;
}

static int inject_code(struct inject *inject)
{
	struct error err;
	int failed = find_maps(inject, &err);

	if (failed == -EBADMSG)
		return cli__fail(
			"%s; try `perfstamp check --repair', which copies what can be read",
			err.text);
	if (!failed && inject->names && !inject->has_times)
		failed = error__set(&err, -ENOTSUP,
			"%s: its records have no times, or are of the other byte order",
			inject->options->path);
	if (!failed && inject->names)
		failed = place_functions(inject, &err);
	if (!failed)
		failed = keep_images(inject, &err);
	if (!failed && inject->names)
		failed = put_maps(inject, &err);
	return failed ? cli__fail("%s", err.text) : write_copy(inject);
}

static void free_all(struct inject *inject)
{
	hash__free(inject->functions);
	for (size_t i = 0; i < inject->n_images; i++)
		free(inject->images[i].v);
	free(inject->images);
	buffer__free(&inject->records);
	code_maps__free(inject->maps);
	recorded_code__free(inject->code);
}

int cmd_inject(int argc, char **argv)
{
	static const struct argp ARGP = {
		.options = OPTIONS,
		.parser = parse,
		.args_doc = "[FILE]",
		.doc = "Copy a recording and put code that was made at run time into DSOs of "
		       "its own, so that perf report shows its names anywhere.",
		.children = CLI_INPUT_FILE,
	};
	struct options options = {0};
	struct inject inject = {.options = &options};
	struct error err;
	int status;

	cli__parse(&ARGP, argc, argv, &options);
	buffer__init(&inject.records, 0);
	if (!strcmp(options.path, "-") && input__keep_standard(&err))
		return cli__fail("%s", err.text);
	status = inject_code(&inject);
	free_all(&inject);
	return status;
}

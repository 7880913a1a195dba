// SPDX-License-Identifier: GPL-2.0-only
/*
 * Notes, kallsyms, modules, maps and stat: what kernels write, and what nobody
 * should.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <cmocka.h>

#include "user/parse/elf/note.h"
#include "user/parse/kernel/kallsyms.h"
#include "user/parse/maps.h"
#include "user/parse/kernel/modules.h"
#include "user/parse/mountinfo.h"
#include "user/parse/stat.h"

struct blob {
	uint8_t bytes[256];
	size_t size;
};

static void put_u32(struct blob *blob, uint32_t value, bool swap)
{
	value = swap ? __builtin_bswap32(value) : value;
	memcpy(blob->bytes + blob->size, &value, 4);
	blob->size += 4;
}

static void put_note(struct blob *blob, uint32_t type, const char *name, size_t desc_size,
	unsigned int align, bool swap)
{
	put_u32(blob, strlen(name) + 1, swap);
	put_u32(blob, desc_size, swap);
	put_u32(blob, type, swap);
	strcpy((char *)blob->bytes + blob->size, name);
	blob->size = (blob->size + strlen(name) + 1 + align - 1) & ~(size_t)(align - 1);
	for (size_t i = 0; i < desc_size; i++)
		blob->bytes[blob->size++] = i + 1;
	blob->size = (blob->size + align - 1) & ~(size_t)(align - 1);
}

/* Reads a copy of exactly its size, so that ASan sees each byte too many. */
static int build_id(const struct blob *blob, size_t size, unsigned int align, bool swap)
{
	uint8_t id[ELF_BUILD_ID_MAX];
	uint8_t *copy = malloc(size ? size : 1);
	int r;

	assert_non_null(copy);
	memcpy(copy, blob->bytes, size);
	r = elf_notes__build_id(copy, size, align, swap, id);
	for (int i = 0; i < r; i++)
		assert_int_equal(id[i], i + 1);
	free(copy);
	return r;
}

static void test_build_id_behind_other_notes(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++) {
		unsigned int align = i & 1 ? 8 : 4;
		bool swap = i & 2;
		struct blob blob = {.size = 0};

		put_note(&blob, 5, "GNU", 13, align, swap);
		put_note(&blob, 3, "Xen", 20, align, swap); /* of another owner */
		put_note(&blob, 3, "Linux", 0, align, swap);
		assert_int_equal(build_id(&blob, blob.size, align, swap), -ENOENT);
		put_note(&blob, 3, "GNU", 20, align, swap);
		assert_int_equal(build_id(&blob, blob.size, align, swap), 20);
	}
}

static void test_build_id_sizes(void **state)
{
	struct blob blob = {.size = 0};

	(void)state;
	put_note(&blob, 3, "GNU", 0, 4, false);
	assert_int_equal(build_id(&blob, blob.size, 4, false), -ENOENT);
	put_note(&blob, 3, "GNU", 32, 4, false);
	assert_int_equal(build_id(&blob, blob.size, 4, false), -E2BIG);
	put_note(&blob, 3, "GNU", 8, 4, false);
	assert_int_equal(build_id(&blob, blob.size, 4, false), 8);
	assert_int_equal(build_id(&blob, 0, 4, false), -ENOENT);
}

static void test_notes_cut_at_each_byte(void **state)
{
	struct blob blob = {.size = 0};
	size_t last;

	(void)state;
	put_note(&blob, 1, "ab", 5, 4, false);
	put_note(&blob, 3, "GNU", 17, 4, false);
	last = blob.size - 3; /* the padding is not needed */
	for (size_t size = 0; size < last; size++) {
		int r = build_id(&blob, size, 4, false);

		assert_true(r == -EBADMSG || r == -ENOENT);
	}
	assert_int_equal(build_id(&blob, last, 4, false), 17);
}

static void test_notes_with_forged_sizes(void **state)
{
	(void)state;
	for (int field = 0; field < 2; field++) {
		struct blob blob = {.size = 0};

		put_note(&blob, 3, "GNU", 20, 4, false);
		memset(blob.bytes + 4 * field, 0xff, 4);
		assert_int_equal(build_id(&blob, blob.size, 4, false), -EBADMSG);
		memset(blob.bytes + 4 * field, 0xfd, 4);
		assert_int_equal(build_id(&blob, blob.size, 8, true), -EBADMSG);
	}
}

static int collect_symbol(void *ctx, const struct kallsyms_symbol *symbol)
{
	char *out = ctx;

	sprintf(out + strlen(out), "%llx %c %s %s;", (unsigned long long)symbol->addr, symbol->type,
		symbol->name, symbol->module ? symbol->module : "-");
	return 0;
}

static void test_kallsyms_in_pieces(void **state)
{
	static const char text[] = "ffffffff81000000 T _stext\n"
				   "nonsense\n"
				   "0000000000000000 A fixed_percpu_data\n"
				   "ffffffffc0a00000 t ext4_x.isra.0\t[ext4]\n";
	struct kallsyms kallsyms;

	(void)state;
	for (size_t piece = 1; piece < sizeof(text); piece++) {
		char out[256] = "";

		kallsyms__init(&kallsyms);
		for (size_t at = 0; at < sizeof(text) - 1; at += piece) {
			size_t n = sizeof(text) - 1 - at;

			kallsyms__feed(
				&kallsyms, text + at, n < piece ? n : piece, collect_symbol, out);
		}
		assert_string_equal(out, "ffffffff81000000 T _stext -;0 A fixed_percpu_data -;"
					 "ffffffffc0a00000 t ext4_x.isra.0 ext4;");
	}
}

static void test_kallsyms_long_line(void **state)
{
	size_t size = 3 * KALLSYMS_LINE_MAX;
	char *text = malloc(size + 64);
	char out[256] = "";
	struct kallsyms kallsyms;

	(void)state;
	assert_non_null(text);
	memset(text, 'x', size);
	strcpy(text + size, "\nffffffff81000000 T _text\n");
	kallsyms__init(&kallsyms);
	assert_int_equal(kallsyms__feed(&kallsyms, text, strlen(text), collect_symbol, out), 0);
	assert_string_equal(out, "ffffffff81000000 T _text -;");
	free(text);
}

static struct kallsyms_kernel kernel_of(const char *text, int expected)
{
	struct kallsyms_kernel kernel = {0};
	struct kallsyms kallsyms;

	kallsyms__init(&kallsyms);
	assert_int_equal(
		kallsyms__feed(&kallsyms, text, strlen(text), kallsyms_kernel__add, &kernel),
		expected);
	return kernel;
}

static void test_kallsyms_kernel(void **state)
{
	struct kallsyms_kernel kernel;

	(void)state;
	kernel = kernel_of("f0 T _text\nf1 T _stext\nf2 t x\nff T _etext\nfffff T later\n", 1);
	assert_true(kernel.has_text && kernel.has_stext && kernel.has_etext && !kernel.hidden);
	assert_int_equal(kernel.text, 0xf0);
	assert_int_equal(kernel.etext, 0xff);
	kernel = kernel_of("0 T _text\n0 T _stext\n0 T _etext\n", 1);
	assert_true(kernel.hidden);
	kernel = kernel_of("f0 T _stext\nf1 t m\t[mod]\nff T _etext\n", 1);
	assert_true(kernel.has_stext && !kernel.has_text && !kernel.has_etext);
	kernel = kernel_of("f0 T start\n", 0);
	assert_false(kernel.hidden || kernel.has_text);
}

static void test_modules(void **state)
{
	const char *cursor =
		"ext4 1122304 2 - Live 0xffffffffc0a00000 (OE)\n"
		"snd_pcm 159744 3 snd_hda_intel,snd_hda_codec, Live 0xffffffffc0900000\n"
		"hidden 1 0 - Live 0x0000000000000000\n"
		"coming 4096 1 - Loading 0xffffffffc0100000\n"
		"nonsense\n"
		"last 5 0 - Unloading 0xff";
	struct module_line line;

	(void)state;
	assert_int_equal(module_line__next(&cursor, &line), 1);
	assert_string_equal(line.name, "ext4");
	assert_int_equal(line.size, 1122304);
	assert_true(line.addr == 0xffffffffc0a00000);
	assert_true(line.live);
	assert_int_equal(module_line__next(&cursor, &line), 1);
	assert_string_equal(line.name, "snd_pcm");
	assert_true(line.addr == 0xffffffffc0900000);
	assert_int_equal(module_line__next(&cursor, &line), 1);
	assert_int_equal(line.addr, 0);
	assert_int_equal(module_line__next(&cursor, &line), 1);
	assert_false(line.live);
	assert_int_equal(module_line__next(&cursor, &line), -EBADMSG);
	assert_int_equal(module_line__next(&cursor, &line), 1);
	assert_string_equal(line.name, "last");
	assert_false(line.live);
	assert_int_equal(module_line__next(&cursor, &line), 0);
}

static void test_module_with_many_users(void **state)
{
	char text[8192];
	const char *cursor = text;
	struct module_line line;

	(void)state;
	strcpy(text, "crc 4096 999 ");
	while (strlen(text) < 6000)
		strcat(text, "some_module,");
	strcat(text, " Live 0xffffffffc0a00000\n");
	assert_int_equal(module_line__next(&cursor, &line), 1);
	assert_true(line.addr == 0xffffffffc0a00000);
	assert_int_equal(module_line__next(&cursor, &line), 0);
}

static void check_module_name(const char *path, const char *expected)
{
	char name[MODULE_NAME_MAX];
	bool ok = module_name__from_path(name, path, strlen(path));

	assert_int_equal(ok, expected != NULL);
	if (ok)
		assert_string_equal(name, expected);
}

static void test_modules_dep(void **state)
{
	const char *cursor = "# comment:\nkernel/a-b.ko.xz: kernel/c.ko\n/extra/d.ko:\nnone\n";
	const char *path;
	size_t size;

	(void)state;
	assert_int_equal(modules_dep__next(&cursor, &path, &size), 1);
	assert_int_equal(size, strlen("kernel/a-b.ko.xz"));
	assert_memory_equal(path, "kernel/a-b.ko.xz", size);
	assert_int_equal(modules_dep__next(&cursor, &path, &size), 1);
	assert_memory_equal(path, "/extra/d.ko", size);
	assert_int_equal(modules_dep__next(&cursor, &path, &size), 0);
	check_module_name("kernel/a-b.ko.xz", "a_b");
	check_module_name("x.ko.zst", "x");
	check_module_name("/x/y_z.ko.gz", "y_z");
	check_module_name("x.o", NULL);
	check_module_name(".ko", NULL);
	check_module_name("", NULL);
	check_module_name(
		"an/extremely_long_name_that_no_module_of_any_kernel_can_have_since_it_is_"
		"cut.ko",
		NULL);
}

/* One line in memory of exactly its size. */
static int one_map(const char *text, struct map_line *ret)
{
	size_t size = strlen(text);
	char *copy = malloc(size ? size : 1);
	const char *cursor = copy;
	int r;

	assert_non_null(copy);
	memcpy(copy, text, size);
	r = map_line__next(&cursor, copy + size, ret);
	assert_ptr_equal(cursor, copy + size);
	free(copy);
	return r;
}

static void test_maps(void **state)
{
	struct map_line line;

	(void)state;
	assert_int_equal(one_map("55d0a0000000-55d0a0028000 r-xp 00002000 fd:01 1234567    "
				 "                /usr/bin/bash\n",
				 &line),
		1);
	assert_true(line.start == 0x55d0a0000000 && line.end == 0x55d0a0028000);
	assert_int_equal(line.pgoff, 0x2000);
	assert_int_equal(line.prot, PROT_READ | PROT_EXEC);
	assert_int_equal(line.map_flags, MAP_PRIVATE);
	assert_int_equal(line.dev_major, 0xfd);
	assert_int_equal(line.dev_minor, 1);
	assert_int_equal(line.ino, 1234567);
	assert_string_equal(line.path, "/usr/bin/bash");
	assert_false(line.deleted);

	assert_int_equal(
		one_map("7f00-7f01 rw-s 00000000 00:05 9 /dev/zero (deleted)\n", &line), 1);
	assert_int_equal(line.map_flags, MAP_SHARED);
	assert_string_equal(line.path, "/dev/zero");
	assert_true(line.deleted);

	assert_int_equal(one_map("7f00-7f01 rwxp 00000000 00:00 0 \n", &line), 1);
	assert_string_equal(line.path, "");
	assert_int_equal(one_map("7f00-7f01 rwxp 00000000 00:00 0", &line), 1);
	assert_string_equal(line.path, "");
	assert_int_equal(one_map("ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 "
				 "                 [vsyscall]\n",
				 &line),
		1);
	assert_true(line.start == 0xffffffffff600000);
	assert_string_equal(line.path, "[vsyscall]");
}

static void test_maps_odd_paths(void **state)
{
	struct map_line line;

	(void)state;
	assert_int_equal(one_map("1-2 r-xp 0 0:0 1 /tmp/a\\012b c\t\\040\n", &line), 1);
	assert_string_equal(line.path, "/tmp/a\nb c\t\\040");
	assert_int_equal(one_map("1-2 r-xp 0 0:0 1 /tmp/x (deleted) (deleted)\n", &line), 1);
	assert_string_equal(line.path, "/tmp/x (deleted)");
	assert_int_equal(one_map("1-2 r-xp 0 0:0 1 /a\\01\n", &line), 1);
	assert_string_equal(line.path, "/a\\01");
	assert_int_equal(one_map("1-2 r-xp 0 0:0 1 /trailing \n", &line), 1);
	assert_string_equal(line.path, "/trailing ");
}

static void test_maps_long_path(void **state)
{
	static char text[2 * PERFSTAMP_PATH_MAX];
	struct map_line line;

	(void)state;
	strcpy(text, "1-2 r-xp 0 0:0 1 /");
	memset(text + strlen(text), 'a', PERFSTAMP_PATH_MAX);
	assert_int_equal(one_map(text, &line), 1);
	assert_true(line.path_cut);
	assert_int_equal(strlen(line.path), PERFSTAMP_PATH_MAX - 1);
}

static void test_maps_refused(void **state)
{
	static const char *const bad[] = {"\n", "x\n", "1-\n", "2-1 r-xp 0 0:0 1 /\n", "1-2 r-x",
		"1-2 r-xp 0 0:0", "1-2 r-xp 0 0-0 1 /\n", "11111111111111111-2 r-xp 0 0:0 1 /\n",
		"1-2 r-xp 0 0:0 99999999999999999999 /\n", "1-2 r-xp 0 100000000:0 1 /\n"};
	struct map_line line;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(one_map(bad[i], &line), -EBADMSG);
	assert_int_equal(one_map("", &line), 0);
}

static int parse_stat(const char *text, struct task_stat *ret)
{
	return task_stat__parse(ret, text, strlen(text));
}

static void test_stat(void **state)
{
#define TAIL " 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 4242 1000 2000 9 94000 1 140720 7\n"
	struct task_stat stat;

	(void)state;
	assert_int_equal(parse_stat("123 (bash) S 77 123" TAIL, &stat), 0);
	assert_int_equal(stat.pid, 123);
	assert_int_equal(stat.ppid, 77);
	assert_int_equal(stat.state, 'S');
	assert_string_equal(stat.comm, "bash");
	assert_int_equal(stat.start_ticks, 4242);
	assert_int_equal(stat.start_code, 94000);
	assert_int_equal(stat.start_stack, 140720);
	assert_int_equal(parse_stat("9 (a) R 1 (b) x) S 8 1" TAIL, &stat), 0);
	assert_string_equal(stat.comm, "a) R 1 (b) x");
	assert_int_equal(stat.ppid, 8);
	assert_int_equal(parse_stat("9 () S 8 1" TAIL, &stat), 0);
	assert_string_equal(stat.comm, "");
	assert_int_equal(parse_stat("9 (a S 8", &stat), -EBADMSG);
	assert_int_equal(parse_stat("9 a) (S 8", &stat), -EBADMSG);
	assert_int_equal(parse_stat("9 (a) S 8 1 2", &stat), -EBADMSG);
	assert_int_equal(parse_stat("", &stat), -EBADMSG);
	assert_int_equal(parse_stat("()", &stat), -EBADMSG);
}

static void test_status(void **state)
{
	const char *text = "Name:\tTgid:\nUmask:\t0022\nTgid:\t12\nPPid:\t7\nBad:\tx\n";
	uint64_t value;

	(void)state;
	assert_int_equal(task_status__number(&value, text, "Tgid"), 0);
	assert_int_equal(value, 12);
	assert_int_equal(task_status__number(&value, text, "PPid"), 0);
	assert_int_equal(value, 7);
	assert_int_equal(task_status__number(&value, text, "Pid"), -ENOENT);
	assert_int_equal(task_status__number(&value, text, "Bad"), -EBADMSG);
}

static void test_mount_of_a_path(void **state)
{
	const char *text = "22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw\n"
			   "24 22 0:45 / /tmp rw - tmpfs tmpfs rw\n"
			   "25 22 0:46 / /tmp/a rw - tmpfs tmpfs rw\n"
			   "26 24 0:47 /dir /tmp rw shared:7 - fuse.sshfs user@host:/ rw\n";
	struct mountinfo_device device;

	(void)state;
	/* The last one hides the others. */
	assert_true(mountinfo__find(text, "/tmp", &device));
	assert_int_equal(device.minor, 47);
	assert_true(device.served);
	/* On the file system of the root. */
	assert_true(mountinfo__find(text, "/var", &device));
	assert_int_equal(device.major, 254);
	assert_int_equal(device.minor, 1);
	assert_false(device.served);
	assert_false(mountinfo__find("24 22 0:45 / /tmp rw - tmpfs tmpfs rw\n", "/a", &device));
	assert_false(mountinfo__find("", "/tmp", &device));
}

static void test_mounts_of_servers(void **state)
{
	const char *text = "22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw\n"
			   "23 22 0:21 / /proc rw - proc proc rw\n"
			   "24 22 0:45 / /net rw shared:7 master:2 - nfs4 host:/export rw,hard\n"
			   "25 22 0:46 / /a\\040-\\040fuse rw - tmpfs nfs rw\n"
			   "26 22 0:47 / /ssh rw - fuse.sshfs user@host:/ rw\n"
			   "27 22 8:17 / /ntfs rw - fuseblk /dev/sdb1 rw\n"
			   "28 22 0:48 / /fusectl rw - fusectl fusectl rw\n"
			   "29 22 0:49 / /nfsd rw - nfsd nfsd rw\n"
			   "nonsense\n"
			   "30 22 0:50 / /last rw - 9p tag";

	(void)state;
	assert_true(mountinfo__is_served(text, 0, 45));
	assert_true(mountinfo__is_served(text, 0, 47));
	assert_true(mountinfo__is_served(text, 8, 17));
	assert_false(mountinfo__is_served(text, 254, 1));
	assert_false(mountinfo__is_served(text, 0, 21));
	assert_false(mountinfo__is_served(text, 0, 46));
	assert_false(mountinfo__is_served(text, 0, 48));
	assert_false(mountinfo__is_served(text, 0, 49));
	assert_false(mountinfo__is_served(text, 1, 1));
	assert_false(mountinfo__is_served("", 0, 0));
	/* Cut off where the type would end. */
	assert_false(mountinfo__is_served("30 22 0:50 / /last rw - 9p", 0, 50));
	assert_true(mountinfo__is_served(text, 0, 50));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_build_id_behind_other_notes),
		cmocka_unit_test(test_build_id_sizes),
		cmocka_unit_test(test_notes_cut_at_each_byte),
		cmocka_unit_test(test_notes_with_forged_sizes),
		cmocka_unit_test(test_kallsyms_in_pieces),
		cmocka_unit_test(test_kallsyms_long_line),
		cmocka_unit_test(test_kallsyms_kernel),
		cmocka_unit_test(test_modules),
		cmocka_unit_test(test_module_with_many_users),
		cmocka_unit_test(test_modules_dep),
		cmocka_unit_test(test_maps),
		cmocka_unit_test(test_maps_odd_paths),
		cmocka_unit_test(test_maps_long_path),
		cmocka_unit_test(test_maps_refused),
		cmocka_unit_test(test_stat),
		cmocka_unit_test(test_status),
		cmocka_unit_test(test_mounts_of_servers),
		cmocka_unit_test(test_mount_of_a_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the code of an ELF file is: by segments that begin at other addresses than offsets, what
 * is no code, and files that cannot be used.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "user/symbols/elf/segments.h"

#define ID "0123456789abcdefghij"

struct file {
	Elf64_Ehdr header;
	Elf64_Phdr segments[5];
	struct {
		Elf64_Nhdr head;
		char name[4];
		char id[20];
	} note;
};

static struct file file_of(uint16_t type)
{
	struct file file = {
		.header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
			.e_type = type,
			.e_machine = EM_X86_64,
			.e_version = EV_CURRENT,
			.e_phoff = offsetof(struct file, segments),
			.e_ehsize = sizeof(Elf64_Ehdr),
			.e_phentsize = sizeof(Elf64_Phdr),
			.e_phnum = 4},
		.segments = {{.p_type = PT_LOAD, .p_flags = PF_R, .p_filesz = 0x1000},
			{.p_type = PT_LOAD,
				.p_flags = PF_R | PF_X,
				.p_offset = 0x1000,
				.p_vaddr = 0x401000,
				.p_filesz = 0x500,
				.p_memsz = 0x900},
			{.p_type = PT_LOAD,
				.p_flags = PF_R | PF_X,
				.p_offset = 0x2000,
				.p_vaddr = 0x803000,
				.p_filesz = 0x10},
			{.p_type = PT_NOTE,
				.p_offset = offsetof(struct file, note),
				.p_filesz = sizeof(file.note),
				.p_align = 4},
			{.p_type = PT_INTERP}},
		.note = {.head = {4, 20, NT_GNU_BUILD_ID}, .name = "GNU"}};

	memcpy(file.note.id, ID, sizeof(file.note.id));
	return file;
}

static int read_file(struct segments *ret, const struct file *file, size_t size)
{
	int fd = memfd_create("elf", MFD_CLOEXEC), code;
	struct error err = {};
	char path[64];

	assert_int_equal(write(fd, file, size), size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	code = segments__read(ret, path, &err);
	assert_int_equal(!code, !err.text[0]);
	close(fd);
	return code;
}

static void code_is_where_the_executable_segments_are(void **unused)
{
	struct file file = file_of(ET_DYN);
	struct segments segments;
	uint64_t addr;

	(void)unused;
	assert_int_equal(read_file(&segments, &file, sizeof(file)), 0);
	assert_int_equal(segments.n, 2);
	assert_int_equal(segments.build_id_size, 20);
	assert_memory_equal(segments.build_id, ID, 20);
	assert_false(segments__address(&segments, 0xfff, &addr));
	assert_true(segments__address(&segments, 0x1000, &addr));
	assert_int_equal(addr, 0x401000);
	assert_true(segments__address(&segments, 0x14ff, &addr));
	assert_int_equal(addr, 0x4014ff);
	/* What is only in memory has no offset. */
	assert_false(segments__address(&segments, 0x1500, &addr));
	assert_true(segments__address(&segments, 0x200f, &addr));
	assert_int_equal(addr, 0x80300f);
	assert_false(segments__address(&segments, UINT64_MAX, &addr));
	segments__free(&segments);
	assert_int_equal(segments.n, 0);
}

static void programs_and_libraries(void **unused)
{
	struct file file = file_of(ET_DYN);
	struct segments segments;

	(void)unused;
	assert_int_equal(read_file(&segments, &file, sizeof(file)), 0);
	assert_false(segments.is_program);
	segments__free(&segments);
	file.header.e_phnum++; /* PT_INTERP */
	assert_int_equal(read_file(&segments, &file, sizeof(file)), 0);
	assert_true(segments.is_program);
	segments__free(&segments);
	file = file_of(ET_EXEC);
	assert_int_equal(read_file(&segments, &file, sizeof(file)), 0);
	assert_true(segments.is_program);
	segments__free(&segments);
}

static void files_that_cannot_be_used(void **unused)
{
	struct file file = file_of(ET_DYN);
	struct segments segments;
	struct error err;

	(void)unused;
	file.note.head.n_type = NT_GNU_ABI_TAG;
	assert_int_equal(read_file(&segments, &file, sizeof(file)), -ENODATA);
	segments__free(&segments);
	file = file_of(ET_DYN);
	assert_int_equal(read_file(&segments, &file, 3), -ENOEXEC);
	segments__free(&segments);
	memcpy(&file, "text", 4);
	assert_int_equal(read_file(&segments, &file, sizeof(file)), -ENOEXEC);
	segments__free(&segments);
	assert_int_equal(segments__read(&segments, "/no/such/file", &err), -ENOENT);
	segments__free(&segments);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(code_is_where_the_executable_segments_are),
		cmocka_unit_test(programs_and_libraries),
		cmocka_unit_test(files_that_cannot_be_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

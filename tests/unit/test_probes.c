// SPDX-License-Identifier: GPL-2.0-only
/*
 * Probe definitions: the text that perf and perfstamp both keep, what is asked for, and
 * the arguments of SDT markers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/parse/probes.h"
#include "user/parse/elf/sdt.h"

static const char KEPT[] = "%sdt_a:m=m\n"
			   "p:sdt_a/m /usr/lib/a.so:0x10(0x20) arg1=%di:u64\n"
			   "p:sdt_a/m /usr/lib/a.so:0x18\n"
			   "#probe_a:f=f%return $retval\n"
			   "r8:probe_a/f /usr/lib/a.so:0xfe $retval\n"
			   "#probe:vfs_read\n"
			   "p:probe/vfs_read vfs_read+0\n";

struct seen {
	int n;
	struct probe v[8];
};

static int see(void *ctx, const struct probe *probe)
{
	struct seen *seen = ctx;

	seen->v[seen->n++] = *probe;
	return 0;
}

static void assert_part(const char *part, size_t len, const char *wanted)
{
	assert_int_equal(len, strlen(wanted));
	assert_memory_equal(part, wanted, len);
}

static void each_command_has_its_parts(void **state)
{
	struct seen seen = {0};

	(void)state;
	assert_int_equal(probes__for_each(KEPT, strlen(KEPT), see, &seen, NULL), 0);
	assert_int_equal(seen.n, 4);
	assert_int_equal(seen.v[0].kind, PROBE_SDT);
	assert_string_equal(seen.v[0].group, "sdt_a");
	assert_string_equal(seen.v[0].event, "m");
	assert_part(seen.v[0].spec, seen.v[0].spec_len, "sdt_a:m=m");
	assert_part(seen.v[0].place, seen.v[0].place_len, "0x10(0x20)");
	assert_part(seen.v[0].args, seen.v[0].args_len, "arg1=%di:u64");
	assert_int_equal(seen.v[1].args_len, 0);
	assert_int_equal(seen.v[2].kind, PROBE_UPROBE);
	assert_true(seen.v[2].returns);
	assert_part(seen.v[2].place, seen.v[2].place_len, "0xfe");
	assert_int_equal(seen.v[3].kind, PROBE_KPROBE);
	assert_part(seen.v[3].place, seen.v[3].place_len, "vfs_read+0");
}

static void what_is_no_definition_is_refused_as_a_whole(void **state)
{
	static const char *const BAD[] = {
		"p:a/b c+0\n",                  /* below nothing */
		"#a:b=c\np:a/b c+0",            /* cut off */
		"#a:b=c\nx:a/b c+0\n",          /* neither p nor r */
		"#a:b=c\np:a c+0\n",            /* no event */
		"#a:b=c\np:a/ c+0\n",           /* the same */
		"#a:b=c\np:a/b\n",              /* nowhere */
		"#a:b=c\np:a/b /x\n",           /* no offset */
		"#a:b=c\np:a/b /x:12\n",        /* the same */
		"#a:b=c\np:a/b /x:0x1(0x)\n",   /* no counter */
		"#a:b=c\np:a/b;rm /x:0x1\n",    /* no name */
		"%a:b=c\np:a/b c+0\n",          /* a marker is in a file */
		"#a:b=c\np:a/b c+0 \x1b[31m\n", /* no text */
		"#a:b=c\np:a/b c+0\n\n",        /* an empty line */
	};
	struct seen seen = {0};
	struct error err;

	(void)state;
	for (size_t i = 0; i < sizeof(BAD) / sizeof(*BAD); i++)
		assert_int_equal(
			probes__for_each(BAD[i], strlen(BAD[i]), see, &seen, &err), -EBADMSG);
	assert_int_equal(probes__for_each("#a:b=c\np:a/b c\0+0\n", 18, see, &seen, &err), -EBADMSG);
	assert_non_null(strstr(err.text, "line 2"));
	/* Not even what comes before it. */
	assert_int_equal(seen.n, 0);
	assert_int_equal(probes__for_each("", 0, see, &seen, &err), 0);
}

static void the_new_one_takes_the_place_of_the_old(void **state)
{
	static const char NEW[] = "%sdt_a:m=m\np:sdt_a/m /usr/lib/a.so:0x99\n";
	struct buffer out;

	(void)state;
	buffer__init(&out, 0);
	assert_int_equal(probes__merge(&out, KEPT, strlen(KEPT), NEW, strlen(NEW), NULL), 0);
	buffer__u8(&out, 0);
	assert_string_equal(out.data, "#probe_a:f=f%return $retval\n"
				      "r8:probe_a/f /usr/lib/a.so:0xfe $retval\n"
				      "#probe:vfs_read\n"
				      "p:probe/vfs_read vfs_read+0\n"
				      "%sdt_a:m=m\np:sdt_a/m /usr/lib/a.so:0x99\n");
	buffer__reset(&out);
	assert_int_equal(probes__merge(&out, "?", 1, NEW, strlen(NEW), NULL), -EBADMSG);
	buffer__free(&out);
}

/* As many as a file can have: each is looked up among as many. */
static void many_are_merged_at_once(void **state)
{
	struct buffer text, out;
	struct error err;

	(void)state;
	buffer__init(&text, PROBES_MAX);
	for (int i = 0; i < 80000; i++)
		assert_int_equal(buffer__printf(&text, "#g:e%d=f\np:g/e%d f+0\n", i, i), 0);
	buffer__init(&out, PROBES_MAX);
	assert_int_equal(probes__merge(&out, (const char *)text.data, text.size,
				 (const char *)text.data, text.size, &err),
		0);
	assert_int_equal(out.size, text.size);
	assert_memory_equal(out.data, text.data, text.size);
	/* Too much for one file is told. */
	assert_int_equal(
		probes__merge(&out, KEPT, strlen(KEPT), (const char *)text.data, text.size, &err),
		-ENOBUFS);
	assert_string_equal(err.text, "too many definitions for one file");
	buffer__free(&out);
	buffer__free(&text);
}

static void a_command_is_made_for_another_path(void **state)
{
	struct seen seen = {0};
	struct buffer out;

	(void)state;
	buffer__init(&out, 0);
	probes__for_each(KEPT, strlen(KEPT), see, &seen, NULL);
	for (int i = 0; i < seen.n; i++)
		assert_int_equal(probe__command_at(&out, &seen.v[i], "/b:c"), 0);
	buffer__u8(&out, 0);
	assert_string_equal(out.data, "p:sdt_a/m /b:c:0x10(0x20) arg1=%di:u64\n"
				      "p:sdt_a/m /b:c:0x18\n"
				      "r8:probe_a/f /b:c:0xfe $retval\n"
				      "p:probe/vfs_read vfs_read+0\n");
	buffer__free(&out);
}

static void assert_wish(const char *text, const char *lines)
{
	struct probe_wish wish;
	struct buffer out;

	buffer__init(&out, 0);
	assert_int_equal(probe_wish__parse(text, "probe_x", &wish, NULL), 0);
	assert_int_equal(probe_wish__append(&out, &wish, "/x:0x5"), 0);
	assert_int_equal(probes__for_each((char *)out.data, out.size, NULL, NULL, NULL), 0);
	buffer__u8(&out, 0);
	assert_string_equal(out.data, lines);
	buffer__free(&out);
}

static void wishes_are_in_the_words_of_perf_probe(void **state)
{
	static const char *const BAD[] = {"", " ", "=f", "a:=f", ":b=f", "a-b=f", "a.b:c=f", "f+",
		"f+x", "f+1x", "f%exit", "+1", "%return", "9f", "f \x1b"};
	char group[PROBE_NAME_MAX], longest[700];
	struct probe_wish wish;
	struct error err;

	(void)state;
	assert_wish("f", "#probe_x:f=f\np:probe_x/f /x:0x5\n");
	assert_wish("f+0x10 a=%di", "#probe_x:f=f+16 a=%di\np:probe_x/f /x:0x5 a=%di\n");
	assert_wish("f%return $retval",
		"#probe_x:f__return=f%return $retval\nr:probe_x/f__return /x:0x5 $retval\n");
	assert_wish("e=_ZN1aC2Ev", "#probe_x:e=_ZN1aC2Ev\np:probe_x/e /x:0x5\n");
	assert_wish("g:e=f%return", "#g:e=f%return\nr:g/e /x:0x5\n");
	for (size_t i = 0; i < sizeof(BAD) / sizeof(*BAD); i++)
		assert_int_equal(probe_wish__parse(BAD[i], "g", &wish, &err), -EINVAL);
	memset(longest, 'f', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	assert_int_equal(probe_wish__parse(longest, "g", &wish, &err), -EINVAL);
	longest[PROBE_NAME_MAX - 1] = '\0';
	assert_int_equal(probe_wish__parse(longest, "g", &wish, &err), 0);
	probe_wish__group("/usr/lib/libc.so.6", group);
	assert_string_equal(group, "probe_libc");
	probe_wish__group("/usr/bin/[", group);
	assert_string_equal(group, "probe_");
	probe_wish__group(longest, group);
	assert_int_equal(strlen(group), PROBE_NAME_MAX - 1);
}

static void assert_args(const char *args, const char *wanted, unsigned int left_out)
{
	struct buffer out;

	buffer__init(&out, 0);
	assert_int_equal(sdt__append_args(&out, args), left_out);
	buffer__u8(&out, 0);
	assert_string_equal(out.data, wanted);
	buffer__free(&out);
}

static void arguments_of_markers(void **state)
{
	(void)state;
	assert_args("", "", 0);
	assert_args("8@%rdi -4@%edx 1@%al 2@%r10w",
		" arg1=%di:u64 arg2=%dx:s32 arg3=%ax:u8 arg4=%r10:u16", 0);
	assert_args("-4@-12(%rbp) 8@(%rax) 4@0x10(%rsp)",
		" arg1=-12(%bp):s32 arg2=+0(%ax):u64 arg3=+16(%sp):u32", 0);
	assert_args("-4@$-7 8@$0", " arg1=\\-7:s32 arg2=\\0:u64", 0);
	/* Their numbers stay those of the marker. */
	assert_args("8@global(%rip) 8@%rsi 8@8(%rax,%rbx,4) 1@%ah 4f@%xmm0 3@%rax @%rax 8@ 8@%r 8",
		" arg2=%si:u64", 9);
}

/* Wherever it ends, it is read no further. */
static void notes_that_are_cut_are_no_markers(void **state)
{
	static const char TEXTS[] = "provider\0name\0-4@%edi";
	uint8_t desc[24 + sizeof(TEXTS)] = {[0] = 0x10, [8] = 0x20, [16] = 0x30};
	struct elf_note note = {.type = 3, .name = "stapsdt", .name_size = 8};
	struct sdt sdt;

	(void)state;
	memcpy(desc + 24, TEXTS, sizeof(TEXTS));
	for (size_t size = 0; size <= sizeof(desc); size++) {
		uint8_t *cut = malloc(size + 1);

		memcpy(cut, desc, size);
		note.desc = cut;
		note.desc_size = size;
		assert_int_equal(sdt__take(&note, true, false, &sdt), size == sizeof(desc));
		if (size == sizeof(desc)) {
			assert_int_equal(sdt.pc, 0x10);
			assert_int_equal(sdt.base, 0x20);
			assert_int_equal(sdt.semaphore, 0x30);
			assert_string_equal(sdt.provider, "provider");
			assert_string_equal(sdt.args, "-4@%edi");
		}
		free(cut);
	}
	note.desc = desc;
	note.desc_size = sizeof(desc);
	assert_true(sdt__take(&note, true, true, &sdt));
	assert_int_equal(sdt.pc, 0x1000000000000000);
	note.name = "stapsdx";
	assert_false(sdt__take(&note, true, false, &sdt));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_command_has_its_parts),
		cmocka_unit_test(what_is_no_definition_is_refused_as_a_whole),
		cmocka_unit_test(the_new_one_takes_the_place_of_the_old),
		cmocka_unit_test(many_are_merged_at_once),
		cmocka_unit_test(a_command_is_made_for_another_path),
		cmocka_unit_test(wishes_are_in_the_words_of_perf_probe),
		cmocka_unit_test(arguments_of_markers),
		cmocka_unit_test(notes_that_are_cut_are_no_markers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

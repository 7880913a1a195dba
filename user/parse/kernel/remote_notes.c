// SPDX-License-Identifier: GPL-2.0-only
/*
 * See remote_notes.h. The other machine is untrusted: its answer is limited, and every byte is
 * checked before it is used.
 */
#include "user/parse/kernel/remote_notes.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define BYTES_MAX (16u << 20) /* bytes of an answer; one with 200 modules has 300 KB */
#define NOTES_MAX (64u << 10) /* bytes of one notes file; the kernel's has a few hundred */
#define GREETING_MAX (64u << 10)

/*
 * POSIX has od, but not base64. A module's build-id is nearly always in a file of its own; the
 * other files are only read if that one is missing.
 */
const char REMOTE_NOTES_SCRIPT[] =
	"echo 'perfstamp-notes 1'\n"
	"echo \"release $(uname -r)\"\n"
	"echo \"machine $(uname -m)\"\n"
	"if ! od -An -v -tx1 /dev/null 2>/dev/null; then echo 'problem od'; exit; fi\n"
	"if ! [ -r /sys/kernel/notes ]; then echo 'problem notes'; exit; fi\n"
	"echo kernel\n"
	"od -An -v -tx1 /sys/kernel/notes\n"
	"for module in /sys/module/*; do\n"
	"	[ -e \"$module/coresize\" ] || continue\n"
	"	echo \"module ${module##*/}\"\n"
	"	if [ -r \"$module/notes/.note.gnu.build-id\" ]; then\n"
	"		echo note\n"
	"		od -An -v -tx1 \"$module/notes/.note.gnu.build-id\" 2>/dev/null\n"
	"		continue\n"
	"	fi\n"
	"	for file in \"$module\"/notes/* \"$module\"/notes/.note*; do\n"
	"		[ -r \"$file\" ] || continue\n"
	"		echo note\n"
	"		od -An -v -tx1 \"$file\" 2>/dev/null\n"
	"	done\n"
	"done\n"
	"echo end\n";

void remote_notes__init(struct remote_notes *notes, struct kernel_ids *ids)
{
	memset(notes, 0, sizeof(*notes));
	notes->ids = ids;
	ids->knows_modules = true;
	buffer__init(&notes->notes, NOTES_MAX);
}

void remote_notes__free(struct remote_notes *notes)
{
	buffer__free(&notes->notes);
}

/* Called at the end of a notes file: stores its build-id, if it has one. */
static void end_file(struct remote_notes *notes)
{
	struct kernel_dso *dso = notes->state == REMOTE_NOTES_KERNEL   ? &notes->ids->kernel
				 : notes->state == REMOTE_NOTES_MODULE ? &notes->module
								       : NULL;

	if (dso && !dso->size && notes->notes.size)
		kernel_dso__take_notes(dso, notes->notes.data, notes->notes.size);
	buffer__reset(&notes->notes);
}

static int end_module(struct remote_notes *notes)
{
	end_file(notes);
	if (notes->state != REMOTE_NOTES_MODULE)
		return 0;
	return kernel_ids__add_module(
		notes->ids, notes->module.name, notes->module.build_id, notes->module.size);
}

static int take_hex(struct remote_notes *notes, const char *line)
{
	static const char DIGITS[] = "0123456789abcdef";

	if (notes->state != REMOTE_NOTES_KERNEL && notes->state != REMOTE_NOTES_MODULE)
		return -EBADMSG;
	for (; *line; line += 3) {
		const char *high, *low;

		/* toybox ends a line like " 04 00 00" with a blank. */
		if (line[0] == ' ' && !line[1])
			break;
		if (line[0] != ' ' || !line[1] || !line[2])
			return -EBADMSG;
		high = strchr(DIGITS, line[1]);
		low = strchr(DIGITS, line[2]);
		if (!high || !low)
			return -EBADMSG;
		buffer__u8(&notes->notes, (high - DIGITS) << 4 | (low - DIGITS));
	}
	return notes->notes.error == -ENOBUFS ? -E2BIG : notes->notes.error;
}

static int take_word(char *dst, size_t size, const char *word)
{
	size_t len = strlen(word);

	if (!len || len >= size)
		return -EBADMSG;
	for (size_t i = 0; i < len; i++)
		if (!isgraph((unsigned char)word[i]))
			return -EBADMSG;
	memcpy(dst, word, len + 1);
	return 0;
}

static int take_problem(const char *problem, struct error *err)
{
	if (!strcmp(problem, "od"))
		return error__set(err, -ENOTSUP, "od(1), which prints the notes, is not installed");
	if (!strcmp(problem, "notes"))
		return error__set(err, -ENOENT,
			"/sys/kernel/notes cannot be read: no permission, a kernel without notes, "
			"or "
			"sysfs is not mounted");
	return -EBADMSG;
}

/* Parses one line of the answer, without its newline, after the greeting. */
static int take_line(struct remote_notes *notes, const char *line, struct error *err)
{
	int code;

	if (notes->state == REMOTE_NOTES_DONE)
		return -EBADMSG;
	if (*line == ' ')
		return take_hex(notes, line);
	if (!strncmp(line, "release ", 8) && notes->state == REMOTE_NOTES_HEAD)
		return take_word(notes->ids->release, sizeof(notes->ids->release), line + 8);
	if (!strncmp(line, "machine ", 8) && notes->state == REMOTE_NOTES_HEAD)
		return take_word(notes->ids->machine, sizeof(notes->ids->machine), line + 8);
	if (!strncmp(line, "problem ", 8) && notes->state == REMOTE_NOTES_HEAD)
		return take_problem(line + 8, err);
	if (!strcmp(line, "kernel") && notes->state == REMOTE_NOTES_HEAD) {
		notes->state = REMOTE_NOTES_KERNEL;
		return 0;
	}
	if (!strcmp(line, "note") && notes->state == REMOTE_NOTES_MODULE) {
		end_file(notes);
		return 0;
	}
	if (notes->state == REMOTE_NOTES_HEAD)
		return -EBADMSG;
	code = end_module(notes);
	if (code)
		return code;
	if (!strcmp(line, "end")) {
		notes->state = REMOTE_NOTES_DONE;
		return 0;
	}
	if (strncmp(line, "module ", 7) != 0)
		return -EBADMSG;
	notes->state = REMOTE_NOTES_MODULE;
	memset(&notes->module, 0, sizeof(notes->module));
	return take_word(notes->module.name, sizeof(notes->module.name), line + 7);
}

static int end_line(struct remote_notes *notes, struct error *err)
{
	int code;

	notes->line[notes->len] = '\0';
	notes->lines++;
	if (notes->len && notes->line[notes->len - 1] == '\r')
		notes->line[--notes->len] = '\0';
	if (notes->state == REMOTE_NOTES_GREETING) {
		if (!strcmp(notes->line, "perfstamp-notes 1"))
			notes->state = REMOTE_NOTES_HEAD;
		notes->len = 0;
		return 0;
	}
	/* The text may contain a NUL, or a line that a NUL cuts off. */
	err->text[0] = '\0';
	code = strlen(notes->line) == notes->len ? take_line(notes, notes->line, err) : -EBADMSG;
	notes->len = 0;
	if (!code || err->text[0])
		return code;
	if (code == -ENOMEM)
		return error__set(err, code, "out of memory");
	if (code == -E2BIG)
		return error__set(err, code, "the answer has more notes than any kernel");
	return error__set(err, code, "line %zu of the answer is invalid: \"%.60s\"", notes->lines,
		notes->line);
}

int remote_notes__feed(
	struct remote_notes *notes, const char *bytes, size_t size, struct error *err)
{
	notes->bytes += size;
	if (notes->bytes > BYTES_MAX)
		return error__set(err, -E2BIG, "the answer has more notes than any kernel");
	for (size_t i = 0; i < size; i++) {
		int code;

		if (bytes[i] == '\n') {
			code = end_line(notes, err);
			if (code)
				return code;
		} else if (notes->len < sizeof(notes->line) - 1) {
			notes->line[notes->len++] = bytes[i];
		} else if (notes->state != REMOTE_NOTES_GREETING) {
			return error__set(err, -EBADMSG, "line %zu of the answer is too long",
				notes->lines + 1);
		}
	}
	if (notes->state == REMOTE_NOTES_GREETING && notes->bytes > GREETING_MAX)
		return error__set(err, -EBADMSG, "the answer has no kernel notes");
	return 0;
}

int remote_notes__finish(struct remote_notes *notes, struct error *err)
{
	if (notes->state == REMOTE_NOTES_GREETING)
		return error__set(err, -EBADMSG,
			notes->bytes ? "the answer has no kernel notes" : "there was no answer");
	if (notes->state != REMOTE_NOTES_DONE)
		return error__set(
			err, -EBADMSG, "the answer was cut off in line %zu", notes->lines + 1);
	kernel_ids__sort(notes->ids);
	return 0;
}

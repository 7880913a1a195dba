// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer on unwinding as its child process does it, with elfutils' libdwfl: the input has
 * registers, a stack and an ELF file with its unwind tables. The child's loop runs in this
 * process, on one end of a socket. Any bytes give one answer for each sample.
 */
#include <gelf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "user/base/cursor.h"
#include "user/io/whole.h"
#include "user/symbols/unwind/read.h"

#define STACK_MAX 512
#define MAPPED_AT 0x400000
#define STACK_AT 0x7ffc0000
#define MAPPED_SIZE (1u << 20)

/* One set of mappings, and two samples of it. */
static void ask(int to, struct cursor *in, const struct unwind_mapping *mapping)
{
	struct unwind_request request = {.what = UNWIND_SET, .size = 1};
	uint8_t flags = cursor__u8(in);
	uint8_t stack[STACK_MAX] = {0};
	size_t n;

	expect(!whole__write(to, &request, sizeof(request)));
	expect(!whole__write(to, mapping, sizeof(*mapping)));
	request.what = UNWIND_SAMPLE;
	request.swap = flags & 1;
	request.regs.machine = flags & 2 ? EM_AARCH64 : EM_X86_64;
	request.regs.n = flags & 2 ? 32 : 17;
	for (size_t i = 0; i < request.regs.n; i++)
		request.regs.v[i] = STACK_AT + 8 * (int8_t)cursor__u8(in);
	request.regs.pc = MAPPED_AT + cursor__u16(in);
	request.regs.sp = STACK_AT;
	request.regs.v[flags & 2 ? 31 : 7] = STACK_AT;
	if (!(flags & 2))
		request.regs.v[16] = request.regs.pc;
	n = cursor__u8(in);
	if (n > cursor__remaining(in))
		n = cursor__remaining(in);
	request.size = STACK_MAX;
	/* Of each two bytes an address in the code, as return addresses are. */
	for (size_t i = 0; i + 1 < n && 4 * i < STACK_MAX; i += 2) {
		uint64_t word = MAPPED_AT + cursor__u16(in);

		if (flags & 4 && i % 4)
			word += STACK_AT - MAPPED_AT;
		memcpy(stack + 4 * i, &word, sizeof(word));
	}
	for (int i = 0; i < 2; i++) {
		expect(!whole__write(to, &request, sizeof(request)));
		expect(!whole__write(to, stack, sizeof(stack)));
	}
}

static void check_answers(int from)
{
	uint64_t frames[UNWIND_FRAMES_MAX];
	struct unwind_answer answer;
	unsigned int n = 0;
	char message;

	while (recv(from, &message, 1, MSG_DONTWAIT) == 1) {
		expect(message == UNWIND_ANSWER);
		expect(recv(from, &answer, sizeof(answer), MSG_WAITALL) == sizeof(answer));
		expect(answer.n >= 1 && answer.n <= UNWIND_FRAMES_MAX);
		expect(recv(from, frames, answer.n * sizeof(*frames), MSG_WAITALL) ==
			(ssize_t)(answer.n * sizeof(*frames)));
		n++;
	}
	expect(n == 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const struct symbols_options options = {.force = true};
	const struct perfstamp_identity identity = {0};
	char path[64];
	const struct symbols_dso dso = {
		.path = path, .identity = &identity, .text = MODEL_TEXT_USER};
	struct unwind_job job = {.options = &options, .dsos = &dso, .n = 1};
	struct unwind_mapping mapping = {.addr = MAPPED_AT, .len = MAPPED_SIZE};
	int fd = memfd_create("elf", MFD_CLOEXEC), ends[2];
	struct cursor in;

	expect(fd >= 0 && !socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	cursor__init(&in, bytes, size, false);
	ask(ends[0], &in, &mapping);
	size = in.failed ? 0 : cursor__remaining(&in);
	if (size)
		expect(!whole__write(fd, cursor__bytes(&in, size), size));
	shutdown(ends[0], SHUT_WR);
	unwind_read(&job, ends[1]);
	check_answers(ends[0]);
	close(ends[0]);
	close(fd);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Runs code that it has made, for some milliseconds, and writes nothing about it. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* mov %edi,%eax; 1: dec %eax; jnz 1b; ret */
static const uint8_t LOOP[] = {0x89, 0xf8, 0xff, 0xc8, 0x75, 0xfc, 0xc3};

typedef void loop_fn(uint32_t n);

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ull + ts.tv_nsec / 1000000;
}

int main(int argc, char **argv)
{
	uint64_t end_ms = now_ms() + (argc > 1 ? strtoull(argv[1], NULL, 0) : 1000);
	void *code = mmap(
		NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (code == MAP_FAILED)
		return 1;
	memcpy(code, LOOP, sizeof(LOOP));
	while (now_ms() < end_ms)
		((loop_fn *)(uintptr_t)code)(20000);
	return 0;
}

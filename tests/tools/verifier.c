// SPDX-License-Identifier: GPL-2.0-only
/*
 * For LD_PRELOAD before a program that loads BPF programs by libbpf: asks the verifier for its log
 * and statistics, and appends a line for each program that was loaded to $VERIFIER_OUT: its name,
 * its instructions, those that the verifier processed, all states, the most at once, the log's
 * bytes.
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOG_SIZE ((1u << 24) - 1) /* what Linux 5.10 takes at most */
#define LEVEL 1
#define STATISTICS 4

typedef long syscall_fn(long number, ...);

static unsigned long number_after(const char *log, const char *word)
{
	const char *at = strstr(log, word);

	return at ? strtoul(at + strlen(word), NULL, 10) : 0;
}

static void note(const union bpf_attr *attr, const char *log)
{
	const char *path = getenv("VERIFIER_OUT");
	FILE *out = path ? fopen(path, "a") : NULL;
	/* The line is the last one; newer kernels have others, by function, with the same words. */
	const char *last = strstr(log, " insns (limit ");

	if (!out)
		return;
	while (last && last > log && last[-1] != '\n')
		last--;
	fprintf(out, "%.15s %u %lu %lu %lu %zu\n", attr->prog_name, attr->insn_cnt,
		last ? number_after(last, "processed ") : 0,
		last ? number_after(last, "total_states ") : 0,
		last ? number_after(last, "peak_states ") : 0, strlen(log));
	fclose(out);
}

/* libbpf calls bpf(2) by this function. */
long syscall(long number, ...)
{
	syscall_fn *real = (syscall_fn *)dlsym(RTLD_NEXT, "syscall");
	long arguments[6], result;
	union bpf_attr attr = {0};
	va_list list;
	char *log;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		arguments[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_bpf && arguments[0] == BPF_PROG_LOAD &&
		(size_t)arguments[2] <= sizeof(attr)) {
		memcpy(&attr, (const void *)arguments[1], arguments[2]);
		log = attr.log_level ? NULL : calloc(1, LOG_SIZE);
		attr.log_level = LEVEL | STATISTICS;
		attr.log_buf = (unsigned long)log;
		attr.log_size = LOG_SIZE;
		result = log ? real(number, arguments[0], &attr, arguments[2]) : -1;
		if (result >= 0)
			note(&attr, log);
		free(log);
		if (result >= 0)
			return result;
	}
	return real(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
		arguments[5]);
}

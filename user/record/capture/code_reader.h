/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The process that reads what others write about the code that they make at run time: perf
 * map files (/tmp/perf-PID.map) and jitdumps (jit-PID.dump). It reads these files
 * repeatedly, and sends appended bytes with the time at which they were read. It does not
 * parse them. A file may be on a server that does not answer, so the recorder does not read
 * files itself (code_capture.h).
 */
#ifndef PERFSTAMP_RECORD_CODE_READER_H
#define PERFSTAMP_RECORD_CODE_READER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "perfstamp/record.h"

enum code_request_type {
	CODE_FOLLOW, /* follow .pid, which may write a map file, or has mapped a dump: .kind */
	CODE_LAST,   /* read all files once more, then answer CODE_ENDED */
};

struct code_request {
	uint32_t type;
	uint32_t kind; /* enum perfstamp_code_kind */
	pid_t pid;
	uint32_t reserved;
	uint64_t addr; /* for a dump: its mapping */
	uint64_t len;
};

enum code_answer_type {
	CODE_BYTES,
	CODE_GONE,    /* the process has ended, and its whole file was sent */
	CODE_REFUSED, /* there are too many processes */
	CODE_ENDED,
};

/* What was not sent, and why. */
struct code_missed {
	uint64_t bytes;   /* bytes beyond the limits */
	uint32_t foreign; /* files of another owner, and files that are not regular */
	uint32_t unreadable;
};

struct code_answer {
	uint32_t type;
	uint32_t kind;
	pid_t pid;
	uint32_t flags; /* PERFSTAMP_CODE_* */
	uint32_t stream;
	uint32_t size;
	uint64_t offset;
	/* CLOCK_MONOTONIC, time of the look before; 0: there was none */
	uint64_t since_ns;
	uint64_t seen_ns;                        /* CLOCK_MONOTONIC, time of this look */
	struct code_missed missed;               /* since the previous answer */
	uint8_t bytes[PERFSTAMP_CODE_BYTES_MAX]; /* only .size bytes are sent */
};

#define CODE_ANSWER_SIZE(size) (offsetof(struct code_answer, bytes) + (size))
/* A message is one or more answers, each beginning at a multiple of 8 bytes. Its maximum size: */
#define CODE_ANSWER_ROOM(size) ((CODE_ANSWER_SIZE(size) + 7) & ~(size_t)7)
#define CODE_MESSAGE_MAX CODE_ANSWER_ROOM(PERFSTAMP_CODE_BYTES_MAX)

/* As helper_options.run: serves the socket @fd until it is closed. @ctx is not used. */
void code_reader__run(void *ctx, int fd) __attribute__((noreturn));

#endif

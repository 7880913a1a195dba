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

#define CODE_TAIL 64

/* How far a file was read: another reader continues there, if the file is the same. */
struct code_position {
	uint32_t stream; /* 0: it was not read */
	uint32_t tail_size;
	uint64_t offset;
	uint64_t looked_ns;      /* CLOCK_MONOTONIC: a time when it had no more bytes; 0: never */
	uint8_t tail[CODE_TAIL]; /* the last bytes before .offset, which show a rewritten file */
};

struct code_request {
	uint32_t type;
	uint32_t kind; /* enum perfstamp_code_kind */
	pid_t pid;
	/* For a dump: its device, for the recorder; and its mapping. */
	uint32_t dev_major, dev_minor;
	uint32_t reserved;
	uint64_t addr;
	uint64_t len;
	struct code_position position;
};

/*
 * Memory that the recorder shares with its reader, and with the next one if that does not answer.
 */
struct code_progress {
	uint64_t turn; /* atomic: odd while a file is used; changes with each step */
	pid_t pid;     /* whose file it is, and of which kind */
	uint32_t kind;
	uint32_t streams; /* streams so far */
	uint64_t room;    /* bytes that may still be sent */
	uint64_t room_ns;
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

/* Moves the position behind @size more bytes of its stream. */
void code_position__advance(struct code_position *position, const uint8_t *bytes, size_t size);

/* As helper_options.run: serves the socket @fd until it is closed. @ctx: struct code_progress. */
void code_reader__run(void *ctx, int fd) __attribute__((noreturn));

#endif

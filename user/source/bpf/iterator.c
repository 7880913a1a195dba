// SPDX-License-Identifier: GPL-2.0-only
/* See iterator.h. */
#include "user/source/bpf/iterator.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SEQ_BUFFER (256u << 10)

/* Reads an iterator to its end, and passes on whole records. */
static int read_iterator(int fd, bpf_record_fn fn, void *ctx)
{
	size_t have = 0, at;
	int code = 0;
	char *buf;
	ssize_t n;

	buf = malloc(SEQ_BUFFER);
	if (!buf)
		return -ENOMEM;
	for (;;) {
		n = read(fd, buf + have, SEQ_BUFFER - have);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n < 0)
			code = -errno;
		if (n <= 0)
			break;
		have += n;
		for (at = 0; have - at >= sizeof(struct perfstamp_record);) {
			/* Records are multiples of 8 bytes, so this is aligned. */
			const struct perfstamp_record *record = (void *)(buf + at);

			if (record->size < sizeof(*record) || record->size > SEQ_BUFFER / 2) {
				code = -EBADMSG;
				goto cleanup;
			}
			if (record->size > have - at)
				break;
			code = fn(record, ctx);
			if (code)
				goto cleanup;
			at += record->size;
		}
		memmove(buf, buf + at, have - at);
		have -= at;
	}
cleanup:
	free(buf);
	return code;
}

int bpf_iterator__open(const struct bpf_program *program)
{
	struct bpf_link *link = bpf_program__attach_iter(program, NULL);
	int fd;

	if (!link)
		return -errno;
	fd = bpf_iter_create(bpf_link__fd(link));
	if (fd < 0)
		fd = -errno;
	/* The open descriptor keeps the program. */
	bpf_link__destroy(link);
	return fd;
}

int bpf_iterator__run(struct bpf_program *program, pid_t pid, bpf_record_fn fn, void *ctx)
{
	LIBBPF_OPTS(bpf_iter_attach_opts, opts);
	union bpf_iter_link_info info = {.task.pid = pid};
	struct bpf_link *link = NULL;
	int fd, code;

	if (pid) {
		/* From 6.1 on (commit f0d74c4da1f0) the kernel walks just this process. */
		opts.link_info = &info;
		opts.link_info_len = sizeof(info);
		link = bpf_program__attach_iter(program, &opts);
	}
	if (!link)
		link = bpf_program__attach_iter(program, NULL);
	if (!link)
		return -errno;
	fd = bpf_iter_create(bpf_link__fd(link));
	if (fd < 0) {
		code = -errno;
	} else {
		code = read_iterator(fd, fn, ctx);
		close(fd);
	}
	bpf_link__destroy(link);
	return code;
}

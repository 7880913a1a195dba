// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer on clean copies: of any bytes there is one, or -EBADMSG, and one
 * reads to its end, is finished, and is copied again as it is.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "user/perfdata/read/reader.h"
#include "user/perfdata/repair/repair.h"

static void check_copy(int copy)
{
	struct perfdata_reader *reader;
	struct event event;
	int ret;

	expect(!perfdata_reader__open_fd(&reader, copy, "copy", NULL));
	while ((ret = perfdata_reader__next(reader, &event, NULL)) == 1)
		;
	expect(!ret);
	expect(!perfdata_reader__is_unfinished(reader));
	perfdata_reader__free(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	int in = memfd_create("in", MFD_CLOEXEC), copy = memfd_create("copy", MFD_CLOEXEC),
	    again = memfd_create("again", MFD_CLOEXEC);
	const struct repair_input input = {.fd = in, .name = "in"},
				  first = {.fd = copy, .name = "copy"};
	struct repair told, told_again;
	int ret;

	expect(in >= 0 && copy >= 0 && again >= 0);
	expect(write(in, bytes, size) == (ssize_t)size);
	ret = repair__copy(&told, &input, 1, copy, "copy", NULL);
	expect(!ret || ret == -EBADMSG);
	if (!ret) {
		check_copy(copy);
		expect(!repair__copy(&told_again, &first, 1, again, "again", NULL));
		expect(told_again.kept == told.kept && !told_again.dropped);
	}
	close(in);
	close(copy);
	close(again);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer on the import of bundles: the input is an archive, or, if its first byte is odd,
 * what an archive with a right list is made of. Any bytes give files in the store, or an
 * error, and nothing beside the store.
 *
 * An input of the second kind: for each file a byte of flags, a byte with the length of its
 * name, two with that of its content, name and content.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <nettle/sha2.h>

#include "tests/fuzz/fuzz.h"
#include "user/base/buffer.h"
#include "user/base/cursor.h"
#include "user/base/text.h"
#include "user/io/whole.h"
#include "user/store/bundle/bundle.h"
#include "user/store/files/inside.h"

#define FILES_MAX 8
#define BLOCK 512

/* Of a file: its type as tar has it, and whether it is not in the list, or with another digest. */
#define TYPE 7
#define UNLISTED 8
#define OTHER_DIGEST 16

struct file {
	uint8_t flags, name_len;
	uint16_t size;
	const char *name;
	const uint8_t *content;
};

static volatile size_t touched;
static char top[256], store[264];
static int top_fd = -1;

static void put_file(struct buffer *out, const char *name, size_t name_len, char type,
	const char *target, const void *content, size_t size)
{
	char header[BLOCK] = {0};
	unsigned int sum = 0;

	snprintf(header, 101, "%.*s", (int)name_len, name);
	snprintf(header + 100, 8, "%07o", 0644);
	snprintf(header + 108, 8, "%07o", 0);
	snprintf(header + 116, 8, "%07o", 0);
	snprintf(header + 124, 12, "%011zo", size);
	snprintf(header + 136, 12, "%011o", 0);
	header[156] = type;
	snprintf(header + 157, 100, "%s", target);
	memcpy(header + 257, "ustar\00000", 8);
	memset(header + 148, ' ', 8);
	for (size_t i = 0; i < sizeof(header); i++)
		sum += (uint8_t)header[i];
	snprintf(header + 148, 8, "%06o", sum);
	buffer__append(out, header, sizeof(header));
	buffer__append(out, content, size);
	while (out->size % BLOCK)
		buffer__u8(out, 0);
}

static void list_file(struct buffer *list, const struct file *file)
{
	uint8_t digest[SHA256_DIGEST_SIZE];
	char hex[2 * SHA256_DIGEST_SIZE + 1];
	struct sha256_ctx sha;

	sha256_init(&sha);
	sha256_update(&sha, file->size, file->content);
	sha256_digest(&sha, sizeof(digest), digest);
	digest[0] ^= file->flags & OTHER_DIGEST;
	text__hex(hex, sizeof(hex), digest, sizeof(digest));
	buffer__printf(list, "%s  %.*s\n", hex, (int)file->name_len, file->name);
}

static size_t read_files(struct cursor *in, struct file *ret)
{
	size_t n = 0;

	while (n < FILES_MAX && cursor__remaining(in)) {
		struct file *file = &ret[n];

		file->flags = cursor__u8(in);
		file->name_len = cursor__u8(in);
		file->size = cursor__u16(in);
		file->name = cursor__bytes(in, file->name_len);
		file->content = cursor__bytes(in, file->size);
		if (in->failed)
			break;
		n++;
	}
	return n;
}

static void make_archive(struct buffer *out, const uint8_t *bytes, size_t size)
{
	static const char TYPES[] = "00125300";
	struct file files[FILES_MAX];
	struct buffer list;
	struct cursor in;
	size_t n;

	cursor__init(&in, bytes, size, false);
	n = read_files(&in, files);
	buffer__init(&list, 0);
	for (size_t i = 0; i < n; i++)
		if (!(files[i].flags & UNLISTED))
			list_file(&list, &files[i]);
	put_file(out, BUNDLE_LIST, strlen(BUNDLE_LIST), '0', "", list.data, list.size);
	for (size_t i = 0; i < n; i++) {
		char type = TYPES[files[i].flags & TYPE], target[100] = "";

		if (type == '1' || type == '2')
			snprintf(target, sizeof(target), "%.*s", (int)files[i].size,
				(const char *)files[i].content);
		put_file(out, files[i].name, files[i].name_len, type, target, files[i].content,
			type == '0' ? files[i].size : 0);
	}
	for (int i = 0; i < 2 * BLOCK; i++)
		buffer__u8(out, 0);
	buffer__free(&list);
}

static void note(void *ctx, const char *text)
{
	(void)ctx;
	for (; *text; text++)
		expect((uint8_t)*text >= ' ' && *text != 0x7f);
}

static int take_name(void *ctx, int dir, const char *name)
{
	(void)dir;
	expect(!strcmp(name, "store"));
	(*(size_t *)ctx)++;
	return 0;
}

static void remove_top(void)
{
	inside__remove(top_fd, "store");
	rmdir(top);
}

static void make_top(void)
{
	const char *tmp = getenv("TMPDIR");

	expect(snprintf(top, sizeof(top), "%s/fuzz-bundle.XXXXXX", tmp ? tmp : "/tmp") <
		(int)sizeof(top));
	expect(mkdtemp(top) != NULL);
	snprintf(store, sizeof(store), "%s/store", top);
	top_fd = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	expect(top_fd >= 0);
	atexit(remove_top);
}

static void import(int fd, size_t size)
{
	struct bundle_counts counts = {0};
	struct error err = {0};
	struct cache *cache;
	size_t names = 0;
	int ret;

	expect(!cache__open(&cache, store, true, &err));
	ret = bundle__import(cache, fd, 0, size, "fuzz", note, NULL, &counts, &err);
	expect(ret <= 0);
	expect(counts.had <= counts.files);
	cache__free(cache);
	expect(!inside__for_each(top_fd, take_name, &names));
	touched += names + counts.refused;
	inside__remove(top_fd, "store");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct buffer archive;
	int fd;

	if (!size)
		return 0;
	if (top_fd < 0)
		make_top();
	fd = memfd_create("bundle", MFD_CLOEXEC);
	expect(fd >= 0);
	buffer__init(&archive, 0);
	if (bytes[0] & 1)
		make_archive(&archive, bytes + 1, size - 1);
	else
		buffer__append(&archive, bytes + 1, size - 1);
	expect(!archive.error && !whole__write(fd, archive.data, archive.size));
	import(fd, archive.size);
	buffer__free(&archive);
	close(fd);
	return 0;
}

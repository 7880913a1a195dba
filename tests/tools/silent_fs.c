// SPDX-License-Identifier: GPL-2.0-only
/*
 * A file system with one file, whose server stops answering when it is told to:
 * what a dead NFS server is to who reads from it. Speaks FUSE's own protocol
 * (linux/fuse.h), so that it needs no library.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_ID 2
#define REQUEST_MAX (1u << 17)
#define HELD_MAX 256

static const char USAGE[] =
	"Usage: silent_fs DIR FILE\n"
	"Mounts a file system at DIR, in which \"file\" has the content of FILE, and prints\n"
	"\"ready\". After SIGUSR1 it prints \"silent\" and answers nothing, after SIGUSR2 all that "
	"was\n"
	"asked meanwhile and again at once. SIGTERM unmounts it.\n";

static volatile sig_atomic_t silent, over;
static int device, content;
static struct stat file;
static struct {
	struct fuse_in_header header;
	struct fuse_read_in read;
} held[HELD_MAX];
static size_t n_held;

static void on_signal(int number)
{
	if (number == SIGTERM)
		over = 1;
	else
		silent = number == SIGUSR1;
}

static void reply(const struct fuse_in_header *to, int error, const void *body, size_t size)
{
	struct fuse_out_header header = {
		.len = sizeof(header) + size, .error = error, .unique = to->unique};
	char *message = malloc(header.len);

	memcpy(message, &header, sizeof(header));
	if (size)
		memcpy(message + sizeof(header), body, size);
	/* What was given up meanwhile is not there to be answered. */
	if (write(device, message, header.len) < 0 && errno != ENOENT)
		perror("silent_fs: answer");
	free(message);
}

static struct fuse_attr attr_of(uint64_t id)
{
	bool root = id == FUSE_ROOT_ID;

	return (struct fuse_attr){.ino = id,
		.size = root ? 0 : file.st_size,
		.blocks = root ? 0 : (file.st_size + 511) / 512,
		.mode = root ? S_IFDIR | 0755 : S_IFREG | 0755,
		.nlink = 1,
		.blksize = 4096};
}

static void reply_init(const struct fuse_in_header *to)
{
	const struct fuse_init_out init = {.major = FUSE_KERNEL_VERSION,
		.minor = FUSE_KERNEL_MINOR_VERSION,
		.max_readahead = 0,
		.max_background = 16,
		.congestion_threshold = 12,
		.max_write = 4096,
		.time_gran = 1};

	reply(to, 0, &init, sizeof(init));
}

static void reply_lookup(const struct fuse_in_header *to, const char *name)
{
	struct fuse_entry_out entry = {
		.nodeid = FILE_ID, .entry_valid = 3600, .attr = attr_of(FILE_ID)};

	if (strcmp(name, "file"))
		reply(to, -ENOENT, NULL, 0);
	else
		reply(to, 0, &entry, sizeof(entry));
}

static void reply_read(const struct fuse_in_header *to, const struct fuse_read_in *in)
{
	static char bytes[REQUEST_MAX];
	ssize_t n = pread(
		content, bytes, in->size < sizeof(bytes) ? in->size : sizeof(bytes), in->offset);

	reply(to, n < 0 ? -errno : 0, bytes, n < 0 ? 0 : n);
}

static void answer(const struct fuse_in_header *header, const void *body)
{
	const struct fuse_attr_out attr = {.attr = attr_of(header->nodeid)};
	const struct fuse_open_out opened = {0};

	switch (header->opcode) {
	case FUSE_INIT:
		reply_init(header);
		break;
	case FUSE_LOOKUP:
		reply_lookup(header, body);
		break;
	case FUSE_GETATTR:
		reply(header, 0, &attr, sizeof(attr));
		break;
	case FUSE_OPEN:
		reply(header, 0, &opened, sizeof(opened));
		break;
	case FUSE_READ:
		reply_read(header, body);
		break;
	case FUSE_FLUSH:
	case FUSE_RELEASE:
		reply(header, 0, NULL, 0);
		break;
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		break; /* these want no answer */
	default:
		reply(header, -ENOSYS, NULL, 0);
	}
}

static void hold(const struct fuse_in_header *header, const void *body)
{
	if (header->opcode == FUSE_FORGET || header->opcode == FUSE_BATCH_FORGET ||
		header->opcode == FUSE_INTERRUPT || n_held == HELD_MAX)
		return;
	held[n_held].header = *header;
	if (header->len >= sizeof(*header) + sizeof(held->read))
		memcpy(&held[n_held].read, body, sizeof(held->read));
	n_held++;
}

static void serve(void)
{
	static char request[REQUEST_MAX] __attribute__((aligned(8)));
	const struct fuse_in_header *header = (const void *)request;
	struct pollfd wait = {.fd = device, .events = POLLIN};
	bool told = false;
	sigset_t none;

	sigemptyset(&none);
	while (!over) {
		/* A request that came with the signal was answered before. */
		if (silent && !told) {
			puts("silent");
			fflush(stdout);
		}
		told = silent;
		for (size_t i = 0; !silent && i < n_held; i++)
			answer(&held[i].header, &held[i].read);
		if (!silent)
			n_held = 0;
		if (ppoll(&wait, 1, NULL, &none) <= 0)
			continue;
		if (read(device, request, sizeof(request)) < (ssize_t)sizeof(*header))
			continue;
		if (silent)
			hold(header, header + 1);
		else
			answer(header, header + 1);
	}
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = on_signal};
	char options[64];
	sigset_t set;

	if (argc != 3) {
		fputs(USAGE, stderr);
		return 2;
	}
	/* They come while it waits for requests only. */
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	/* Of two that wait SIGUSR1 comes first: SIGUSR2 is not to be handled before it is over. */
	action.sa_mask = set;
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR2, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	content = open(argv[2], O_RDONLY | O_CLOEXEC);
	device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	if (content < 0 || fstat(content, &file) || device < 0) {
		perror("silent_fs");
		return 1;
	}
	snprintf(options, sizeof(options), "fd=%d,rootmode=40755,user_id=0,group_id=0,allow_other",
		device);
	if (mount("silent_fs", argv[1], "fuse", MS_NOSUID | MS_NODEV, options)) {
		perror("silent_fs: mount");
		return 1;
	}
	puts("ready");
	fflush(stdout);
	serve();
	/* Whoever still waits gets an error. */
	close(device);
	return umount2(argv[1], MNT_DETACH) ? 1 : 0;
}

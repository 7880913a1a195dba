// SPDX-License-Identifier: GPL-2.0-only
/* See dso_copier.h. Runs only in that process, and does not know the recording. */
#include "user/record/capture/dso_copier.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/ioprio.h>
#include <linux/openat2.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "user/event/witness.h"
#include "user/helper/capability.h"
#include "user/helper/fair.h"
#include "user/helper/helper.h"
#include "user/source/machine/clock.h"
#include "user/source/content/completion.h"
#include "user/source/content/running.h"
#include "user/store/cache/add_captured.h"

#define COPIES 2       /* at the same time, because one may wait for its disk */
#define COPIES_MAX 4   /* the same at the end of the recording */
#define CPU_SECONDS 60 /* limit of CPU time for one file */
#define MEMORY (1ull << 30)
#define SILENCE_NS 60000000000ull /* time in which a copy must make progress */
#define LOOK_NS 15000000000ull
#define COPY_NS 600000000000ull /* time in which a file must be copied */
#define SILENT_DEVICES 16
#define LOWEST 19 /* the lowest priority (nice) */
#define AGAIN_S 3600
#define RIPE_NS 20000000 /* longer than a tick */

struct file {
	struct dso_request request;
	int fd;
	bool by_path;
	bool young;       /* written to just before it was mapped, so a later write may not show */
	uint64_t ripe_ns; /* monotonic: earliest time to copy it */
	uint64_t turn;    /* its turn to be copied */
	dev_t dev;
};

struct copy {
	struct helper helper; /* .pid is 0 if there is none */
	uint64_t since_ns;    /* monotonic */
	uint64_t looked_ns;   /* monotonic */
	uint64_t worked_ns;   /* when progress was last observed */
	uint64_t cpu_ns;      /* CPU time used by then */
	struct file *file;
};

/* What a child reports at its end. */
struct said {
	uint64_t taken;
	uint64_t bytes;
	uint32_t gone;
	uint32_t outcome;
};

struct copier {
	const struct dso_copier_options *options;
	int fd;
	struct file *files[DSO_OPEN_MAX + COPIES_MAX]; /* including those whose copy is restarted */
	size_t n_files;
	struct fair_turns turns;
	struct copy copies[COPIES_MAX];
	uint64_t taken;   /* bytes of all captured files; UINT64_MAX: not known */
	uint64_t next_ns; /* monotonic: earliest time of the next copy, because of the rate */
	uint64_t aged_ns; /* monotonic: time of the last search for old files */
	bool ending;      /* the recorder waits for the end, and sends no more requests */
	dev_t silent[SILENT_DEVICES];
	size_t n_silent;
};

uint64_t dso_copier__again_ns(const struct dso_copier_options *options)
{
	uint64_t part_s = options->age_s / 4;

	if (!options->age_s || part_s > AGAIN_S)
		part_s = AGAIN_S;
	return (part_s ? part_s : 1) * 1000000000ull;
}

static void answer(struct copier *copier, uint64_t token, uint32_t outcome, const struct said *said)
{
	const struct dso_answer answer = {
		.token = token,
		.outcome = outcome,
		.bytes = said ? said->bytes : 0,
		.gone = said ? said->gone : 0,
	};

	if (send(copier->fd, &answer, sizeof(answer), MSG_NOSIGNAL) != sizeof(answer))
		_exit(0);
}

/* ---- In the process that copies one file ---- */

static enum dso_outcome outcome_of(int code, const struct file *file)
{
	switch (code) {
	case -ESTALE:
		return file->by_path ? DSO_GONE : DSO_CHANGED;
	case -EFBIG:
		return DSO_TOO_LARGE;
	case -EACCES:
	case -EPERM:
	case -EROFS:
	case -ENOSPC:
	case -EDQUOT:
	case -ENOTDIR:
	case -ELOOP:
	case -ENOENT:
		return DSO_UNSTORED;
	default:
		return DSO_UNREADABLE;
	}
}

static int64_t oldest(const struct dso_copier_options *options)
{
	int64_t now_s = clock__now(CLOCK_REALTIME) / 1000000000ull;

	if (!options->age_s || options->age_s > (uint64_t)now_s)
		return INT64_MIN;
	now_s -= options->age_s;
	return now_s < options->begun_s ? now_s : options->begun_s;
}

static void copy(const struct copier *copier, const struct file *file, struct said *ret)
{
	const struct dso_copier_options *options = copier->options;
	struct captured captured = {
		.wanted = &file->request.identity,
		.name = file->request.path,
		.mapped_ns = file->request.mapped_ns,
		.symbols = options->symbols,
		.owner = file->request.owner,
		.room = options->room,
		.oldest_s = oldest(options),
		.taken = copier->taken,
	};
	struct cache *cache;
	struct error err;
	int code;

	code = cache__open(&cache, options->store, true, &err);
	if (code) {
		ret->outcome = DSO_UNSTORED;
		return;
	}
	code = add__captured(cache, file->fd, &captured, &err);
	ret->outcome = code ? outcome_of(code, file) : captured.had ? DSO_HAD : DSO_CAPTURED;
	ret->bytes = code ? 0 : captured.bytes;
	ret->gone = captured.n_gone;
	/* After a failure, the bytes in the store have to be counted again. */
	ret->taken = code ? UINT64_MAX : captured.taken;
	cache__free(cache);
}

struct job {
	const struct copier *copier;
	const struct file *file;
};

/* The file is open already, and the child parses it. */
static void copy_and_report(void *ctx, int fd)
{
	const struct job *job = ctx;
	struct said said = {.outcome = DSO_UNREADABLE, .taken = UINT64_MAX};

	copy(job->copier, job->file, &said);
	send(fd, &said, sizeof(said), MSG_NOSIGNAL);
}

/* ---- In the process that opens files ---- */

/* Opens only regular files, without blocking, because opening a device may have effects. */
static int open_inside(int root, const char *path, uint64_t resolve)
{
	struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = resolve};
	int fd = syscall(SYS_openat2, root, path, &how, sizeof(how)), opened = -ENOENT;
	char link[32];
	struct stat st;

	if (fd < 0)
		return -errno;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode)) {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		opened = open(link, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		opened = opened < 0 ? -errno : opened;
	}
	close(fd);
	return opened;
}

/*
 * Opens the file now at its path, in the process's or our namespace. Its identity is
 * verified later.
 */
static int open_path(const struct dso_request *request)
{
	char name[32];
	int root, fd = -ENOENT;

	if (request->path[0] != '/')
		return -ENOENT;
	snprintf(name, sizeof(name), "/proc/%d/root", request->pid);
	root = open(name, O_PATH | O_CLOEXEC);
	if (root >= 0) {
		fd = open_inside(root, request->path, RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS);
		close(root);
	}
	return fd >= 0 ? fd : open_inside(AT_FDCWD, request->path, RESOLVE_NO_MAGICLINKS);
}

static bool is_silent(const struct copier *copier, dev_t dev)
{
	for (size_t i = 0; i < copier->n_silent; i++)
		if (copier->silent[i] == dev)
			return true;
	return false;
}

/* Whether the file is certainly unchanged since it was mapped, despite its recent times. */
static bool is_unwritten(const struct file *file)
{
	struct stat st;

	if (file->request.witness.flags & PERFSTAMP_WITNESS_TAKEN && !fstat(file->fd, &st) &&
		completion__judge_times(&st, &file->request.witness) == WITNESSED_UNWRITTEN)
		return true;
	return running__proves_unwritten(file->request.pid, file->fd);
}

/*
 * Handles a file that was deployed just before it was mapped. If it is proven to be unchanged, the
 * copy waits until the mtime would show a later write, and then the file is checked again.
 */
static void let_ripen(struct file *file, const struct stat *st)
{
	int64_t written_ns = st->st_mtim.tv_sec * 1000000000ll + st->st_mtim.tv_nsec;
	int64_t last_ns = witness__last_write(st->st_mtim.tv_sec, st->st_mtim.tv_nsec);
	int64_t mapped_ns = file->request.mapped_ns;

	file->young = !file->by_path && written_ns <= mapped_ns && last_ns >= mapped_ns &&
		      is_unwritten(file);
	if (file->young)
		file->ripe_ns = clock__now(CLOCK_MONOTONIC) + (last_ns - mapped_ns) + RIPE_NS;
}

/* The second check: the file was unchanged up to this moment. */
static void look_again(struct file *file)
{
	int64_t now_ns = (int64_t)clock__now(CLOCK_REALTIME);

	if (file->young && is_unwritten(file))
		file->request.mapped_ns = now_ns;
	file->young = false;
}

static void open_file(struct copier *copier, const struct dso_request *request)
{
	const struct completion_mapping mapping = {
		.pid = request->pid, .addr = request->addr, .len = request->len};
	struct file *file = calloc(1, sizeof(*file));
	uint32_t outcome = DSO_OPENED;
	struct stat st;
	int code;

	if (!file) {
		answer(copier, request->token, DSO_CROWDED, NULL);
		return;
	}
	file->request = *request;
	file->fd = code = completion__open(&mapping, &request->identity, &st);
	if (code < 0) {
		file->fd = open_path(request);
		file->by_path = true;
	}
	if (file->fd < 0)
		outcome = code == -EPERM ? DSO_REFUSED : code == -ESRCH ? DSO_GONE : DSO_UNREADABLE;
	else if (fstat(file->fd, &st) < 0 || is_silent(copier, st.st_dev))
		outcome = DSO_UNANSWERED;
	answer(copier, request->token, outcome, NULL);
	if (outcome == DSO_OPENED) {
		file->dev = st.st_dev;
		file->turn = fair_turns__next(&copier->turns, request->turns_of);
		let_ripen(file, &st);
		copier->files[copier->n_files++] = file;
		return;
	}
	if (file->fd >= 0)
		close(file->fd);
	free(file);
}

/* The child does not do this itself, because it might do it after its priority was raised. */
static void hold_back(pid_t pid)
{
	const struct sched_param none = {0};

	setpriority(PRIO_PROCESS, pid, LOWEST);
	sched_setscheduler(pid, SCHED_IDLE, &none);
	syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, pid, IOPRIO_PRIO_VALUE(IOPRIO_CLASS_IDLE, 0));
}

static void start_copy(struct copier *copier, struct copy *copy, size_t i)
{
	uint64_t now_ns = clock__now(CLOCK_MONOTONIC);
	struct file *file = copier->files[i];
	struct job job = {copier, file};
	const struct helper_options options = {
		.name = "perfstamp-copy",
		.type = SOCK_SEQPACKET,
		.seconds = CPU_SECONDS,
		.memory = MEMORY,
		.capabilities = CAPABILITY_FILES,
		.sandbox = {SANDBOX_WRITE, copier->options->store},
		.kept_fd = file->fd,
		.run = copy_and_report,
		.ctx = &job,
	};

	if (copier->options->age_s &&
		now_ns - copier->aged_ns >= dso_copier__again_ns(copier->options)) {
		copier->aged_ns = now_ns;
		copier->taken = UINT64_MAX;
	}
	if (helper__start(&copy->helper, &options))
		return; /* later */
	if (!copier->ending)
		hold_back(copy->helper.pid);
	copy->since_ns = copy->looked_ns = copy->worked_ns = now_ns;
	copy->cpu_ns = 0;
	copy->file = file;
	fair_turns__serve(&copier->turns, file->turn);
	memmove(copier->files + i, copier->files + i + 1,
		(--copier->n_files - i) * sizeof(*copier->files));
}

/* Returns the file whose turn it is, among those that need not wait; .n_files if there is none. */
static size_t find_ripe(const struct copier *copier)
{
	size_t found = copier->n_files;

	for (size_t i = 0; i < copier->n_files; i++)
		if (!copier->files[i]->young &&
			(found == copier->n_files ||
				copier->files[i]->turn < copier->files[found]->turn))
			found = i;
	return found;
}

/*
 * Checks files whose waiting time is over, even if their turn to be copied comes later, perhaps
 * after the end of the process that mapped them. Returns when the next one is due.
 */
static uint64_t look_at_young(struct copier *copier, uint64_t now_ns)
{
	uint64_t next_ns = UINT64_MAX;

	for (size_t i = 0; i < copier->n_files; i++) {
		struct file *file = copier->files[i];

		if (!file->young)
			continue;
		if (file->ripe_ns <= now_ns)
			look_again(file);
		else if (file->ripe_ns < next_ns)
			next_ns = file->ripe_ns;
	}
	return next_ns;
}

static void start_copies(struct copier *copier)
{
	uint64_t now_ns = clock__now(CLOCK_MONOTONIC);
	size_t n = copier->ending ? COPIES_MAX : COPIES, ripe;

	for (size_t i = 0; i < n; i++) {
		ripe = find_ripe(copier);
		if (ripe == copier->n_files)
			break;
		if (!copier->copies[i].helper.pid && (copier->ending || now_ns >= copier->next_ns))
			start_copy(copier, &copier->copies[i], ripe);
	}
}

static void end_copy(struct copier *copier, struct copy *copy, const struct said *said)
{
	uint64_t now_ns = clock__now(CLOCK_MONOTONIC);

	answer(copier, copy->file->request.token, said->outcome, said);
	copier->taken = said->taken;
	if (copier->options->rate)
		copier->next_ns = now_ns + (uint64_t)((double)said->bytes * 1e9 /
						      (double)copier->options->rate);
	close(copy->file->fd);
	free(copy->file);
	*copy = (struct copy){0};
}

static void collect(struct copier *copier, struct copy *copy)
{
	struct said said;

	if (recv(copy->helper.fd, &said, sizeof(said), MSG_DONTWAIT) != sizeof(said) ||
		said.outcome >= DSO_OUTCOMES)
		said = (struct said){.outcome = DSO_UNREADABLE, .taken = UINT64_MAX};
	helper__kill(&copy->helper);
	/* A child does not know how much a concurrent copy adds. */
	for (size_t i = 0; i < COPIES_MAX; i++)
		if (&copier->copies[i] != copy && copier->copies[i].helper.pid)
			said.taken = UINT64_MAX;
	end_copy(copier, copy, &said);
}

/* Gives up a copy without waiting for its process, which may be blocked in the kernel. */
static void give_up(struct copier *copier, struct copy *copy)
{
	const struct said said = {.outcome = DSO_UNANSWERED, .taken = UINT64_MAX};

	helper__abandon(&copy->helper);
	if (copier->n_silent < SILENT_DEVICES)
		copier->silent[copier->n_silent++] = copy->file->dev;
	end_copy(copier, copy, &said);
}

/*
 * Whether the copy hangs. It has the lowest priority, so it is slow if all CPUs are busy. A
 * copy that uses CPU time does not wait for its file system.
 */
static bool is_in_vain(struct copy *copy, uint64_t now_ns)
{
	struct timespec cpu;
	clockid_t clock;
	uint64_t cpu_ns;

	if (now_ns - copy->looked_ns < LOOK_NS)
		return false;
	copy->looked_ns = now_ns;
	if (!clock_getcpuclockid(copy->helper.pid, &clock) && !clock_gettime(clock, &cpu)) {
		cpu_ns = cpu.tv_sec * 1000000000ull + cpu.tv_nsec;
		if (cpu_ns > copy->cpu_ns)
			copy->worked_ns = now_ns;
		copy->cpu_ns = cpu_ns;
	}
	return now_ns - copy->worked_ns >= SILENCE_NS || now_ns - copy->since_ns >= COPY_NS;
}

/* Starts a copy again. The store removes the part that was written. */
static void begin_anew(struct copier *copier, struct copy *copy)
{
	helper__abandon(&copy->helper);
	copier->files[copier->n_files++] = copy->file;
	*copy = (struct copy){0};
}

/* Raises the priority of running copies, because the recorder waits for them. */
static void hurry(struct copier *copier)
{
	const struct sched_param none = {0};

	if (copier->ending)
		return;
	copier->ending = true;
	for (size_t i = 0; i < COPIES_MAX; i++) {
		struct copy *copy = &copier->copies[i];

		if (!copy->helper.pid)
			continue;
		syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, copy->helper.pid,
			IOPRIO_PRIO_VALUE(IOPRIO_CLASS_BE, 4));
		/* This requires CAP_SYS_NICE. */
		if (sched_setscheduler(copy->helper.pid, SCHED_OTHER, &none) < 0 ||
			setpriority(PRIO_PROCESS, copy->helper.pid, 0) < 0)
			begin_anew(copier, copy);
	}
}

static void take_request(struct copier *copier)
{
	struct dso_request request;
	ssize_t n = recv(copier->fd, &request, sizeof(request), 0);

	if (n < 0 && errno == EINTR)
		return;
	if (n <= (ssize_t)offsetof(struct dso_request, path) || request.turns_of >= FAIR_OWNERS)
		_exit(0);
	request.path[sizeof(request.path) - 1] = '\0';
	if (!request.mapped_ns)
		hurry(copier);
	else
		open_file(copier, &request);
}

static int time_to_wait(const struct copier *copier, uint64_t next_ns)
{
	uint64_t now_ns = clock__now(CLOCK_MONOTONIC);
	size_t n = copier->ending ? COPIES_MAX : COPIES;
	bool idle = false;

	for (size_t i = 0; i < COPIES_MAX; i++) {
		const struct copy *copy = &copier->copies[i];

		idle |= i < n && !copy->helper.pid;
		if (copy->helper.pid && copy->looked_ns + LOOK_NS < next_ns)
			next_ns = copy->looked_ns + LOOK_NS;
	}
	/* At least a millisecond, in case a process cannot be started. */
	if (idle && find_ripe(copier) < copier->n_files && copier->next_ns < next_ns)
		next_ns = copier->next_ns;
	if (next_ns == UINT64_MAX)
		return -1;
	return next_ns <= now_ns ? 1 : (int)((next_ns - now_ns) / 1000000 + 1);
}

static void wait_and_look(struct copier *copier, uint64_t next_ns)
{
	struct pollfd fds[COPIES_MAX + 1];
	uint64_t now_ns;

	/* poll() skips negative descriptors. */
	for (size_t i = 0; i < COPIES_MAX; i++)
		fds[i] = (struct pollfd){
			.fd = copier->copies[i].helper.pid ? copier->copies[i].helper.fd : -1,
			.events = POLLIN,
		};
	fds[COPIES_MAX] = (struct pollfd){
		.fd = copier->n_files < DSO_OPEN_MAX ? copier->fd : -1, .events = POLLIN};
	if (poll(fds, COPIES_MAX + 1, time_to_wait(copier, next_ns)) < 0)
		return;
	now_ns = clock__now(CLOCK_MONOTONIC);
	/* New requests come first. */
	if (fds[COPIES_MAX].revents)
		take_request(copier);
	for (size_t i = 0; i < COPIES_MAX; i++) {
		struct copy *copy = &copier->copies[i];

		if (fds[i].revents)
			collect(copier, copy);
		else if (copy->helper.pid && is_in_vain(copy, now_ns))
			give_up(copier, copy);
	}
}

void dso_copier__run(void *ctx, int fd)
{
	static struct copier copier;

	copier.options = ctx;
	copier.fd = fd;
	copier.taken = UINT64_MAX;
	for (;;) {
		uint64_t next_ns = look_at_young(&copier, clock__now(CLOCK_MONOTONIC));

		start_copies(&copier);
		wait_and_look(&copier, next_ns);
	}
}

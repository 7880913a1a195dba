// SPDX-License-Identifier: GPL-2.0-only
/*
 * See read.h. elfutils' libdwfl does the unwinding. As in perf (tools/perf/util/unwind-libdw.c of
 * Linux), a module is reported to libdwfl when a frame is in it. Here a module is always the file
 * with the identity of the mapped content; if there is no such file, there is no module. Processes
 * that map a file share what is read of it. In run-time code, the unwind tables of its jitdump
 * (code.h) give the caller; without them libdwfl uses the frame pointer, as it does without a
 * module.
 */
#include "user/symbols/unwind/read.h"

#include <byteswap.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "user/symbols/elf/elf.h"
#include "user/symbols/files.h"
#include "user/symbols/progress.h"
#include "user/symbols/unwind/code.h"

#define SECONDS 30             /* of CPU time for one sample */
#define STACK_MAX (1ull << 30) /* bytes; a larger distance from sp is not the stack */

struct dso {
	bool tried;
	Elf *elf;       /* NULL: no file was found */
	int fd;         /* descriptor of .elf; -1: it is in memory */
	int debug;      /* descriptor of its debug file; -1: there is none */
	uint64_t first; /* address of the first segment's page */
	uint64_t end;   /* end of the last segment */
	bool code;      /* run-time code, which other code may replace */
};

struct set {
	struct unwind_mapping *mappings;
	size_t n;
	uint64_t code_mask; /* bits that addresses in these mappings can have */
	Dwfl *dwfl;         /* NULL: not needed yet */
	uint64_t machine;   /* the machine for which .dwfl was begun */
	Elf *header;        /* a header of that machine, for .dwfl */
};

struct reading {
	const struct unwind_job *job;
	FILE *out;
	bool server_failed;
	struct dso *dsos;
	struct unwind_code *code;
	struct set sets[UNWIND_SLOTS];
	/* The state for the current sample. */
	struct set *set;
	struct unwind_request request;
	uint8_t *stack;
	bool at_first;
	bool cut;   /* the last step read beyond the copy of the stack */
	bool stale; /* a module has code of another time */
	struct unwind_chain chain;
};

static int find_elf(Dwfl_Module *mod, void **userdata, const char *name, Dwarf_Addr base,
	char **file_name, Elf **ret)
{
	struct dso *dso = *userdata;

	(void)mod, (void)name, (void)base, (void)file_name;
	/*
	 * Returns another reference to the same Elf. The command must be the one with which it was
	 * opened: elf_memory() has opened images with ELF_C_READ, and dwelf_elf_begin() files with
	 * ELF_C_READ_MMAP_PRIVATE.
	 */
	*ret = elf_begin(-1, dso->code ? ELF_C_READ : ELF_C_READ_MMAP_PRIVATE, dso->elf);
	return -1;
}

static int find_debuginfo(Dwfl_Module *mod, void **userdata, const char *name, Dwarf_Addr base,
	const char *file_name, const char *link, GElf_Word crc, char **ret_name)
{
	const struct dso *dso = *userdata;

	(void)mod, (void)name, (void)base, (void)file_name, (void)link, (void)crc;
	(void)ret_name;
	return dso->debug >= 0 ? dup(dso->debug) : -1;
}

static const Dwfl_Callbacks CALLBACKS = {
	.find_elf = find_elf,
	.find_debuginfo = find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

static bool take_extent(struct dso *dso, uint64_t machine)
{
	bool found = false;
	GElf_Ehdr ehdr;
	GElf_Phdr phdr;
	size_t n;

	if (!gelf_getehdr(dso->elf, &ehdr) || ehdr.e_machine != machine ||
		(ehdr.e_type != ET_DYN && ehdr.e_type != ET_EXEC) || elf_getphdrnum(dso->elf, &n))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!gelf_getphdr(dso->elf, i, &phdr) || phdr.p_type != PT_LOAD)
			continue;
		if (!found)
			dso->first = phdr.p_vaddr & -phdr.p_align;
		dso->end = phdr.p_vaddr + phdr.p_memsz;
		found = true;
	}
	return found && dso->first < dso->end;
}

/* After a server failed, it is not asked again, because each request would take as long. */
static void fetch(struct reading *reading, struct symbols_files *files,
	const struct symbols_options *options, const struct symbols_dso *dso)
{
	struct symbols_options fetching = *options;
	struct unwind_outcome outcome = {0};

	if (!options->debuginfod || reading->server_failed)
		return;
	fetching.progress = progress__report;
	fetching.ctx = reading->out;
	symbols_files__fetch_content(files, &fetching, dso);
	reading->server_failed = files->server_failed;
	if (!files->server_failed && !*files->said)
		return;
	outcome.server_failed = files->server_failed;
	memcpy(outcome.said, files->said, sizeof(outcome.said));
	fputc(UNWIND_SAID, reading->out);
	fwrite(&outcome, sizeof(outcome), 1, reading->out);
}

/* Closes its files. It stays marked as tried. */
static void close_dso(struct dso *dso)
{
	elf_end(dso->elf);
	dso->elf = NULL;
	if (dso->fd >= 0)
		close(dso->fd);
	if (dso->debug >= 0)
		close(dso->debug);
	dso->fd = dso->debug = -1;
}

static struct dso *open_dso(struct reading *reading, uint64_t index)
{
	const struct symbols_options *options = reading->job->options;
	struct symbols_files files;
	struct dso *dso;
	bool usable;

	if (index >= reading->job->n)
		return NULL;
	dso = &reading->dsos[index];
	if (dso->tried)
		return dso->elf ? dso : NULL;
	dso->tried = true;
	symbols_files__find(&files, options, &reading->job->dsos[index]);
	fetch(reading, &files, options, &reading->job->dsos[index]);
	usable = files.content.elf && symbols_files__are_unchanged(&files);
	dso->debug = files.debug.fd;
	dso->fd = files.content.fd;
	dso->elf = files.content.elf;
	/* libdwfl opens the debug file again, by its descriptor. */
	elf_end(files.debug.elf);
	if (!usable || !take_extent(dso, reading->request.regs.machine))
		close_dso(dso);
	return dso->elf ? dso : NULL;
}

static const struct unwind_mapping *find_mapping(const struct set *set, uint64_t addr)
{
	size_t from = 0, to = set->n;

	while (from < to) {
		size_t at = from + (to - from) / 2;
		const struct unwind_mapping *mapping = &set->mappings[at];

		if (addr < mapping->addr)
			to = at;
		else if (addr - mapping->addr < mapping->len)
			return mapping;
		else
			from = at + 1;
	}
	return NULL;
}

/*
 * Reports the module at @addr to libdwfl, if necessary. Returns whether the module at @addr has the
 * content of @mapping, at the same addresses.
 */
static bool report_module(struct reading *reading, const struct unwind_mapping *mapping,
	struct dso *dso, uint64_t addr)
{
	uint64_t offset = addr - mapping->addr + mapping->pgoff, vaddr, bias, start, end;
	Dwfl_Module *mod;
	void **userdata;

	if (symbols_elf__address(dso->elf, offset, &vaddr))
		return false;
	bias = addr - vaddr;
	start = bias + dso->first;
	end = bias + dso->end;
	mod = dwfl_addrmodule(reading->set->dwfl, addr);
	if (!mod && start <= addr && addr < end) {
		char name[32];

		snprintf(name, sizeof(name), "%zu", (size_t)(dso - reading->dsos));
		mod = dwfl_report_module(reading->set->dwfl, name, start, end);
		if (!mod || !dwfl_module_info(mod, &userdata, NULL, NULL, NULL, NULL, NULL, NULL))
			return false;
		*userdata = dso;
		mod = dwfl_addrmodule(reading->set->dwfl, addr);
	}
	if (!mod || !dwfl_module_info(mod, &userdata, &start, NULL, NULL, NULL, NULL, NULL))
		return false;
	if (*userdata == dso && start == bias + dso->first)
		return true;
	reading->stale |= dso->code;
	return false;
}

static pid_t next_thread(Dwfl *dwfl, void *ctx, void **thread)
{
	(void)dwfl;
	if (*thread)
		return 0;
	*thread = ctx;
	return 1;
}

static bool get_thread(Dwfl *dwfl, pid_t tid, void *ctx, void **thread)
{
	(void)dwfl, (void)tid;
	*thread = ctx;
	return true;
}

/*
 * Removes the signature of an AArch64 return address (pointer authentication), which is in the bits
 * that no address of the process has. Not all versions of libdwfl do this, and none knows how many
 * bits the process uses. A word is changed only if it is an address in a mapping without these
 * bits.
 */
static uint64_t without_signature(const struct reading *reading, uint64_t word)
{
	uint64_t addr = word & reading->set->code_mask;

	if (reading->request.regs.machine != EM_AARCH64 || addr == word ||
		!find_mapping(reading->set, addr))
		return word;
	return addr;
}

static bool set_registers(Dwfl_Thread *thread, void *ctx)
{
	struct reading *reading = ctx;
	const struct unwind_registers *from = &reading->request.regs;
	Dwarf_Word regs[UNWIND_REGS_MAX];

	for (size_t i = 0; i < from->n; i++)
		regs[i] = without_signature(reading, from->v[i]);
	if (!dwfl_thread_state_registers(thread, 0, from->n, regs))
		return false;
	/* On x86-64 the pc is one of the registers. */
	if (from->machine != EM_X86_64)
		dwfl_thread_state_register_pc(thread, from->pc);
	return true;
}

/* Reads memory of the process: only the copy of the stack exists. */
static bool read_memory(Dwfl *dwfl, Dwarf_Addr addr, Dwarf_Word *ret, void *ctx)
{
	struct reading *reading = ctx;
	uint64_t offset = addr - reading->request.regs.sp, size = reading->request.size;
	uint64_t word;

	(void)dwfl;
	if (offset > size || size - offset < sizeof(word)) {
		reading->cut |= offset < STACK_MAX;
		return false;
	}
	memcpy(&word, reading->stack + offset, sizeof(word));
	*ret = without_signature(reading, reading->request.swap ? bswap_64(word) : word);
	return true;
}

static const Dwfl_Thread_Callbacks THREAD_CALLBACKS = {
	.next_thread = next_thread,
	.get_thread = get_thread,
	.memory_read = read_memory,
	.set_initial_registers = set_registers,
};

/*
 * Makes an empty ELF file, from which libdwfl learns the machine, whatever the first frame is in.
 */
static Elf *machine(uint64_t number)
{
	static Elf64_Ehdr header = {
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			EV_CURRENT},
		.e_type = ET_DYN,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(header),
	};

	header.e_machine = number;
	return elf_memory((char *)&header, sizeof(header));
}

static void end(struct set *set)
{
	dwfl_end(set->dwfl);
	elf_end(set->header);
	set->dwfl = NULL;
	set->header = NULL;
}

static bool begin(struct reading *reading)
{
	struct set *set = reading->set;
	uint64_t number = reading->request.regs.machine;

	if (set->dwfl && set->machine == number)
		return true;
	end(set);
	set->machine = number;
	set->dwfl = dwfl_begin(&CALLBACKS);
	set->header = set->dwfl ? machine(number) : NULL;
	if (set->header && dwfl_attach_state(set->dwfl, set->header, 1, &THREAD_CALLBACKS, reading))
		return true;
	end(set);
	return false;
}

/* Prepares unwinding from @addr in memory without a file. Returns false if that is not possible. */
static bool prepare_code(struct reading *reading, uint64_t addr)
{
	const struct unwind_request *request = &reading->request;
	struct unwind_image *image = unwind_code__find(
		reading->code, request->regs.machine, request->pid, addr, request->time_ns);
	struct unwind_mapping mapping;
	struct dso *dso;

	if (!begin(reading))
		return false;
	if (!image) {
		reading->stale |= dwfl_addrmodule(reading->set->dwfl, addr) != NULL;
		return !reading->stale;
	}
	mapping = (struct unwind_mapping){
		.addr = image->addr, .len = image->size, .pgoff = UNWIND_CODE_START};
	dso = image->owner;
	if (!dso) {
		dso = image->owner = calloc(1, sizeof(*dso));
		if (!dso)
			return false;
		*dso = (struct dso){
			.tried = true,
			.elf = image->elf,
			.fd = -1,
			.debug = -1,
			.first = UNWIND_CODE_START,
			.end = UNWIND_CODE_START + image->size,
			.code = true,
		};
	}
	return report_module(reading, &mapping, dso, addr);
}

/*
 * Adds the frame at @addr, and prepares unwinding from it. If unwinding has to end there, returns
 * false, and sets the reason. An address outside of all mappings is not added: it was not a return
 * address.
 */
static bool take_addr(struct reading *reading, uint64_t addr)
{
	const struct unwind_mapping *mapping = find_mapping(reading->set, addr);
	struct unwind_chain *chain = &reading->chain;
	struct dso *dso;

	chain->end = UNWIND_TABLE;
	if (!mapping && chain->n)
		return false;
	chain->frames[chain->n++] = addr;
	if (!mapping || mapping->dso == UNWIND_NO_DSO)
		return false;
	if (mapping->dso == UNWIND_MEMORY) {
		if (!prepare_code(reading, addr))
			return false;
	} else {
		dso = open_dso(reading, mapping->dso);
		if (!dso) {
			chain->end = UNWIND_FILE;
			return false;
		}
		if (!begin(reading) || !report_module(reading, mapping, dso, addr))
			return false;
	}
	if (chain->n == UNWIND_FRAMES_MAX) {
		chain->end = UNWIND_DEEP;
		return false;
	}
	return true;
}

static int take_frame(Dwfl_Frame *frame, void *ctx)
{
	struct reading *reading = ctx;
	struct unwind_chain *chain = &reading->chain;
	bool activation = true;
	Dwarf_Addr pc;

	if (!dwfl_frame_pc(frame, &pc, NULL))
		return DWARF_CB_ABORT;
	/* The first frame was added before the call, because libdwfl needs its module to begin. */
	if (reading->at_first) {
		reading->at_first = false;
		return DWARF_CB_OK;
	}
	if (!take_addr(reading, pc - 1)) {
		if (reading->cut && chain->end == UNWIND_TABLE)
			chain->end = UNWIND_STACK;
		return DWARF_CB_ABORT;
	}
	/*
	 * The flag must be about the next step only, because libdwfl does not report why it
	 * stopped.
	 */
	reading->cut = false;
	if (dwfl_frame_pc(frame, &pc, &activation) && activation)
		chain->frames[chain->n - 1] = pc;
	return DWARF_CB_OK;
}

static void unwind_once(struct reading *reading)
{
	struct unwind_chain *chain = &reading->chain;
	int result;

	chain->n = 0;
	reading->cut = false;
	reading->at_first = true;
	if (!take_addr(reading, reading->request.regs.pc))
		return;
	chain->end = UNWIND_TABLE;
	result = dwfl_getthread_frames(reading->set->dwfl, 1, take_frame, reading);
	if (result == DWARF_CB_ABORT)
		return;
	if (reading->cut)
		chain->end = UNWIND_STACK;
	else if (result == 0)
		chain->end = UNWIND_WHOLE;
	else
		chain->end = UNWIND_TABLE;
}

/* If other code was at the same addresses before, the modules are dropped and reported again. */
static void unwind(struct reading *reading)
{
	reading->stale = false;
	unwind_once(reading);
	if (!reading->stale)
		return;
	end(reading->set);
	reading->stale = false;
	unwind_once(reading);
}

/* The kernel ends this process when the time is used up; 0: no limit. */
static void limit_time(unsigned int seconds)
{
	setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = seconds}, NULL);
}

static bool fill_set(struct reading *reading, FILE *in)
{
	struct set *set = &reading->sets[reading->request.slot];

	end(set);
	free(set->mappings);
	*set = (struct set){.n = reading->request.size};
	set->mappings = malloc((set->n + 1) * sizeof(*set->mappings));
	if (!set->mappings || fread(set->mappings, sizeof(*set->mappings), set->n, in) != set->n)
		return false;
	for (size_t i = 0; i < set->n; i++)
		set->code_mask |= set->mappings[i].addr + set->mappings[i].len - 1;
	/* Sets all bits below the highest one. */
	for (unsigned int shift = 1; shift < 64; shift *= 2)
		set->code_mask |= set->code_mask >> shift;
	return true;
}

static bool answer(struct reading *reading, FILE *in)
{
	FILE *out = reading->out;
	size_t size = reading->request.size;
	struct unwind_answer answer;

	free(reading->stack);
	reading->stack = malloc(size + 1);
	if (!reading->stack || fread(reading->stack, 1, size, in) != size)
		return false;
	reading->set = &reading->sets[reading->request.slot];
	limit_time(SECONDS);
	unwind(reading);
	answer.end = reading->chain.end;
	answer.n = reading->chain.n;
	fputc(UNWIND_ANSWER, out);
	fwrite(&answer, sizeof(answer), 1, out);
	fwrite(reading->chain.frames, sizeof(*reading->chain.frames), answer.n, out);
	return !fflush(out);
}

static void release(struct reading *reading)
{
	limit_time(0);
	for (size_t i = 0; i < UNWIND_SLOTS; i++) {
		end(&reading->sets[i]);
		free(reading->sets[i].mappings);
	}
	for (size_t i = 0; reading->dsos && i < reading->job->n; i++)
		if (reading->dsos[i].tried)
			close_dso(&reading->dsos[i]);
	unwind_code__free(reading->code);
	free(reading->dsos);
	free(reading->stack);
	free(reading);
}

void unwind_read(void *job, int fd)
{
	struct reading *reading = calloc(1, sizeof(*reading));
	FILE *in = fdopen(fd, "r"), *out = fdopen(dup(fd), "w");
	struct rlimit files;
	bool going = reading && in && out;

	/* Each file that is found stays open. */
	if (!getrlimit(RLIMIT_NOFILE, &files)) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	signal(SIGPROF, SIG_DFL);
	elf_version(EV_CURRENT);
	if (reading)
		reading->job = job;
	if (going) {
		reading->out = out;
		reading->dsos = calloc(reading->job->n + 1, sizeof(*reading->dsos));
		reading->code = unwind_code__new(reading->job->code_names);
		going = reading->dsos && reading->code;
	}
	while (going && fread(&reading->request, sizeof(reading->request), 1, in) == 1)
		going = reading->request.what == UNWIND_SET ? fill_set(reading, in)
							    : answer(reading, in);
	if (in)
		fclose(in);
	if (out)
		fclose(out);
	if (reading)
		release(reading);
}

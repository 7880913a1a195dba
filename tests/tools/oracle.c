// SPDX-License-Identifier: GPL-2.0-only
/*
 * What every executable mapping of running processes is, by another way than
 * perfstamp's: the content behind it is opened through /proc/PID/map_files, and
 * libelf looks for its build-id among the notes of its segments. It prints a line
 * "PID START LENGTH ID PATH" each, numbers in hexadecimal but for the PID. ID is
 * "-" where the content has none, "?" where the mapping could not be read any more.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void print_hex(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		printf("%02x", bytes[i]);
}

/* Prints the first id among the notes; false where there is none. */
static bool print_id_of_notes(Elf_Data *data)
{
	size_t at = 0, name, desc;
	GElf_Nhdr note;

	while ((at = gelf_getnote(data, at, &note, &name, &desc)) > 0) {
		const char *bytes = data->d_buf;

		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 || !note.n_descsz ||
			strncmp(bytes + name, "GNU", 4) != 0)
			continue;
		print_hex((const uint8_t *)bytes + desc, note.n_descsz);
		return true;
	}
	return false;
}

static void print_id(Elf *elf)
{
	GElf_Phdr phdr;
	Elf_Data *data;
	size_t n;

	if (elf && elf_kind(elf) == ELF_K_ELF && !elf_getphdrnum(elf, &n)) {
		for (size_t i = 0; i < n && gelf_getphdr(elf, i, &phdr); i++) {
			if (phdr.p_type != PT_NOTE || !phdr.p_filesz)
				continue;
			data = elf_getdata_rawchunk(elf, phdr.p_offset, phdr.p_filesz,
				phdr.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
			if (data && print_id_of_notes(data))
				return;
		}
	}
	putchar('-');
}

/* Of the file behind a mapping. */
static void print_id_of_file(const char *pid, uint64_t start, uint64_t end)
{
	char path[128];
	struct stat st;
	Elf *elf;
	int fd;

	snprintf(path, sizeof(path), "/proc/%s/map_files/%" PRIx64 "-%" PRIx64, pid, start, end);
	/* To open a device may have effects. */
	fd = stat(path, &st) ? -1 : S_ISREG(st.st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -2;
	if (fd < 0) {
		putchar(fd == -2 ? '-' : '?');
		return;
	}
	elf = elf_begin(fd, ELF_C_READ, NULL);
	print_id(elf);
	elf_end(elf);
	close(fd);
}

/* Of what the kernel mapped: the vDSO is an ELF image in memory. */
static void print_id_of_memory(const char *pid, uint64_t start, uint64_t end)
{
	char path[64], *image = malloc(end - start);
	ssize_t n = -1;
	Elf *elf;
	int fd;

	snprintf(path, sizeof(path), "/proc/%s/mem", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (image && fd >= 0)
		n = pread(fd, image, end - start, start);
	if (n == (ssize_t)(end - start)) {
		elf = elf_memory(image, n);
		print_id(elf);
		elf_end(elf);
	} else {
		putchar('?');
	}
	if (fd >= 0)
		close(fd);
	free(image);
}

static void print_mapping(const char *pid, const char *line)
{
	uint64_t start, end, ino;
	const char *path;
	char exec;
	int used;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*c%*c%c%*c %*s %*s %" SCNu64 "%n", &start, &end,
		    &exec, &ino, &used) != 4 ||
		exec != 'x')
		return;
	path = line + used + strspn(line + used, " ");
	/* Not of the process: the same page for all, above its address space. */
	if (!strncmp(path, "[vsyscall]", 10))
		return;
	printf("%s %" PRIx64 " %" PRIx64 " ", pid, start, end - start);
	if (*path == '/')
		print_id_of_file(pid, start, end);
	else if (!strncmp(path, "[vdso]", 6))
		print_id_of_memory(pid, start, end);
	else
		putchar('-');
	printf(" %s", *path == '\n' || !*path ? "//anon\n" : path);
}

static int print_process(const char *pid)
{
	char path[64], *line = NULL;
	size_t size = 0;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%s/maps", pid);
	maps = fopen(path, "re");
	if (!maps)
		return -errno;
	while (getline(&line, &size, maps) > 0)
		print_mapping(pid, line);
	free(line);
	fclose(maps);
	return 0;
}

static int print_all(void)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;

	if (!proc)
		return 1;
	while ((entry = readdir(proc)))
		if (isdigit((unsigned char)entry->d_name[0]) && atoi(entry->d_name) != getpid())
			print_process(entry->d_name);
	closedir(proc);
	return 0;
}

int main(int argc, char **argv)
{
	int status = 0;

	if (argc < 2) {
		fprintf(stderr, "Usage: oracle --all | oracle PID...\n");
		return 2;
	}
	elf_version(EV_CURRENT);
	if (!strcmp(argv[1], "--all"))
		return print_all();
	for (int i = 1; i < argc; i++) {
		int code = print_process(argv[i]);

		if (code) {
			fprintf(stderr, "oracle: %s: %s\n", argv[i], strerror(-code));
			status = 1;
		}
	}
	return status;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * See files.h.
 *
 * A file with code must also have the recorded cookie, because anyone can give a file any build-id.
 * A file without code, which has only debug information or only symbols, cannot have that cookie.
 * For it the build-id decides, unless the recording itself shows that several contents share the
 * build-id.
 */
#include "user/symbols/files.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "perfstamp/cookie.h"
#include "user/base/text.h"
#include "user/symbols/debuginfod.h"
#include "user/symbols/elf/build_id.h"
#include "user/symbols/lookup.h"

#define DEBUG_DIR "/usr/lib/debug"
#define HEX_MAX (2 * PERFSTAMP_BUILD_ID_MAX + 1)

static void close_file(struct symbols_file *file)
{
	if (file->elf)
		elf_end(file->elf);
	if (file->fd >= 0)
		close(file->fd);
	*file = (struct symbols_file){.fd = -1};
}

bool symbols_files__has_section(Elf *elf, unsigned int type, const char *name)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *is;

		if (!gelf_getshdr(scn, &shdr) || shdr.sh_type != type)
			continue;
		is = elf_strptr(elf, names, shdr.sh_name);
		if (!name || (is && !strcmp(is, name)))
			return true;
	}
	return false;
}

/*
 * Whether the file has all of its code, unlike a skeleton (skeleton.h). A file without sections has
 * nothing else, and counts as code.
 */
static bool has_code(Elf *elf)
{
	Elf_Scn *scn = NULL;
	bool sections = false, code = false;
	GElf_Shdr shdr;

	while ((scn = elf_nextscn(elf, scn))) {
		sections = true;
		if (!gelf_getshdr(scn, &shdr) || !(shdr.sh_flags & SHF_EXECINSTR) || !shdr.sh_size)
			continue;
		/*
		 * A section that is also writable is filled at run time, for example by a JIT
		 * compiler.
		 */
		if (shdr.sh_type == SHT_NOBITS && !(shdr.sh_flags & SHF_WRITE))
			return false;
		code = true;
	}
	return code || !sections;
}

static bool is_cookie(const struct symbols_file *file, const struct perfstamp_identity *identity)
{
	__u64 words[PERFSTAMP_COOKIE_WORDS] = {0};
	__u8 cookie[PERFSTAMP_COOKIE_MAX] = {0};

	if (identity->cookie_size != PERFSTAMP_COOKIE_V1_SIZE ||
		identity->cookie[0] != PERFSTAMP_COOKIE_V1)
		return false; /* a later version of cookies: cannot be compared */
	if (pread(file->fd, words, sizeof(words), 0) < 0)
		return false;
	perfstamp_cookie(words, file->st.st_size, cookie);
	return !memcmp(cookie, identity->cookie, identity->cookie_size);
}

static bool is_build_id(const struct symbols_file *file, const struct perfstamp_identity *identity)
{
	uint8_t id[ELF_BUILD_ID_MAX];
	int size = symbols_build_id__read(file->fd, file->elf, id);

	return size == identity->build_id_size && !memcmp(id, identity->build_id, size);
}

/* Returns 0, or -ESTALE if the file has another content. */
static int check(const struct symbols_file *file, const struct symbols_dso *dso)
{
	const struct perfstamp_identity *identity = dso->identity;

	if (identity->build_id_size && !is_build_id(file, identity))
		return -ESTALE;
	if (identity->build_id_size && !identity->cookie_size)
		return dso->shared ? -ESTALE : 0;
	if (file->fd >= 0 && is_cookie(file, identity))
		return 0;
	return identity->build_id_size && !dso->shared && !has_code(file->elf) ? 0 : -ESTALE;
}

/*
 * Opens the file at @path if it belongs to @dso. Returns 0; -ENOENT; -ESTALE for another content;
 * -ENOEXEC if it is not ELF; or another -errno.
 */
static int open_file(
	struct symbols_file *ret, const char *path, const struct symbols_dso *dso, bool unproven)
{
	struct symbols_file file = {.fd = -1};
	int err = 0;

	if (snprintf(file.path, sizeof(file.path), "%s", path) >= (int)sizeof(file.path))
		return -ENAMETOOLONG;
	file.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (file.fd < 0)
		return -errno;
	if (fstat(file.fd, &file.st) < 0)
		err = -errno;
	else if (!S_ISREG(file.st.st_mode))
		err = -ENOEXEC;
	if (!err) {
		file.elf = dwelf_elf_begin(file.fd);
		if (!file.elf || elf_kind(file.elf) != ELF_K_ELF)
			err = dso->identity->build_id_size ? -ESTALE : -ENOEXEC;
		if (err == -ENOEXEC && !unproven && !is_cookie(&file, dso->identity))
			err = -ESTALE;
	}
	if (!err && !unproven)
		err = check(&file, dso);
	if (err) {
		close_file(&file);
		return err;
	}
	*ret = file;
	return 0;
}

/* Stores an opened file by its kind, or closes it if there already is one of that kind. */
static void take(
	struct symbols_files *files, struct symbols_file *file, const struct symbols_dso *dso)
{
	struct symbols_file *to = &files->debug;

	/*
	 * A file with the size and the first page of the content is not a debug file, but a
	 * skeleton.
	 */
	if (has_code(file->elf))
		to = &files->content;
	else if (file->fd >= 0 && is_cookie(file, dso->identity))
		to = &files->skeleton;

	if (to->fd < 0 && !to->elf)
		*to = *file;
	else
		close_file(file);
}

static bool is_open(const struct symbols_file *file)
{
	return file->fd >= 0 || file->elf;
}

static int try(struct symbols_files *files, const char *path, const struct symbols_dso *dso)
{
	struct symbols_file file = {.fd = -1};
	int err = open_file(&file, path, dso, false);

	if (!err)
		take(files, &file, dso);
	return err;
}

static void try_in(struct symbols_files *files, const struct symbols_dso *dso, const char *fmt,
	const char *dir, const char *hex)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), fmt, dir, hex, hex + 2) < (int)sizeof(path))
		try(files, path, dso);
}

/* Does not use a file that was damaged after it was stored, even if its identity is right. */
static void try_kept(struct symbols_files *files, const struct symbols_dso *dso, const char *store,
	const char *dir, const char *name)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/%s/%s", store, dir, name) < (int)sizeof(path) &&
		lookup__undamaged(store, dir, name) && try(files, path, dso) == -ENOEXEC)
		files->lack = SYMBOL_LACKS_FORMAT;
}

static void try_store(struct symbols_files *files, const char *store, const struct symbols_dso *dso)
{
	static const char *const NAMES[] = {"debug", "elf", "vdso"};
	const struct perfstamp_identity *identity = dso->identity;
	char hex[HEX_MAX], dir[PATH_MAX];

	if (!store)
		return;
	/* The store has content by its cookie if the content shares its build-id. */
	if (identity->cookie_size && identity->cookie_size <= PERFSTAMP_COOKIE_MAX) {
		text__hex(hex, sizeof(hex), identity->cookie, identity->cookie_size);
		snprintf(dir, sizeof(dir), STORE_OWN "/cookie/%s", hex);
		try_kept(files, dso, store, dir, "elf");
	}
	/* An id of one byte cannot make the two parts of a link's name, "xx/xxxx". */
	if (identity->build_id_size < 2)
		return;
	text__hex(hex, sizeof(hex), identity->build_id, identity->build_id_size);
	if (lookup__directory(store, hex, dir, sizeof(dir)))
		return;
	for (size_t i = 0; i < sizeof(NAMES) / sizeof(NAMES[0]); i++)
		try_kept(files, dso, store, dir, NAMES[i]);
}

/* Tries the paths at which distributions install the kernel's image. */
static void try_vmlinux(struct symbols_files *files, const struct symbols_dso *dso)
{
	static const char *const PLACES[] = {
		DEBUG_DIR "/boot/vmlinux-%s",
		DEBUG_DIR "/lib/modules/%s/vmlinux",
		"/boot/vmlinux-%s",
		"/lib/modules/%s/build/vmlinux",
	};
	char path[PATH_MAX];

	for (size_t i = 0; dso->osrelease && i < sizeof(PLACES) / sizeof(PLACES[0]); i++)
		if (!strchr(dso->osrelease, '/') &&
			snprintf(path, sizeof(path), PLACES[i], dso->osrelease) < (int)sizeof(path))
			try(files, path, dso);
}

/*
 * Tries this process's own vDSO, which the running kernel mapped: with the same build-id, it has
 * the same content.
 */
static void try_own_vdso(struct symbols_files *files, const struct symbols_dso *dso)
{
	unsigned long at = getauxval(AT_SYSINFO_EHDR);
	struct symbols_file file = {.fd = -1};
	size_t size = 0;
	GElf_Ehdr ehdr;

	if (!at || strcmp(dso->path, "[vdso]") || is_open(&files->content))
		return;
	/* The section headers are the end of the vDSO. */
	file.elf = elf_memory((char *)at, getpagesize());
	if (file.elf && gelf_getehdr(file.elf, &ehdr))
		size = ehdr.e_shoff + (size_t)ehdr.e_shnum * ehdr.e_shentsize;
	close_file(&file);
	if (!size || size > 16 * (size_t)getpagesize())
		return;
	file.elf = elf_memory((char *)at, size);
	snprintf(file.path, sizeof(file.path), "[vdso]");
	if (file.elf && is_build_id(&file, dso->identity))
		files->content = file;
	else
		close_file(&file);
}

/* Puts @path below the directory given for /. Returns false if the result is too long. */
static bool below_symfs(char *ret, const struct symbols_options *options, const char *path)
{
	return snprintf(ret, PATH_MAX, "%s%s", options->symfs ? options->symfs : "", path) <
	       PATH_MAX;
}

/* Tries the debug file that the content names. */
static void try_debuglink(struct symbols_files *files, const struct symbols_options *options,
	const struct symbols_dso *dso)
{
	static const char *const PLACES[] = {"%s/%s", "%s/.debug/%s", DEBUG_DIR "%s/%s"};
	char path[PATH_MAX], below[PATH_MAX], dir[PATH_MAX];
	GElf_Word crc;
	const char *link = files->content.elf ? dwelf_elf_gnu_debuglink(files->content.elf, &crc)
					      : NULL;

	if (!link || strchr(link, '/') || !*link ||
		snprintf(dir, sizeof(dir), "%s", dso->path) >= (int)sizeof(dir))
		return;
	dirname(dir);
	for (size_t i = 0; i < sizeof(PLACES) / sizeof(PLACES[0]); i++)
		if (!is_open(&files->debug) &&
			snprintf(path, sizeof(path), PLACES[i], dir, link) < (int)sizeof(path) &&
			below_symfs(below, options, path))
			try(files, below, dso);
}

static enum symbol_lack lack_of(int err)
{
	switch (err) {
	case -ESTALE:
		return SYMBOL_LACKS_SAME_FILE;
	case -ENOEXEC:
		return SYMBOL_LACKS_FORMAT;
	case -EACCES:
	case -EPERM:
		return SYMBOL_LACKS_PERMISSION;
	default:
		return SYMBOL_LACKS_FILE;
	}
}

static void try_path(struct symbols_files *files, const struct symbols_options *options,
	const struct symbols_dso *dso)
{
	char path[PATH_MAX];

	/* If the stored file is not ELF, the file at the path is not ELF either. */
	if (is_open(&files->content) || *dso->path != '/' || files->lack == SYMBOL_LACKS_FORMAT ||
		!below_symfs(path, options, dso->path))
		return;
	files->lack = lack_of(try(files, path, dso));
}

static void force_path(struct symbols_files *files, const struct symbols_options *options,
	const struct symbols_dso *dso)
{
	struct symbols_file file = {.fd = -1};
	char path[PATH_MAX];
	int err = *dso->path == '/' && below_symfs(path, options, dso->path)
			  ? open_file(&file, path, dso, true)
			  : -ENOENT;

	files->lack = lack_of(err);
	if (err)
		return;
	files->unproven = true;
	take(files, &file, dso);
}

/* Uses captured symbols as the content, if no complete file was found. */
static void use_skeleton(struct symbols_files *files)
{
	if (is_open(&files->content) || !is_open(&files->skeleton))
		return;
	files->content = files->skeleton;
	files->no_code = true;
	files->skeleton = (struct symbols_file){.fd = -1};
}

/* The user named it, so it is reported if it is another kernel's. */
static void try_named_vmlinux(
	struct symbols_files *files, const char *path, const struct symbols_dso *dso)
{
	int err = try(files, path, dso);

	files->lack = lack_of(err);
	if (err)
		snprintf(files->said, sizeof(files->said),
			"%.160s: not used: it is not the vmlinux of the recorded kernel", path);
}

void symbols_files__find(struct symbols_files *ret, const struct symbols_options *options,
	const struct symbols_dso *dso)
{
	const struct perfstamp_identity *identity = dso->identity;
	char hex[HEX_MAX], debug[PATH_MAX];

	*ret = (struct symbols_files){
		.content.fd = -1, .debug.fd = -1, .skeleton.fd = -1, .lack = SYMBOL_LACKS_FILE};
	if (!identity->build_id_size && !identity->cookie_size) {
		ret->lack = SYMBOL_LACKS_IDENTITY;
		if (options->force)
			force_path(ret, options, dso);
		return;
	}
	if (identity->build_id_size >= 2) {
		text__hex(hex, sizeof(hex), identity->build_id, identity->build_id_size);
		if (below_symfs(debug, options, DEBUG_DIR))
			try_in(ret, dso, "%s/.build-id/%.2s/%s.debug", debug, hex);
	}
	try_store(ret, options->store, dso);
	try_store(ret, options->embedded, dso);
	if (dso->text == MODEL_TEXT_KERNEL) {
		if (options->vmlinux)
			try_named_vmlinux(ret, options->vmlinux, dso);
		try_vmlinux(ret, dso);
		return;
	}
	try_path(ret, options, dso);
	use_skeleton(ret);
	try_own_vdso(ret, dso);
	try_debuglink(ret, options, dso);
}

static void fetch(struct symbols_files *files, struct debuginfod *client, bool content,
	const struct symbols_dso *dso)
{
	const struct perfstamp_identity *identity = dso->identity;
	struct error err = {0};
	char *path;
	int failed;

	failed = debuginfod__find(
		client, content, identity->build_id, identity->build_id_size, &path, &err);
	if (!failed && try(files, path, dso))
		error__set(&err, -ESTALE, "debuginfod: it sent a file with another identity");
	files->server_failed = failed && failed != -ENOENT;
	/* If the server just does not have the file, the missing names show that. */
	if (failed != -ENOENT && !*files->said)
		snprintf(files->said, sizeof(files->said), "%.255s", err.text);
	free(path);
}

/* Returns NULL if no server may be asked. */
static struct debuginfod *client_for(struct symbols_files *files,
	const struct symbols_options *options, const struct symbols_dso *dso)
{
	struct debuginfod *client;
	struct error err;

	/*
	 * A server identifies files by build-id alone. If the build-id is shared, the file may be
	 * wrong.
	 */
	if (dso->identity->build_id_size < 2 || dso->shared)
		return NULL;
	if (debuginfod__new(&client, options->progress, options->ctx, &err))
		snprintf(files->said, sizeof(files->said), "%.255s", err.text);
	return client;
}

void symbols_files__fetch(struct symbols_files *files, const struct symbols_options *options,
	const struct symbols_dso *dso)
{
	struct debuginfod *client = client_for(files, options, dso);

	if (!client)
		return;
	if (!is_open(&files->debug))
		fetch(files, client, false, dso);
	/* A server that serves a store may have sent a skeleton as the debug file. */
	use_skeleton(files);
	/*
	 * If there is debug information, the content is not needed. A server may have only a
	 * stripped one.
	 */
	if (!files->server_failed && !is_open(&files->debug) && !is_open(&files->content) &&
		dso->text != MODEL_TEXT_KERNEL)
		fetch(files, client, true, dso);
	use_skeleton(files);
	debuginfod__free(client);
}

void symbols_files__fetch_content(struct symbols_files *files,
	const struct symbols_options *options, const struct symbols_dso *dso)
{
	struct debuginfod *client = is_open(&files->content) ? NULL
							     : client_for(files, options, dso);

	if (!client)
		return;
	fetch(files, client, true, dso);
	use_skeleton(files);
	debuginfod__free(client);
}

static bool is_unchanged(const struct symbols_file *file)
{
	struct stat st;

	return file->fd < 0 || (!fstat(file->fd, &st) && st.st_size == file->st.st_size &&
				       st.st_ctim.tv_sec == file->st.st_ctim.tv_sec &&
				       st.st_ctim.tv_nsec == file->st.st_ctim.tv_nsec);
}

bool symbols_files__are_unchanged(const struct symbols_files *files)
{
	return is_unchanged(&files->content) && is_unchanged(&files->debug);
}

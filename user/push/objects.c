// SPDX-License-Identifier: GPL-2.0-only
/* See objects.h. */
#include "user/push/objects.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/base/text.h"
#include "user/io/whole.h"
#include "user/push/http.h"
#include "user/push/objects_s3.h"

#define FILE_URL "file://"
#define S3_URL "s3://"
/* Directory of incomplete files, below the first part of a key. */
#define UNFINISHED ".perfstamp-push"
/* These characters are not escaped in a URL, so the signature is for the URL that is sent. */
#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/"

/* The SHA-256 of an empty body. */
static const uint8_t NOTHING[OBJECTS_SHA256] = {0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14,
	0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24, 0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93,
	0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55};

struct objects {
	char *directory; /* NULL: not a directory */
	bool cleaned;    /* leftovers of other processes were removed there */
	struct http *http;
	const char *url; /* as the user gave it */
	char *base;      /* URL below which the keys are, without a slash at its end */
	struct s3 s3;    /* all zeros if it is not S3 */
};

bool objects__is_url(const char *url)
{
	return http__is_url(url) || !strncmp(url, S3_URL, strlen(S3_URL)) ||
	       !strncmp(url, FILE_URL, strlen(FILE_URL));
}

/* Returns the path in the URL, which begins with a slash or is "". */
static const char *path_of(const char *url)
{
	const char *host = strstr(url, "://") + strlen("://");

	return host + strcspn(host, "/?#");
}

static int check_path(const char *url, struct error *err)
{
	const char *path = path_of(url);

	return path[strspn(path, PLAIN)]
		       ? error__set(err, -EINVAL,
				 "the path in the URL may have letters, digits and - . _ ~ / only")
		       : 0;
}

static int open_server(
	struct objects *objects, const struct objects_options *options, struct error *err)
{
	bool s3 = !strncmp(options->url, S3_URL, strlen(S3_URL));
	int code = check_path(options->url, err);
	size_t size;

	objects->url = options->url;
	if (!code && s3)
		code = s3__find(&objects->s3, options->url, err);
	if (code)
		return code;
	objects->base = strdup(s3 ? objects->s3.url : options->url);
	if (!objects->base)
		return error__set(err, -ENOMEM, "out of memory");
	for (size = strlen(objects->base); size && objects->base[size - 1] == '/'; size--)
		objects->base[size - 1] = '\0';
	return http__new(&objects->http, objects->base, options->headers, options->authorities,
		options->timeout_s, err);
}

int objects__new(struct objects **ret, const struct objects_options *options, struct error *err)
{
	struct objects *objects = calloc(1, sizeof(*objects));
	int code = 0;

	*ret = NULL;
	if (!objects)
		return error__set(err, -ENOMEM, "out of memory");
	if (strncmp(options->url, FILE_URL, strlen(FILE_URL)) != 0)
		code = open_server(objects, options, err);
	else if (options->url[strlen(FILE_URL)] != '/')
		code = error__set(err, -EINVAL, "a directory is named as file:///DIR");
	else if (!(objects->directory = strdup(options->url + strlen(FILE_URL))))
		code = error__set(err, -ENOMEM, "out of memory");
	if (code) {
		objects__free(objects);
		return code;
	}
	*ret = objects;
	return 0;
}

void objects__free(struct objects *objects)
{
	if (!objects)
		return;
	http__free(objects->http);
	s3__free(&objects->s3);
	free(objects->directory);
	free(objects->base);
	free(objects);
}

/* ---- A directory ---- */

/* Returns the same errors as a server does: a full disk may have room later. */
static int failed(int code, const char *path, struct error *err)
{
	error__errno(err, code, "%s", path);
	return code == -ENOENT || code == -ESTALE   ? code
	       : code == -ENOSPC || code == -EDQUOT ? -EAGAIN
						    : -EIO;
}

static int directory__find(
	const struct objects *objects, const char *key, int64_t *ret_size, struct error *err)
{
	char path[PATH_MAX];
	struct stat st;

	if (snprintf(path, sizeof(path), "%s/%s", objects->directory, key) >= PATH_MAX)
		return error__errno(err, -ENAMETOOLONG, "%s", objects->directory);
	if (stat(path, &st) < 0)
		return failed(-errno, path, err);
	*ret_size = st.st_size;
	return 0;
}

/* Locks @fd. Returns whether it is still the file @name in @dir. */
static bool lock(int fd, int dir, const char *name)
{
	struct stat opened, named;

	return !flock(fd, LOCK_EX | LOCK_NB) && !fstat(fd, &opened) &&
	       !fstatat(dir, name, &named, AT_SYMLINK_NOFOLLOW) && opened.st_dev == named.st_dev &&
	       opened.st_ino == named.st_ino;
}

/* Removes leftovers of killed processes: a running one locks the file that it writes. */
static void remove_unfinished(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		int fd = openat(
			dirfd(dir), entry->d_name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

		if (fd >= 0 && lock(fd, dirfd(dir), entry->d_name))
			unlinkat(dirfd(dir), entry->d_name, 0);
		if (fd >= 0)
			close(fd);
	}
	if (dir)
		closedir(dir);
}

/*
 * Creates and locks a new file, so that no other process removes it while it is open; *@path is its
 * name.
 */
static int create_unfinished(char *path)
{
	char *name = strrchr(path, '/');
	int fd, dir, made;

	*name = '\0';
	made = mkdir(path, 0700);
	dir = made < 0 && errno != EEXIST ? -1 : open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	*name = '/';
	if (dir < 0)
		return -errno;
	for (;;) {
		memcpy(name, "/XXXXXX", sizeof("/XXXXXX"));
		fd = mkostemp(path, O_CLOEXEC);
		if (fd < 0)
			fd = -errno;
		/*
		 * On a file system without locks, nobody else can lock the file and remove it
		 * either.
		 */
		if (fd < 0 || lock(fd, dir, name + 1) || (errno != EWOULDBLOCK && errno != ENOENT))
			break;
		close(fd);
	}
	close(dir);
	return fd;
}

/* The directories are readable for the directory's server, whatever the umask is. */
static int make_directories(char *path)
{
	for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
		int made;

		*at = '\0';
		made = mkdir(path, 0755);
		if (!made)
			made = chmod(path, 0755);
		else if (errno == EEXIST)
			made = 0;
		*at = '/';
		if (made < 0)
			return -errno;
	}
	return 0;
}

static int copy(int from, int to, uint64_t size)
{
	static char bytes[1 << 16];
	uint64_t at = 0;
	ssize_t n;
	int code = 0;

	while (!code && at < size && (n = pread(from, bytes, sizeof(bytes), at)) > 0) {
		code = whole__write(to, bytes, n);
		at += n;
	}
	if (!code && at != size)
		code = -ESTALE;
	if (!code && (fchmod(to, 0644) < 0 || fsync(to) < 0))
		code = -errno;
	return code;
}

/* Makes the path for an incomplete file, in the form that mkstemp() expects. */
static int path_of_unfinished(const struct objects *objects, const char *key, char ret[PATH_MAX])
{
	return snprintf(ret, PATH_MAX, "%s/%.*s/" UNFINISHED "/XXXXXX", objects->directory,
		       (int)strcspn(key, "/"), key) < PATH_MAX
		       ? 0
		       : -ENAMETOOLONG;
}

static int directory__put(
	struct objects *objects, const char *key, int fd, uint64_t size, struct error *err)
{
	char path[PATH_MAX], unfinished[PATH_MAX];
	int to = -1, code;

	if (snprintf(path, sizeof(path), "%s/%s", objects->directory, key) >= PATH_MAX ||
		path_of_unfinished(objects, key, unfinished))
		return error__errno(err, -ENAMETOOLONG, "%s", objects->directory);
	code = make_directories(path);
	if (!code) {
		to = create_unfinished(unfinished);
		code = to < 0 ? to : copy(fd, to, size);
	}
	if (!code && rename(unfinished, path) < 0)
		code = -errno;
	if (code && to >= 0)
		unlink(unfinished);
	if (to >= 0)
		close(to);
	return code ? failed(code, path, err) : 0;
}

static int directory__remove(const struct objects *objects, const char *key, struct error *err)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/%s", objects->directory, key) >= PATH_MAX)
		return error__errno(err, -ENAMETOOLONG, "%s", objects->directory);
	return unlink(path) < 0 && errno != ENOENT ? failed(-errno, path, err) : 0;
}

/* Done once: this process removes its own incomplete files unless it is killed. */
static void clean(struct objects *objects, const char *key)
{
	char path[PATH_MAX];

	if (objects->cleaned || path_of_unfinished(objects, key, path))
		return;
	*strrchr(path, '/') = '\0';
	remove_unfinished(path);
	objects->cleaned = true;
}

/* ---- A server ---- */

/* A bucket refuses the keys; other servers refuse a header. */
static int explain(const struct objects *objects, int code, struct error *err)
{
	char text[sizeof(err->text)];

	if (code != -EIO || !objects->s3.key)
		return code;
	snprintf(text, sizeof(text), "%.*s", (int)strcspn(err->text, ":"), err->text);
	return error__set(err, code,
		"%s: are the bucket, AWS_REGION and the keys right, and may they read, write and "
		"list?",
		text);
}

/*
 * Reads the keys again after a failure: temporary keys expire, and their file then gets new ones.
 * The next attempt uses these.
 */
static void renew_keys(struct objects *objects)
{
	struct error ignored;
	struct s3 s3;

	if (s3__find(&s3, objects->url, &ignored)) {
		s3__free(&s3);
		return;
	}
	s3__free(&objects->s3);
	objects->s3 = s3;
}

static int send(struct objects *objects, const char *method, const char *key, int fd, uint64_t size,
	const uint8_t *sha256, int64_t *ret_size, unsigned int *ret_wait_s, struct error *err)
{
	char digest[32 + 2 * OBJECTS_SHA256 + 1] = "x-amz-content-sha256: ", *url;
	struct http_file file = {
		.method = method,
		.fd = fd,
		.size = size,
		.signature = objects->s3.signature,
		.key = objects->s3.key,
	};
	size_t n = 0;
	int code;

	if (asprintf(&url, "%s/%s", objects->base, key) < 0)
		return error__set(err, -ENOMEM, "out of memory");
	file.url = url;
	/* The signature includes the digest, and the server refuses a body that differs. */
	if (objects->s3.key) {
		text__hex(digest + strlen(digest), sizeof(digest) - strlen(digest),
			sha256 ? sha256 : NOTHING, OBJECTS_SHA256);
		file.headers[n++] = digest;
	}
	if (objects->s3.token)
		file.headers[n++] = objects->s3.token;
	if (sha256)
		file.headers[n++] = "Content-Type: application/octet-stream";
	code = http__file(objects->http, &file, ret_size, ret_wait_s, err);
	free(url);
	/*
	 * A request without a body cannot be refused for its body: S3 answers 400 if a token has
	 * expired.
	 */
	if (code == -EBADMSG && fd < 0)
		code = -EIO;
	if (code == -EIO && objects->s3.key)
		renew_keys(objects);
	return explain(objects, code, err);
}

/* ---- Both ---- */

int objects__find(struct objects *objects, const char *key, int64_t *ret_size,
	unsigned int *ret_wait_s, struct error *err)
{
	*ret_wait_s = 0;
	*ret_size = -1;
	if (objects->directory) {
		clean(objects, key);
		return directory__find(objects, key, ret_size, err);
	}
	return send(objects, "HEAD", key, -1, 0, NULL, ret_size, ret_wait_s, err);
}

int objects__put(struct objects *objects, const char *key, int fd, uint64_t size,
	const uint8_t sha256[OBJECTS_SHA256], unsigned int *ret_wait_s, struct error *err)
{
	int64_t there = -1, ignored;
	int code;

	*ret_wait_s = 0;
	if (objects->directory) {
		clean(objects, key);
		return directory__put(objects, key, fd, size, err);
	}
	code = send(objects, "PUT", key, fd, size, sha256, &ignored, ret_wait_s, err);
	if (code == -ENOENT)
		return error__set(err, -EIO, "%s",
			"the receiver answers a PUT with HTTP status 404: does it take files "
			"there?");
	if (!code)
		code = objects__find(objects, key, &there, ret_wait_s, err);
	if (code == -ENOENT || (!code && there >= 0 && (uint64_t)there != size))
		return error__set(err, -EAGAIN,
			"%s: the receiver has confirmed %" PRIu64 " bytes, and has %" PRId64, key,
			size, there < 0 ? 0 : there);
	return code;
}

int objects__remove(
	struct objects *objects, const char *key, unsigned int *ret_wait_s, struct error *err)
{
	int64_t ignored;
	int code;

	*ret_wait_s = 0;
	if (objects->directory)
		return directory__remove(objects, key, err);
	code = send(objects, "DELETE", key, -1, 0, NULL, &ignored, ret_wait_s, err);
	return code == -ENOENT ? 0 : code;
}

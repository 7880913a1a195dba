/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libarchive, which is loaded only when a bundle is written or read. Loading its dependencies
 * libxml2 and ICU at each start of the program would take more time than everything else.
 */
#ifndef PERFSTAMP_STORE_BUNDLE_LIBRARY_H
#define PERFSTAMP_STORE_BUNDLE_LIBRARY_H

#include <archive.h>
#include <archive_entry.h>

#include "user/base/error.h"

#define BUNDLE_LIBRARY_FUNCTIONS(X)                                                                \
	X(archive_entry_clear)                                                                     \
	X(archive_entry_filetype)                                                                  \
	X(archive_entry_free)                                                                      \
	X(archive_entry_hardlink)                                                                  \
	X(archive_entry_new)                                                                       \
	X(archive_entry_pathname)                                                                  \
	X(archive_entry_set_filetype)                                                              \
	X(archive_entry_set_mtime)                                                                 \
	X(archive_entry_set_pathname)                                                              \
	X(archive_entry_set_perm)                                                                  \
	X(archive_entry_set_size)                                                                  \
	X(archive_entry_set_symlink)                                                               \
	X(archive_entry_size)                                                                      \
	X(archive_entry_symlink)                                                                   \
	X(archive_errno)                                                                           \
	X(archive_error_string)                                                                    \
	X(archive_read_data)                                                                       \
	X(archive_read_data_block)                                                                 \
	X(archive_read_free)                                                                       \
	X(archive_read_new)                                                                        \
	X(archive_read_next_header)                                                                \
	X(archive_read_open)                                                                       \
	X(archive_read_support_filter_zstd)                                                        \
	X(archive_read_support_format_tar)                                                         \
	X(archive_set_error)                                                                       \
	X(archive_write_add_filter_zstd)                                                           \
	X(archive_write_close)                                                                     \
	X(archive_write_data)                                                                      \
	X(archive_write_free)                                                                      \
	X(archive_write_header)                                                                    \
	X(archive_write_new)                                                                       \
	X(archive_write_open_fd)                                                                   \
	X(archive_write_set_bytes_in_last_block)                                                   \
	X(archive_write_set_format_pax_restricted)

/* Each member has the name and the type of its function. */
struct bundle_library {
#define BUNDLE_LIBRARY_MEMBER(name) __typeof__(name) *name;
	BUNDLE_LIBRARY_FUNCTIONS(BUNDLE_LIBRARY_MEMBER)
#undef BUNDLE_LIBRARY_MEMBER
};

/* Loads the library once and keeps it loaded. Returns 0, or -ELIBACC if it is not installed. */
int bundle_library__load(const struct bundle_library **ret, struct error *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes what the kernel's records lack about tasks of the tree (bpf/tree.h), as records of
 * the file.
 */
#ifndef PERFSTAMP_RECORD_TREE_NOTES_H
#define PERFSTAMP_RECORD_TREE_NOTES_H

#include "user/record/maps/map_writer.h"
#include "user/source/bpf/task_tree.h"

/*
 * Called before the rings of samples are read, so that each sample has its process. Returns
 * 0 or -errno.
 */
int tree_notes__write(struct task_tree *tree, struct map_writer *writer);

#endif

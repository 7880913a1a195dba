/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel's records lack of tasks of the tree (bpf/tree.h), as records of the
 * file.
 */
#ifndef PERFSTAMP_RECORD_TREE_NOTES_H
#define PERFSTAMP_RECORD_TREE_NOTES_H

#include "user/record/maps/map_writer.h"
#include "user/source/bpf/task_tree.h"

/* Before the rings of samples are read: each sample is to find its process. Returns 0 or -errno. */
int tree_notes__write(struct task_tree *tree, struct map_writer *writer);

#endif

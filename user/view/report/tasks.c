// SPDX-License-Identifier: GPL-2.0-only
/* See tasks.h. */
#include "user/view/report/tasks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "user/view/format/escaped.h"

#define INDENT_MAX 64 /* deeper descendants are not indented further */
#define MAP_INDENT 32

/* The children of each task, as linked lists. */
struct tree {
	FILE *out;
	const struct tasks *tasks;
	uint32_t *child, *last, *next;
	bool maps;
};

static int write_maps(const struct tree *tree, uint32_t number, int depth)
{
	struct task_map *maps;
	size_t n;
	int code = tasks__maps(tree->tasks, number, &maps, &n);

	for (size_t i = 0; !code && i < n; i++) {
		const struct task_map *map = &maps[i];

		fprintf(tree->out, "%*s%" PRIx64 "-%" PRIx64 " %c%c%cp %08" PRIx64 " %" PRIu64 " ",
			MAP_INDENT + depth, "", map->addr, map->addr + map->len,
			map->prot & PROT_READ ? 'r' : '-', map->prot & PROT_WRITE ? 'w' : '-',
			map->prot & PROT_EXEC ? 'x' : '-', map->pgoff, map->ino);
		escaped__write(tree->out, tasks__text(tree->tasks, map->path));
		fputc('\n', tree->out);
	}
	free(maps);
	return code;
}

static int write_task(const struct tree *tree, uint32_t number, int depth)
{
	const struct task *task = tasks__at(tree->tasks, number);
	int ppid = task->parent == TASKS_NONE ? -1 : (int)tasks__at(tree->tasks, task->parent)->pid;

	fprintf(tree->out, "%10d %8d %8d |%*s", (int)task->pid, (int)task->tid, ppid, depth, "");
	escaped__write(tree->out, tasks__text(tree->tasks, task->comm));
	fputc('\n', tree->out);
	return tree->maps ? write_maps(tree, number, depth) : 0;
}

/* Writes @root and all its descendants, each after its parent. */
static int write_tree(const struct tree *tree, uint32_t root)
{
	uint32_t at = root;
	int depth = 0;

	for (;;) {
		int code = write_task(tree, at, depth < INDENT_MAX ? depth : INDENT_MAX);

		if (code || ferror(tree->out))
			return code;
		if (tree->child[at] != TASKS_NONE) {
			at = tree->child[at];
			depth++;
			continue;
		}
		while (at != root && tree->next[at] == TASKS_NONE) {
			at = tasks__at(tree->tasks, at)->parent;
			depth--;
		}
		if (at == root)
			return 0;
		at = tree->next[at];
	}
}

static void link(struct tree *tree, size_t n)
{
	for (size_t i = 0; i < n; i++)
		tree->child[i] = tree->last[i] = tree->next[i] = TASKS_NONE;
	for (size_t i = 0; i < n; i++) {
		uint32_t parent = tasks__at(tree->tasks, i)->parent;

		if (parent == TASKS_NONE)
			continue;
		if (tree->child[parent] == TASKS_NONE)
			tree->child[parent] = i;
		else
			tree->next[tree->last[parent]] = i;
		tree->last[parent] = i;
	}
}

int tasks_view__write(FILE *out, const struct tasks *tasks, bool maps)
{
	size_t n = tasks__n(tasks);
	uint32_t *links = calloc(3 * n + 1, sizeof(*links));
	struct tree tree = {.out = out, .tasks = tasks, .maps = maps};
	int code = 0;

	if (!links)
		return -ENOMEM;
	tree.child = links;
	tree.last = links + n;
	tree.next = links + 2 * n;
	link(&tree, n);
	fputs("#      pid      tid     ppid  comm\n", out);
	for (size_t i = 0; i < n && !code && !ferror(out); i++)
		if (tasks__at(tasks, i)->parent == TASKS_NONE)
			code = write_tree(&tree, i);
	free(links);
	return code;
}

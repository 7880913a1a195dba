// SPDX-License-Identifier: GPL-2.0-only
// The functions of samples over time (functions.c): how many samples each has in a time, as a
// flame graph and as a table, and when those that were searched for had samples. timeline.js
// gives it the time, and gets what was chosen.
"use strict";
function functionsOf(data, page) {
	const { element, shown, number, plural } = page;
	const given = data.functions, n = given.nodes.length / 2;
	const width = data.bin * 2 ** given.shift;
	const ROW = 19, LEAST = 0.0015, TABLE_MAX = 200, REST = -1;
	const parents = new Int32Array(n), functions = new Int32Array(n);
	for (let i = 0; i < n; i++) {
		parents[i] = given.nodes[2 * i];
		functions[i] = given.nodes[2 * i + 1];
	}
	// The counts of all nodes, one entry for each bin.
	const entries = { node: [], cgroup: [], bin: [], count: [] };
	for (const series of given.counts) {
		let bin = 0;
		for (let i = 2; i < series.length; i += 2) {
			bin += series[i];
			entries.node.push(series[0]);
			entries.cgroup.push(series[1]);
			entries.bin.push(bin);
			entries.count.push(series[i + 1]);
		}
	}
	const texts = given.functions.map((f) => {
		const dso = f.dso === undefined ? null : given.dsos[f.dso];
		const path = dso ? shown(dso, "path") : "";
		return { name: shown(f, "name") + (f.inlined ? " (inlined)" : ""), path, id: dso && dso.id || "", nameless: f.nameless,
			colour: f.kernel ? "k" : f.dso === undefined ? "r" : f.dso % 8, file: path.slice(path.lastIndexOf("/") + 1) || path };
	});
	const rest = { name: "rest: too few samples each", path: "", id: "", nameless: true, colour: "r", file: "" };
	const textOf = (f) => (f === REST ? rest : texts[f]);
	const state = { from: 0, to: 1, cgroup: -1, root: -1, hits: null, at: -1, inverted: false };
	let counts = null, shape = null;

	// ---- Counting ----

	// Samples of each node and of what it called, in the bins that are at least half in the time.
	function count() {
		let first = Math.round(state.from / width);
		let last = state.to >= data.span ? Math.floor(data.span / width) + 1 : Math.round(state.to / width);
		if (last <= first) {
			first = Math.floor((state.from + state.to) / 2 / width);
			last = first + 1;
		}
		const total = new Float64Array(n), self = new Float64Array(n);
		let all = 0;
		for (let i = 0; i < entries.node.length; i++) {
			if (entries.bin[i] < first || entries.bin[i] >= last) continue;
			if (state.cgroup >= 0 && entries.cgroup[i] !== state.cgroup) continue;
			self[entries.node[i]] += entries.count[i];
			all += entries.count[i];
		}
		total.set(self);
		for (let i = n - 1; i >= 0; i--)
			if (parents[i] >= 0) total[parents[i]] += total[i];
		counts = { total, self, all, first, last };
	}

	// Whether each node is one of these functions, or was called by one.
	function below(hits) {
		const is = new Uint8Array(n);
		for (let i = 0; i < n; i++)
			is[i] = hits.has(functions[i]) || (parents[i] >= 0 && is[parents[i]]) ? 1 : 0;
		return is;
	}

	// Pairs of samples of these functions and of all, by bin of .width ns.
	function overTime() {
		const is = below(state.hits), bins = new Map();
		for (let i = 0; i < entries.node.length; i++) {
			if (state.cgroup >= 0 && entries.cgroup[i] !== state.cgroup) continue;
			const bin = bins.get(entries.bin[i]) || [0, 0];
			if (is[entries.node[i]]) bin[0] += entries.count[i];
			bin[1] += entries.count[i];
			bins.set(entries.bin[i], bin);
		}
		return bins;
	}

	// The same with enough samples in each for a share of them to mean something.
	function joined() {
		const bins = overTime();
		let all = 0;
		for (const bin of bins.values()) all += bin[1];
		const each = all / Math.max(1, data.span / width);
		const factor = Math.min(16, 2 ** Math.max(0, Math.ceil(Math.log2(page.least / Math.max(each, 0.01)))));
		const wide = new Map();
		for (const [at, [part, of]] of bins) {
			const bin = wide.get(Math.floor(at / factor)) || [0, 0];
			wide.set(Math.floor(at / factor), [bin[0] + part, bin[1] + of]);
		}
		return { bins: wide, width: width * factor };
	}

	function shareOfHits() {
		const is = below(state.hits);
		let sum = 0;
		for (let i = 0; i < n; i++) if (is[i]) sum += counts.self[i];
		return counts.all ? sum / counts.all : 0;
	}

	// A function is counted once in a stack, however often it calls itself.
	function byFunction() {
		const sums = new Map(), seen = new Map();
		for (let i = 0; i < n; i++) {
			if (!counts.self[i]) continue;
			for (let at = i; at >= 0; at = parents[at]) {
				const f = functions[at];
				if (seen.get(f) === i) continue;
				seen.set(f, i);
				const sum = sums.get(f) || { f, self: 0, total: 0 };
				sum.total += counts.self[i];
				if (at === i) sum.self += counts.self[i];
				sums.set(f, sum);
			}
		}
		return [...sums.values()].sort((a, b) => b.self - a.self || b.total - a.total);
	}

	const percent = (part) => (counts.all ? (100 * part / counts.all).toFixed(2) : "0.00") + " %";

	function says() {
		const from = Math.max(0, counts.first * width), to = Math.min(data.span, counts.last * width);
		return `${plural(counts.all, "sample")} of ${shown(given, "event")}, ${page.duration(from)} to ${page.duration(to)}`;
	}

	// ---- The flame graph ----

	const tree = element("div", { id: "flame", role: "tree" });
	let boxes = new Map(); // by node; -1 is all

	// A shape knows for each node its parent, its function, its samples, and its children: the
	// biggest first, so that what matters is on the left.

	// Callers above what they called: the nodes as they were given.
	function upright() {
		const children = new Map();
		for (let i = 0; i < n; i++) {
			if (!counts.total[i]) continue;
			if (!children.has(parents[i])) children.set(parents[i], []);
			children.get(parents[i]).push(i);
		}
		for (const list of children.values()) list.sort((a, b) => counts.total[b] - counts.total[a]);
		return { parent: (node) => parents[node], function: (node) => functions[node],
			samples: (node) => (node < 0 ? counts.all : counts.total[node]), children: (node) => children.get(node) || [] };
	}

	// Functions above those that called them. Nodes are made when they are asked for, since all
	// of them would be many more than were given; they keep their numbers when the time changes.
	const callers = { ids: new Map(), parents: [], functions: [] };

	function callerNode(parent, f) {
		const key = parent + ":" + f;
		let id = callers.ids.get(key);
		if (id === undefined) {
			id = callers.parents.push(parent) - 1;
			callers.functions.push(f);
			callers.ids.set(key, id);
		}
		return id;
	}

	function inverted() {
		// Of each node: the stacks in it, as what has the samples and who is next in the stack.
		const stacks = new Map([[-1, []]]), samples = new Map([[-1, counts.all]]), lists = new Map();
		for (let i = 0; i < n; i++) if (counts.self[i]) stacks.get(-1).push([i, i]);
		function children(node) {
			if (lists.has(node)) return lists.get(node);
			if (!stacks.has(node)) children(callers.parents[node]);
			const list = [];
			for (const [self, next] of stacks.get(node) || []) {
				if (next < 0) continue;
				const id = callerNode(node, functions[next]);
				if (!samples.has(id)) {
					list.push(id);
					stacks.set(id, []);
					samples.set(id, 0);
				}
				stacks.get(id).push([self, parents[next]]);
				samples.set(id, samples.get(id) + counts.self[self]);
			}
			lists.set(node, list.sort((a, b) => samples.get(b) - samples.get(a)));
			return list;
		}
		function samplesOf(node) {
			if (!samples.has(node)) children(callers.parents[node]);
			return samples.get(node) || 0;
		}
		return { parent: (node) => callers.parents[node], function: (node) => callers.functions[node], samples: samplesOf, children };
	}

	function makeBox(node, left, wide, depth, samples) {
		const text = node < 0 ? { name: "all", colour: "r", file: "", id: "" } : textOf(shape.function(node));
		const label = `${text.name}, ${percent(samples)}, ${plural(samples, "sample")}` + (text.file ? ", " + text.file : "");
		const hit = state.hits && node >= 0 ? (state.hits.has(shape.function(node)) ? " hit" : " miss") : "";
		const box = element("div", { class: "box f" + text.colour + hit + (wide > 0.02 ? " named" : ""), role: "treeitem", tabindex: "-1",
			"aria-label": label, "aria-level": depth + 1, "aria-selected": "false",
			title: label + (text.id ? "\n" + text.id : ""),
			style: `left:${(100 * left).toFixed(3)}%;width:${(100 * wide).toFixed(3)}%;top:${depth * ROW}px` },
		wide > 0.02 ? text.name : "");
		box.node = node;
		boxes.set(node, { box, depth, left });
		return box;
	}

	function drawFlame() {
		const made = [];
		shape = state.inverted ? inverted() : upright();
		const all = shape.samples(state.root);
		boxes = new Map();
		if (!all) {
			state.root = -1;
			if (counts.all) return drawFlame();
		}
		// What is above the one that was chosen is as wide as it.
		const above = [];
		for (let at = state.root; at >= 0; at = shape.parent(at)) above.unshift(at);
		made.push(makeBox(-1, 0, 1, 0, counts.all));
		above.forEach((node, i) => made.push(makeBox(node, 0, 1, i + 1, shape.samples(node))));
		let depth = above.length + 1, deepest = depth;
		let level = [[state.root, 0]];
		while (level.length) {
			const next = [];
			for (const [parent, start] of level) {
				let left = start;
				for (const node of shape.children(parent)) {
					const wide = shape.samples(node) / Math.max(1, all);
					if (wide < LEAST) break;
					made.push(makeBox(node, left, wide, depth, shape.samples(node)));
					next.push([node, left]);
					left += wide;
				}
			}
			if (next.length) deepest = ++depth;
			level = next;
		}
		const had = tree.contains(document.activeElement);
		tree.setAttribute("aria-label", state.inverted ? "Inverted flame graph: functions above those that called them"
			: "Flame graph: callers above what they called");
		tree.style.height = deepest * ROW + "px";
		tree.replaceChildren(...made);
		focusBox(boxes.has(state.at) ? state.at : state.root, had);
		const hit = state.hits && !had && tree.querySelector(".hit");
		if (hit && state.shownHits !== state.hits) hit.scrollIntoView({ block: "nearest" });
		state.shownHits = state.hits;
	}

	function focusBox(node, really) {
		const old = boxes.get(state.at), now = boxes.get(node);
		if (!now) return;
		if (old) {
			old.box.tabIndex = -1;
			old.box.setAttribute("aria-selected", "false");
		}
		state.at = node;
		now.box.tabIndex = 0;
		now.box.setAttribute("aria-selected", "true");
		if (really) now.box.focus();
	}

	// The next box in a row; the row of what was chosen and above has one.
	function beside(node, by) {
		const at = boxes.get(node);
		const row = [...boxes.entries()].filter(([, b]) => b.depth === at.depth).sort((a, b) => a[1].left - b[1].left);
		const i = row.findIndex(([other]) => other === node) + by;
		return row[i] ? row[i][0] : node;
	}

	function under(node) {
		const at = boxes.get(node);
		for (const [other, b] of boxes)
			if (b.depth === at.depth + 1 && shape.parent(other) === node) return other;
		return node;
	}

	function onTreeKey(event) {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		const moves = { ArrowUp: () => (state.at < 0 ? -1 : shape.parent(state.at)), ArrowDown: () => under(state.at),
			ArrowLeft: () => beside(state.at, -1), ArrowRight: () => beside(state.at, 1), Home: () => -1 };
		if (moves[event.key]) focusBox(moves[event.key](), true);
		else if (event.key === "Enter" || event.key === " ") choose(state.at);
		else return;
		event.preventDefault();
		event.stopPropagation();
	}

	// Nodes of the other shape are others.
	function invert(yes) {
		state.inverted = yes;
		state.root = state.at = -1;
	}

	// A box takes the whole width, and its function is shown on the axis.
	function choose(node) {
		const had = tree.contains(document.activeElement);
		state.root = node;
		state.at = node;
		page.chosen(node < 0 || shape.function(node) === REST ? null : new Set([shape.function(node)]));
		if (had && boxes.has(node)) focusBox(node, true);
	}

	tree.addEventListener("click", (event) => {
		const box = event.target.closest(".box");
		if (!box) return;
		focusBox(box.node, true);
		choose(box.node);
	});
	tree.addEventListener("keydown", onTreeKey);

	// ---- The table ----

	const table = element("div", {});

	function drawTable() {
		const sums = byFunction(), body = element("tbody", {});
		for (const sum of sums.slice(0, TABLE_MAX)) {
			const text = textOf(sum.f);
			const button = element("button", { class: "function", title: "Show when it had samples" }, text.name);
			if (sum.f === REST) button.disabled = true;
			button.addEventListener("click", () => page.chosen(new Set([sum.f])));
			body.append(element("tr", { class: state.hits && state.hits.has(sum.f) ? "marked" : "" },
				element("td", {}, percent(sum.self)), element("td", {}, percent(sum.total)), element("td", {}, button),
				element("td", { title: text.path }, text.file), element("td", {}, element("code", { title: text.id }, text.id.slice(0, 12)))));
		}
		table.replaceChildren(element("table", {}, element("thead", {}, element("tr", {},
			...["self", "with callees", "function", "DSO", "build-id"].map((h) => element("th", { scope: "col" }, h)))), body));
		if (sums.length > TABLE_MAX)
			table.append(element("p", {}, `${number(sums.length - TABLE_MAX)} more have fewer samples.`));
	}

	return {
		tree, table, state, joined, says, drawFlame, drawTable, invert,
		chains: given.chains, rest: given.rest, all: given.samples,
		cgroups: given.cgroups,
		look(from, to) {
			state.from = from;
			state.to = to;
			count();
		},
		// The functions that have all of these words in their names.
		find: (words) => new Set(texts.map((t, i) => [t, i])
			.filter(([t]) => !t.nameless && words.every((w) => t.name.toLowerCase().includes(w))).map(([, i]) => i)),
		paths: (hits) => new Set([...hits].map((f) => texts[f].path)),
		name: (f) => textOf(f).name,
		share: () => percent(shareOfHits() * counts.all),
		samplesOf: (cgroup) => entries.count.reduce((sum, c, i) => sum + (entries.cgroup[i] === cgroup ? c : 0), 0),
	};
}

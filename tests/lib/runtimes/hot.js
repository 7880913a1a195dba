// SPDX-License-Identifier: GPL-2.0-only
// Two functions for a second and a half; the second one takes longer.
function warmFunction(n) {
	let s = n;
	for (let i = 0; i < n; i++) s = (s * 31 + i) ^ (s >>> 3);
	return s;
}
function hotFunction(n) {
	let s = n;
	for (let i = 0; i < 3 * n; i++) s = (s * 33 + i) ^ (s >>> 5);
	return s;
}
const end = Date.now() + 1500;
let x = 0;
while (Date.now() < end) x += warmFunction(20000) + hotFunction(20000);

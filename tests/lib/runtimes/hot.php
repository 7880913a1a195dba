<?php
// SPDX-License-Identifier: GPL-2.0-only
// Two functions for a second and a half; the second one takes longer.
function warm_function(int $n): int {
	$s = $n;
	for ($i = 0; $i < $n; $i++)
		$s = (($s * 31 + $i) ^ ($s >> 3)) & 0xffffffff;
	return $s;
}
function hot_function(int $n): int {
	$s = $n;
	for ($i = 0; $i < 3 * $n; $i++)
		$s = (($s * 33 + $i) ^ ($s >> 5)) & 0xffffffff;
	return $s;
}
$end = microtime(true) + 1.5;
$x = 0;
while (microtime(true) < $end)
	$x += warm_function(20000) + hot_function(20000);

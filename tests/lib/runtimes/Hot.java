// SPDX-License-Identifier: GPL-2.0-only
// Two functions, for a second and a half or until a file is there; the second one takes longer.
public class Hot {
	static int warmFunction(int n) {
		int s = n;
		for (int i = 0; i < n; i++)
			s = (s * 31 + i) ^ (s >>> 3);
		return s;
	}

	static int hotFunction(int n) {
		int s = n;
		for (int i = 0; i < 3 * n; i++)
			s = (s * 33 + i) ^ (s >>> 5);
		return s;
	}

	static int run(long ns) {
		long end = System.nanoTime() + ns;
		int x = 0;
		while (System.nanoTime() < end)
			x += warmFunction(20000) + hotFunction(20000);
		return x;
	}

	// With two files: makes the first one when it is warm, and ends when the second is there.
	public static void main(String[] args) throws java.io.IOException {
		int x = run(1000000000L);
		if (args.length == 2)
			new java.io.File(args[0]).createNewFile();
		do
			x += run(500000000L);
		while (args.length == 2 && !new java.io.File(args[1]).exists());
		System.err.print(x == 0 ? " " : "");
	}
}

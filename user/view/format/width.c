// SPDX-License-Identifier: GPL-2.0-only
/*
 * See width.h. The widths are libc's, in a UTF-8 locale: the user's locale may be another one, but
 * the output is always UTF-8. If no UTF-8 locale is installed, each character counts as one column.
 */
#include "user/view/format/width.h"

#include <locale.h>
#include <string.h>
#include <wchar.h>

static size_t count_characters(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += (*text & 0xc0) != 0x80;
	return n;
}

static size_t count_columns(const char *text)
{
	size_t n = 0, left = strlen(text), size;
	mbstate_t state = {0};
	wchar_t character;
	int width;

	for (; left; text += size, left -= size) {
		size = mbrtowc(&character, text, left, &state);
		if (!size || size > left) /* not UTF-8 */
			return n + left;
		width = wcwidth(character);
		n += width < 0 ? 1 : width;
	}
	return n;
}

void width__cut(char *text, size_t columns)
{
	size_t end = strlen(text), width;

	/*
	 * A character takes at most two columns, so half as many characters as there are excess
	 * columns can be removed at once.
	 */
	while ((width = width__of(text)) > columns) {
		for (size_t n = (width - columns + 1) / 2; n && end; n--) {
			end--;
			while (end && (text[end] & 0xc0) == 0x80)
				end--;
		}
		text[end] = '\0';
	}
}

size_t width__of(const char *text)
{
	static locale_t utf8;
	locale_t before;
	size_t n = 0;

	while (text[n] && !(text[n] & 0x80))
		n++;
	if (!text[n])
		return n;
	if (!utf8)
		utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", NULL);
	if (!utf8)
		return count_characters(text);
	before = uselocale(utf8);
	n = count_columns(text);
	uselocale(before);
	return n;
}

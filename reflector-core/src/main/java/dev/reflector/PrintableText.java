package dev.reflector;

import org.jspecify.annotations.Nullable;

/**
 * Makes text from outside safe for a log line or a message. Names, versions, labels and
 * the messages of a server may contain anything: line breaks that forge another line,
 * characters that control a terminal, or so many characters that they fill the log. Text
 * that is already safe is returned unchanged.
 *
 * @since 0.1.0
 */
public final class PrintableText {

	/** How many characters are kept by default. */
	private static final int MAX_LENGTH = 1000;

	private PrintableText() {
	}

	/**
	 * Makes a text printable, and short.
	 * @param text the text, {@code null} for none
	 * @return the text in one line, with at most 1000 of its characters, and {@code ...}
	 * at the end if it was cut; empty for {@code null}
	 */
	public static String of(@Nullable Object text) {
		return of(text, MAX_LENGTH);
	}

	/**
	 * Makes a text printable, and short. Line breaks and tabs become a space. Other
	 * control characters, and invisible characters that change how a line reads, are
	 * written as in Java, such as {@code \}{@code u001B}.
	 * @param text the text, {@code null} for none
	 * @param maxLength how many characters of the text to keep
	 * @return the text in one line, with {@code ...} at the end if it was cut; empty for
	 * {@code null}
	 */
	public static String of(@Nullable Object text, int maxLength) {
		String all = (text != null) ? String.valueOf(text) : "";
		return isPrintable(all, maxLength) ? all : printable(all, maxLength);
	}

	private static boolean isPrintable(String text, int maxLength) {
		if (text.length() > maxLength) {
			return false;
		}
		for (int index = 0; index < text.length(); index++) {
			char character = text.charAt(index);
			if (character < ' ' || character >= 0x7f) {
				return false;
			}
		}
		return true;
	}

	private static String printable(String text, int maxLength) {
		StringBuilder printable = new StringBuilder(Math.min(text.length(), maxLength) + 16);
		int index = 0;
		while (index < text.length() && printable.length() < maxLength) {
			int character = text.codePointAt(index);
			index += Character.charCount(character);
			if (character == '\n' || character == '\r' || character == '\t') {
				boolean repeated = !printable.isEmpty() && printable.charAt(printable.length() - 1) == ' ';
				printable.append(repeated ? "" : " ");
			}
			else if (isVisible(character)) {
				printable.appendCodePoint(character);
			}
			else {
				for (char part : Character.toChars(character)) {
					printable.append(String.format("\\u%04X", (int) part));
				}
			}
		}
		return printable.append((index < text.length()) ? "..." : "").toString();
	}

	private static boolean isVisible(int character) {
		return switch (Character.getType(character)) {
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
					Character.SURROGATE, Character.UNASSIGNED ->
				false;
			default -> true;
		};
	}

}

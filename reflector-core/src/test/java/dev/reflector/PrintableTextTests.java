package dev.reflector;

import java.util.List;

import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PrintableText}.
 */
class PrintableTextTests {

	private static final String HOSTILE = "a\nERROR forged\u001b[2J\u0000\u202e\u2028\u0085\r\n b";

	@ParameterizedTest
	@ValueSource(strings = { "", "default/web-6f7d", "a b", "ä€😀 日本", "\"quoted\" \\ {}" })
	void printableTextIsUnchanged(String text) {
		assertThat(PrintableText.of(text)).isEqualTo(text);
	}

	@Test
	void printableTextIsNotCopied() {
		String text = "default/web-6f7d";
		assertThat(PrintableText.of(text)).isSameAs(text);
		assertThat(PrintableText.of(null)).isEmpty();
		assertThat(PrintableText.of(17)).isEqualTo("17");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			10 | '\\u0010'
			1B | '\\u001B'
			0  | '\\u0000'
			7F | '\\u007F'
			9B | '\\u009B'
			AD | '\\u00AD'
			200B | '\\u200B'
			200F | '\\u200F'
			2028 | '\\u2028'
			2029 | '\\u2029'
			202A | '\\u202A'
			202E | '\\u202E'
			2066 | '\\u2066'
			2069 | '\\u2069'
			FEFF | '\\uFEFF'
			D800 | '\\uD800'
			E0001 | '\\uDB40\\uDC01'
			A | ' '
			D | ' '
			9 | ' '
			""")
	void controlCharactersAreEscapedOrReplacedByASpace(String character, String expected) {
		String text = "a" + Character.toString(Integer.parseInt(character, 16)) + "b";
		assertThat(PrintableText.of(text)).isEqualTo("a" + expected + "b");
	}

	@Test
	void longTextIsTruncated() {
		assertThat(PrintableText.of("x".repeat(1000))).hasSize(1000);
		assertThat(PrintableText.of("x".repeat(1_000_000))).isEqualTo("x".repeat(1000) + "...");
		assertThat(PrintableText.of("\u0000".repeat(1_000_000))).hasSizeLessThan(1010).endsWith("...");
		assertThat(PrintableText.of("abcdef", 3)).isEqualTo("abc...");
	}

	@Test
	void toStringMethodsReturnPrintableText() {
		assertThat(new Object[] { ResourceKey.of(HOSTILE, HOSTILE), ObjectMeta.of(HOSTILE, HOSTILE),
				new Status(500, HOSTILE, HOSTILE, List.of(), 0, false), Status.undecodable(HOSTILE),
				new SkippedObject(ResourceKey.of(HOSTILE, HOSTILE), HOSTILE, HOSTILE) })
			.allSatisfy((value) -> assertThat(value.toString()).contains("forged")
				.doesNotContain("\n", "\r", "\u001b", "\u0000", "\u202e", "\u2028", "\u0085"));
	}

}

package dev.reflector.client.internal.frame;

import java.util.Random;

import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PlainText}.
 */
class PlainTextTests {

	private static final String OFTEN = "\"\\ !#[]a\n\u001f\u007f\u0080\u00ff";

	private static byte[] bytes(Random random) {
		byte[] bytes = new byte[random.nextInt(60)];
		for (int i = 0; i < bytes.length; i++) {
			bytes[i] = (byte) (random.nextBoolean() ? random.nextInt(256)
					: OFTEN.charAt(random.nextInt(OFTEN.length())));
		}
		return bytes;
	}

	@Test
	void textEndsWhereItIsNotPlain() {
		Random random = new Random(2);
		for (int i = 0; i < 20_000; i++) {
			byte[] bytes = bytes(random);
			int from = random.nextInt(bytes.length + 1);
			int to = from + random.nextInt(bytes.length - from + 1);
			String text = new String(bytes, 0, to, ISO_8859_1);
			int expected = from;
			while (expected < to && text.charAt(expected) >= ' ' && text.charAt(expected) < 0x80
					&& "\"\\".indexOf(text.charAt(expected)) < 0) {
				expected++;
			}
			assertThat(PlainText.end(bytes, from, to)).as(text).isEqualTo(expected);
		}
	}

}

package dev.reflector.test.internal.access;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * Encodes the few kinds of ASN.1 values that a certificate needs, in DER.
 */
public final class Der {

	private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'")
		.withZone(ZoneOffset.UTC);

	/** The first time whose year is written with four digits instead of two. */
	private static final Instant LONG_YEARS = Instant.parse("2050-01-01T00:00:00Z");

	private Der() {
	}

	public static byte[] sequence(byte[]... parts) {
		return tagged(0x30, parts);
	}

	public static byte[] set(byte[]... parts) {
		return tagged(0x31, parts);
	}

	public static byte[] yes() {
		return tagged(0x01, new byte[] { -1 });
	}

	public static byte[] integer(BigInteger value) {
		return tagged(0x02, value.toByteArray());
	}

	public static byte[] octets(byte[] content) {
		return tagged(0x04, content);
	}

	public static byte[] text(String text) {
		return tagged(0x0c, text.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Encodes a bit string.
	 * @param unused how many bits of the last byte are not used
	 * @param content the bits
	 * @return the value
	 */
	public static byte[] bits(int unused, byte... content) {
		return tagged(0x03, new byte[] { (byte) unused }, content);
	}

	public static byte[] time(Instant time) {
		String digits = TIME.format(time);
		boolean longYear = !time.isBefore(LONG_YEARS);
		return tagged(longYear ? 0x18 : 0x17, digits.substring(longYear ? 0 : 2).getBytes(StandardCharsets.US_ASCII));
	}

	public static byte[] oid(String dotted) {
		String[] numbers = dotted.split("\\.");
		ByteArrayOutputStream content = new ByteArrayOutputStream();
		content.write(Integer.parseInt(numbers[0]) * 40 + Integer.parseInt(numbers[1]));
		for (int i = 2; i < numbers.length; i++) {
			int number = Integer.parseInt(numbers[i]);
			for (int shift = 28; shift > 0; shift -= 7) {
				if (number >>> shift > 0) {
					content.write((number >>> shift & 0x7f) | 0x80);
				}
			}
			content.write(number & 0x7f);
		}
		return tagged(0x06, content.toByteArray());
	}

	/**
	 * Encodes a value of any kind.
	 * @param tag the tag of the kind
	 * @param parts the parts of the content
	 * @return the value
	 */
	public static byte[] tagged(int tag, byte[]... parts) {
		ByteArrayOutputStream content = new ByteArrayOutputStream();
		for (byte[] part : parts) {
			content.writeBytes(part);
		}
		ByteArrayOutputStream value = new ByteArrayOutputStream();
		value.write(tag);
		int length = content.size();
		if (length < 0x80) {
			value.write(length);
		}
		else {
			byte[] digits = BigInteger.valueOf(length).toByteArray();
			int leading = (digits[0] == 0) ? 1 : 0;
			value.write(0x80 | (digits.length - leading));
			value.write(digits, leading, digits.length - leading);
		}
		value.writeBytes(content.toByteArray());
		return value.toByteArray();
	}

}

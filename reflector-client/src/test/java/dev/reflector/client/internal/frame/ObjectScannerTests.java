package dev.reflector.client.internal.frame;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ObjectScanner}.
 */
class ObjectScannerTests {

	private static final List<String> DOCUMENTS = List.of("{}", "{ \n}", "{\"a\":1}",
			"{\r\n\t\"a\" : [ ] ,\n \"b\" : [ 1 , -2.5e+7 , true , null , \"x\" , { } ] , \"c\":{\"d\":{\"e\":[[[]]]}}\n}",
			"{\"a\":\"}{]\\\"\\\\\\u00e4\",\"ä€😀\":[{},[1,2],\"\\\\\"],\"\":\"\"}",
			"{\"type\":\"ADDED\",\"object\":{\"kind\":\"Widget\",\"metadata\":{\"name\":\"a\",\"labels\":{}},\"n\":[0,false]}}");

	private static final byte[] CHARACTERS = "{}[]\",:\\ \n1atnf-.\u0001".getBytes(StandardCharsets.UTF_8);

	private static final JsonFactory JSON = JsonFactory.builder()
		.streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(100_000).build())
		.build();

	private static int end(byte[] bytes, int split, int to) {
		ObjectScanner scanner = new ObjectScanner();
		scanner.begin();
		int end = scanner.scan(bytes, 0, split);
		return (end >= 0) ? end : scanner.scan(bytes, split, to);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	@Test
	void findsTheEndWhereverTheBytesAreCut() {
		for (String document : DOCUMENTS) {
			byte[] bytes = bytes(document + "\n{\"next\":1}");
			int length = bytes(document).length;
			for (int split = 0; split <= length; split++) {
				assertThat(end(bytes, split, bytes.length)).as("%s cut at %d", document, split).isEqualTo(length);
				assertThat(end(bytes, split / 2, split)).as("%s up to %d", document, split)
					.isEqualTo((split < length) ? -1 : length);
			}
		}
	}

	@Test
	void findsTheEndOfObjectsThatComeByteByByte() {
		for (String document : DOCUMENTS) {
			byte[] bytes = bytes(document);
			ObjectScanner scanner = new ObjectScanner();
			scanner.begin();
			for (int index = 0; index < bytes.length; index++) {
				assertThat(scanner.scan(bytes, index, index + 1))
					.isEqualTo((index < bytes.length - 1) ? -1 : index + 1);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "{{", "{[", "{1", "{a", "{,", "{:", "{]", "{\"a\"\"", "{\"a\"}", "{\"a\",", "{\"a\"1",
			"{\"a\":}", "{\"a\":,", "{\"a\"::", "{\"a\":]", "{\"a\":1{", "{\"a\":1[", "{\"a\":1\"", "{\"a\":1 2",
			"{\"a\":1:", "{\"a\":1]", "{\"a\":1,}", "{\"a\":1,,", "{\"a\":1,1", "{\"a\":[,", "{\"a\":[}", "{\"a\":[1 2",
			"{\"a\":[1,]", "{\"a\":[1:", "{\"a\":[1}", "{\"a\":{}{", "{\"a\":{}\"", "{\"a\":\"b\"c", "{\"a\":\"b\\\n",
			"{\"a\":\"b\n", "{\"a\":#", "{\"a\":\u00e4", "{'", "{\"a\":'" })
	void aMistakeIsFoundWhereItStands(String text) {
		byte[] bytes = bytes(text);
		int mistake = bytes(text.substring(0, text.length() - 1)).length;
		for (int split = 0; split < mistake; split++) {
			assertThat(end(bytes, split, mistake)).as("up to the mistake, cut at %d", split).isEqualTo(-1);
			int cut = split;
			assertThatExceptionOfType(MalformedResponseException.class).as("cut at %d", split)
				.isThrownBy(() -> end(bytes, cut, bytes.length));
		}
	}

	/**
	 * With or without a line feed, the next frame cannot be a part of an incomplete
	 * frame.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '\'',
			value = { "{|0", "{\"type|0", "{\"type\"|0", "{\"type\":|1", "{\"type\":\"ADDED\"|0",
					"{\"type\":\"ADDED\",|0", "{\"type\":\"ADDED\",\"object\":{|0",
					"{\"type\":\"ADDED\",\"object\":{\"a\":1|0", "{\"type\":\"ADDED\",\"object\":{\"a\":{}|0",
					"{\"type\":\"ADDED\",\"object\":{\"a\":[1|0", "{\"type\":\"ADDED\",\"object\":{\"a\":[|1",
					"{\"type\":\"ADDED\",\"object\":[[[[|1", "{\"type\":\"ADDED\",\"object\":{\"a\":\"b\\|0" })
	void aFrameThatBreaksOffTakesNoMoreThanTheNextOneWithIt(String beginning, int taken) {
		String next = "\n{\"type\":\"ADDED\",\"object\":{\"kind\":\"Widget\"}}";
		assertThat(end(bytes(beginning + next.repeat(taken)), 0, bytes(beginning + next.repeat(taken)).length))
			.isEqualTo(-1);
		byte[] bytes = bytes(beginning + next.repeat(taken + 1));
		assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(() -> end(bytes, 0, bytes.length));
	}

	/**
	 * A document that Jackson reads has the same end here. A document that Jackson
	 * refuses does not end later here.
	 */
	@Test
	void agreesWithJackson() {
		Random random = new Random(7);
		int refused = 0;
		int complete = 0;
		for (int run = 0; run < 30_000; run++) {
			byte[] bytes = bytes(DOCUMENTS.get(random.nextInt(DOCUMENTS.size())) + "\n{\"next\":1}\n{\"next\":2}");
			for (int changes = random.nextInt(3); changes >= 0; changes--) {
				bytes[1 + random.nextInt(bytes.length - 1)] = CHARACTERS[random.nextInt(CHARACTERS.length)];
			}
			int expected = jackson(bytes);
			int found = found(bytes, random.nextInt(bytes.length));
			if (expected >= 0) {
				complete++;
				assertThat(found).as(() -> new String(bytes, StandardCharsets.UTF_8)).isEqualTo(expected);
			}
			else if (found < -1) {
				refused++;
			}
		}
		assertThat(complete).isGreaterThan(1000);
		assertThat(refused).isGreaterThan(1000);
	}

	/**
	 * Returns the index at which the object ends, -1 if it does not end, or -2 if it is
	 * refused.
	 */
	private static int found(byte[] bytes, int split) {
		try {
			return end(bytes, split, bytes.length);
		}
		catch (MalformedResponseException ex) {
			return -2;
		}
	}

	private static int jackson(byte[] bytes) {
		try (JsonParser parser = JSON.createParser(tools.jackson.core.ObjectReadContext.empty(), bytes)) {
			if (parser.nextToken() != JsonToken.START_OBJECT) {
				return -1;
			}
			for (int depth = 1; depth > 0;) {
				JsonToken token = parser.nextToken();
				if (token == null) {
					return -1;
				}
				if (token == JsonToken.VALUE_STRING) {
					parser.getString();
				}
				depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
			}
			return (int) parser.currentLocation().getByteOffset();
		}
		catch (JacksonException ex) {
			return -1;
		}
	}

	@Test
	void depthIsBounded() {
		byte[] bytes = bytes("{\"a\":" + "[".repeat(200_000));
		assertThat(end(bytes, 0, 100_000)).isEqualTo(-1);
		assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(() -> end(bytes, 0, bytes.length))
			.withMessageContaining("nested deeper");
	}

}

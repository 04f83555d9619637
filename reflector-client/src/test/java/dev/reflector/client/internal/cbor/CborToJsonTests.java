package dev.reflector.client.internal.cbor;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;

import dev.reflector.client.fixture.CborBytes;
import dev.reflector.client.internal.bind.Shape;
import dev.reflector.client.internal.frame.Frame;
import dev.reflector.client.internal.frame.JsonText;
import dev.reflector.client.internal.frame.MalformedResponseException;
import dev.reflector.fixture.LongForm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CborToJsonTests {

	private static final int MAX_DEPTH = 50;

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private final CborToJson converter = new CborToJson(MAX_DEPTH, 1000);

	private static Frame frame(byte[] bytes) {
		return new Frame(bytes, 0, bytes.length, bytes.length, false);
	}

	private static String text(Frame json) {
		return new String(json.bytes(), json.offset(), json.length(), StandardCharsets.UTF_8);
	}

	private String convert(Shape shape, byte[] cbor) {
		this.converter.over(frame(cbor));
		this.converter.write(shape, null, 0);
		JsonText json = this.converter.text();
		return new String(json.bytes(), 0, json.length(), StandardCharsets.UTF_8);
	}

	private String convert(byte[] cbor) {
		return convert(Shape.ALL, cbor);
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '`', value = { "00,0", "17,23", "1818,24", "1903e8,1000", "1a000f4240,1000000",
			"1b7fffffffffffffff,9223372036854775807", "1bffffffffffffffff,18446744073709551615", "20,-1", "3863,-100",
			"3b7fffffffffffffff,-9223372036854775808", "3bffffffffffffffff,-18446744073709551616", "f4,false",
			"f5,true", "f6,null", "f7,null", "f90000,0", "f93c00,1", "f93e00,1.5", "f97bff,65504", "f9c400,-4",
			"f90400,6.103515625E-5", "f90200,3.0517578125E-5", "fa47c35000,100000", "fb3ff199999999999a,1.1",
			"fb7e37e43c8800759c,1.0E300", "80,[]", "83010203,`[1,2,3]`", "9f0102ff,`[1,2]`", "a0,{}",
			"a141610a,`{\"a\":10}`", "a161610a,`{\"a\":10}`", "bf416101416202ff,`{\"a\":1,\"b\":2}`", "40,`\"\"`",
			"4161,`\"a\"`", "6161,`\"a\"`", "5f41614162ff,`\"ab\"`", "7f61616162ff,`\"ab\"`",
			"a15f41614162ff01,`{\"ab\":1}`", "4122,`\"\\\"\"`", "415c,`\"\\\\\"`", "410a,`\"\\u000a\"`",
			"42c3bc,`\"ü\"`", "44f09f9880,`\"😀\"`", "d9d9f701,1", "d9d9f7d9d9f74161,`\"a\"`", "c063323031,`\"201\"`",
			"d642fbff,`\"+/8=\"`", "d542fbff,`\"-_8\"`", "d742fbff,`\"FBFF\"`" })
	void valuesAreThoseOfJson(String cbor, String json) {
		assertThat(convert(CborBytes.hex(cbor))).isEqualTo(json);
		assertThat(this.converter.fault()).isNull();
		assertThat(this.converter.isCut()).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "f97e00", "f97c00", "fbfff0000000000000", "e0", "f820", "41ff", "42c328", "c24101",
			"c34101", "a10102", "a141ff01", "83014180fb7ff8000000000000" })
	void valuesThatJsonDoesNotHaveAreAFault(String cbor) {
		convert(CborBytes.hex(cbor));
		assertThat(this.converter.fault()).startsWith("it is no valid CBOR: ");
		assertThat(this.converter.isCut()).isFalse();
	}

	@Test
	void aFaultAffectsNoOtherValue() {
		byte[] faulty = CborBytes.map("a", CborBytes.hex("41ff"), "b", CborBytes.text("c"), CborBytes.hex("01"),
				CborBytes.hex("02"), "d", CborBytes.hex("9fc24101ff"));
		assertThat(convert(faulty)).isEqualTo("{\"a\":0,\"b\":\"c\",\"d\":[0]}");
		assertThat(this.converter.fault()).isEqualTo("it is no valid CBOR: there is a text that is no UTF-8");
	}

	@Test
	void anyTreeIsTheSameTree() {
		for (int seed = 0; seed < LongForm.times(150, 60); seed++) {
			Random random = new Random(seed);
			JsonNode tree = tree(random, 0);
			byte[] cbor = CborBytes.of(tree.toString(), random);
			assertThat(MAPPER.readTree(text(CborToJson.whole(frame(cbor), MAX_DEPTH)))).as("seed %d", seed)
				.isEqualTo(MAPPER.readTree(tree.toString()));
		}
	}

	private static JsonNode tree(Random random, int depth) {
		return switch (random.nextInt((depth < 4) ? 8 : 6)) {
			case 0 -> MAPPER.getNodeFactory().numberNode(random.nextLong() >> random.nextInt(64));
			case 1 -> MAPPER.getNodeFactory().numberNode(random.nextGaussian());
			case 2 -> MAPPER.getNodeFactory().booleanNode(random.nextBoolean());
			case 3 -> MAPPER.getNodeFactory().nullNode();
			case 4, 5 -> MAPPER.getNodeFactory().stringNode(string(random));
			case 6 -> {
				ArrayNode array = MAPPER.createArrayNode();
				for (int i = random.nextInt(30); i > 0; i--) {
					array.add(tree(random, depth + 1));
				}
				yield array;
			}
			default -> {
				ObjectNode object = MAPPER.createObjectNode();
				for (int i = random.nextInt(30); i > 0; i--) {
					object.set(string(random), tree(random, depth + 1));
				}
				yield object;
			}
		};
	}

	private static String string(Random random) {
		return random.ints(random.nextInt(40), 0, 0x3000)
			.map((code) -> random.nextBoolean() ? code % 0x80 : code)
			.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
			.toString();
	}

	@Test
	void incompleteCborIsNotClosed() {
		byte[] cbor = CborBytes.of("{\"a\":{\"b\":[1,\"text\",{\"c\":1000}]},\"d\":1.5}");
		for (int length = 0; length < cbor.length; length++) {
			String json = convert(Arrays.copyOf(cbor, length));
			assertThat(this.converter.isCut()).isTrue();
			assertThat(json).doesNotEndWith("}}}").isNotEqualTo(convert(cbor));
		}
	}

	@Test
	void onlyPartsOfTheShapeAreWritten() {
		Shape.Properties inner = new Shape.Properties();
		inner.setProperties(Map.of("x", Shape.ALL));
		Shape.Properties shape = new Shape.Properties();
		shape.setProperties(
				Map.of("map", new Shape.Entries(inner), "list", new Shape.Elements(inner), "all", Shape.ALL));
		String json = """
				{"map":{"k":{"x":1,"y":2},"l":3},"list":[{"y":2},{"x":{"y":4}}],"all":{"y":5},"other":[{"x":1}]}""";
		assertThat(MAPPER.readTree(convert(shape, CborBytes.of(json)))).isEqualTo(MAPPER
			.readTree("{\"map\":{\"k\":{\"x\":1},\"l\":3},\"list\":[{},{\"x\":{\"y\":4}}],\"all\":{\"y\":5}}"));
	}

	@Test
	void isNestedNoDeeperThanAllowedWhetherThatIsTakenOrNot() {
		Shape.Properties none = new Shape.Properties();
		for (Shape shape : new Shape[] { Shape.ALL, none }) {
			convert(shape, nested(MAX_DEPTH));
			assertThat(this.converter.fault()).isNull();
			convert(shape, nested(MAX_DEPTH + 1));
			assertThat(this.converter.fault()).contains("a limit of the parser", "deeper than 50");
			convert(shape, nested(100_000));
			assertThat(this.converter.fault()).contains("a limit of the parser");
		}
	}

	private static byte[] nested(int depth) {
		byte[] arrays = new byte[depth - 1];
		Arrays.fill(arrays, (byte) 0x81);
		arrays[depth - 2] = (byte) 0x80;
		return CborBytes.map("a", arrays);
	}

	@Test
	void becomesNoLongerThanAllowed() {
		assertThat(convert(CborBytes.text("x".repeat(998)))).hasSize(1000);
		assertThat(this.converter.fault()).isNull();
		convert(CborBytes.text("\u0001".repeat(500)));
		assertThat(this.converter.fault()).contains("max-object-size");
		assertThat(this.converter.text().bytes()).hasSizeLessThan(2048);
	}

	@ParameterizedTest
	@ValueSource(strings = { "ff", "1c", "3d", "5e", "df", "f818", "1f", "5bffffffffffffffff", "bf01ff", "5f6161ff",
			"7f7f6161ffff", "c1ff", "9bffffffffffffffff" })
	void bytesThatAreNoCborAreAnError(String cbor) {
		assertThatExceptionOfType(MalformedResponseException.class)
			.isThrownBy(() -> CborToJson.whole(frame(CborBytes.hex(cbor)), MAX_DEPTH));
	}

}

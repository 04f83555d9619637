package dev.reflector.client.internal.proto;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

import dev.reflector.ResourceType;
import dev.reflector.client.fixture.CborBytes;
import dev.reflector.client.fixture.ProtoBytes;
import dev.reflector.client.internal.bind.Shape;
import dev.reflector.client.internal.frame.MalformedResponseException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class ProtobufToJsonTests {

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private static final int LIMIT = 100_000;

	private final ProtobufToJson json = new ProtobufToJson(50, LIMIT);

	private static Plan plan(String message, Shape shape) {
		return new Planner(MessageTable.get()).plan(message, shape, null);
	}

	private static Shape.Properties properties(Object... namesAndShapes) {
		Map<String, Shape> properties = new LinkedHashMap<>();
		for (int i = 0; i < namesAndShapes.length; i += 2) {
			properties.put((String) namesAndShapes[i], (Shape) namesAndShapes[i + 1]);
		}
		Shape.Properties shape = new Shape.Properties();
		shape.setProperties(properties);
		return shape;
	}

	private String translate(Plan plan, boolean cut, byte[]... fields) {
		byte[] bytes = CborBytes.joined(fields);
		this.json.over(bytes, 0, bytes.length, cut);
		this.json.text().put('{');
		this.json.members(plan, 0, bytes.length, true);
		return new String(this.json.text().bytes(), 0, this.json.text().length(), StandardCharsets.UTF_8);
	}

	private String translate(String message, byte[]... fields) {
		return translate(plan(message, Shape.ALL), false, fields);
	}

	private @Nullable String fault(String message, byte[]... fields) {
		translate(message, fields);
		return this.json.fault();
	}

	@Test
	void writesOnlyWhatTheTypeUses() {
		Shape containers = new Shape.Elements(properties("image", Shape.ALL, "httpGet", Shape.ALL));
		Shape shape = properties("spec", properties("containers", containers, "nodeName", Shape.ALL), "status",
				properties(), "metadata", properties("labels", new Shape.Entries(Shape.ALL)));
		byte[] container = ProtoBytes.bytes(2, ProtoBytes.text(1, "c"), ProtoBytes.text(2, "i"));
		String text = translate(plan("core.v1.Pod", shape), false,
				ProtoBytes.bytes(1, ProtoBytes.text(1, "a"),
						ProtoBytes.bytes(11, ProtoBytes.text(1, "k"), ProtoBytes.text(2, "v")), ProtoBytes.bytes(11)),
				// a field that is not used may be broken
				ProtoBytes.bytes(2, container, ProtoBytes.bytes(1, CborBytes.hex("ffff")), container,
						ProtoBytes.text(10, "node")),
				ProtoBytes.bytes(3, ProtoBytes.text(1, "Running")));
		assertThat(text).isEqualTo("{\"metadata\":{\"labels\":{\"k\":\"v\",\"\":\"\"}},"
				+ "\"spec\":{\"containers\":[{\"image\":\"i\"},{\"image\":\"i\"}],\"nodeName\":\"node\"},\"status\":{}}");
		assertThat(this.json.fault()).isNull();
	}

	@Test
	void findsPartsOfInlineMessages() {
		Shape shape = properties("spec",
				properties("volumes", new Shape.Elements(properties("configMap", properties("name", Shape.ALL)))));
		byte[] source = ProtoBytes.bytes(2, ProtoBytes.bytes(19, ProtoBytes.bytes(1, ProtoBytes.text(1, "cm"))));
		assertThat(translate(plan("core.v1.Pod", shape), false,
				ProtoBytes.bytes(2, ProtoBytes.bytes(1, ProtoBytes.text(1, "v"), source))))
			.isEqualTo("{\"spec\":{\"volumes\":[{\"configMap\":{\"name\":\"cm\"}}]}}");
	}

	@Test
	void aShapeThatDoesNotFitLeavesNothingOut() {
		Shape shape = properties("finalizers", properties("a", Shape.ALL), "labels", properties("a", Shape.ALL), "name",
				new Shape.Elements(Shape.ALL));
		assertThat(translate(plan("meta.v1.ObjectMeta", shape), false, ProtoBytes.text(1, "n"),
				ProtoBytes.bytes(11, ProtoBytes.text(1, "k"), ProtoBytes.text(2, "v")), ProtoBytes.text(14, "f")))
			.isEqualTo("{\"name\":\"n\",\"labels\":{\"k\":\"v\"},\"finalizers\":[\"f\"]}");
	}

	@Test
	void numbersMayBePacked() {
		assertThat(translate("core.v1.PodSecurityContext",
				ProtoBytes.bytes(4, ProtoBytes.varint(1), ProtoBytes.varint(-1)), ProtoBytes.number(4, 300)))
			.isEqualTo("{\"supplementalGroups\":[1,-1,300]}");
		assertThat(fault("core.v1.PodSecurityContext", ProtoBytes.bytes(4, CborBytes.hex("01ff"))))
			.contains("breaks off");
		assertThat(fault("core.v1.PodSecurityContext", ProtoBytes.bytes(4))).contains("has none");
	}

	@ParameterizedTest
	@CsvSource({ "0,1970-01-01T00:00:00Z", "-1,1969-12-31T23:59:59Z", "951782400,2000-02-29T00:00:00Z",
			"-62135596800,0001-01-01T00:00:00Z", "253402300799,9999-12-31T23:59:59Z" })
	void writesTimes(long seconds, String expected) {
		assertThat(translate("meta.v1.ObjectMeta", ProtoBytes.bytes(9, ProtoBytes.number(1, seconds))))
			.isEqualTo("{\"deletionTimestamp\":\"" + expected + "\"}");
	}

	@Test
	void otherTimesAreFaults() {
		for (long seconds : new long[] { 253402300800L, -62135596801L, Long.MIN_VALUE, Long.MAX_VALUE }) {
			assertThat(fault("meta.v1.ObjectMeta", ProtoBytes.bytes(9, ProtoBytes.number(1, seconds))))
				.contains("a time that is none");
		}
		assertThat(fault("meta.v1.ObjectMeta", ProtoBytes.bytes(9, ProtoBytes.number(2, 1_000_000_000L))))
			.contains("a time that is none");
	}

	@Test
	void invalidBytesAreFaults() {
		String meta = "meta.v1.ObjectMeta";
		assertThat(fault(meta, new byte[] { 1 << 3 | 3 })).contains("no valid protobuf", "wire type 3");
		assertThat(fault(meta, new byte[] { 1 << 3 | 7 })).contains("wire type 7");
		assertThat(fault(meta, new byte[] { 0 })).contains("no valid number");
		assertThat(fault(meta, CborBytes.hex("8080808080808001"))).contains("no valid number");
		assertThat(fault(meta, CborBytes.hex("08ffffffffffffffffffff01"))).contains("more than 10 bytes");
		assertThat(fault(meta, ProtoBytes.varint(1 << 3 | 2), ProtoBytes.varint(5), new byte[4]))
			.contains("beyond the end");
		assertThat(fault(meta, ProtoBytes.varint(1 << 3 | 2), ProtoBytes.varint(-1))).contains("beyond the end");
		assertThat(fault(meta, ProtoBytes.varint(1 << 3 | 2), ProtoBytes.varint(Long.MIN_VALUE)))
			.contains("beyond the end");
		assertThat(fault(meta, ProtoBytes.varint(1 << 3 | 1), new byte[7])).contains("breaks off");
		assertThat(fault(meta, ProtoBytes.varint(99 << 3))).contains("breaks off");
		assertThat(fault(meta, ProtoBytes.number(1, 1))).contains("another wire type");
		assertThat(fault(meta, ProtoBytes.bytes(7))).contains("another wire type");
		assertThat(fault(meta, ProtoBytes.number(13, 1))).contains("another wire type");
		assertThat(fault(meta, ProtoBytes.number(11, 1))).contains("another wire type");
		assertThat(fault(meta, ProtoBytes.bytes(11, ProtoBytes.number(1, 1)))).contains("another wire type");
		assertThat(fault(meta, ProtoBytes.bytes(11, ProtoBytes.number(2, 1)))).contains("another wire type");
		assertThat(fault(meta, ProtoBytes.bytes(1, CborBytes.hex("c080")))).contains("no UTF-8");
		assertThat(fault(meta, ProtoBytes.bytes(11, ProtoBytes.bytes(1, CborBytes.hex("ff"))))).contains("no UTF-8");
		assertThat(fault("core.v1.Volume", ProtoBytes.number(2, 1))).contains("another wire type");
	}

	@Test
	void aFieldInTwoPlacesIsAFault() {
		assertThat(fault("meta.v1.ObjectMeta", ProtoBytes.text(1, "a"), ProtoBytes.text(1, "b")))
			.contains("'name' comes in two places");
		assertThat(fault("meta.v1.ObjectMeta", ProtoBytes.text(14, "a"), ProtoBytes.text(1, "b"),
				ProtoBytes.text(14, "c")))
			.contains("'finalizers' comes in two places");
	}

	@Test
	void jsonWithinCannotChangeWhatIsAroundIt() {
		for (String raw : new String[] { "{},\"metadata\":{}", "1}", "}", "[", "\"a", "{} {}", "" + (char) 1 }) {
			assertThat(fault("apps.v1.ControllerRevision", ProtoBytes.bytes(2, ProtoBytes.text(1, raw)))).as(raw)
				.contains("no JSON");
		}
		assertThat(translate("apps.v1.ControllerRevision", ProtoBytes.bytes(2, ProtoBytes.text(1, " 7")),
				ProtoBytes.number(3, 2)))
			.isEqualTo("{\"data\": 7,\"revision\":2}");
	}

	@Test
	void depthIsBounded() {
		byte[] schema = ProtoBytes.text(5, "string");
		for (int i = 0; i < 60; i++) {
			schema = ProtoBytes.bytes(28, schema);
		}
		assertThat(fault("apiextensions.v1.JSONSchemaProps", schema)).contains("nested deeper than 50");
		byte[] either = new byte[0];
		for (int i = 0; i < 100_000 && either.length < 50_000; i++) {
			either = ProtoBytes.bytes(30, ProtoBytes.bytes(2, either));
		}
		assertThat(fault("apiextensions.v1.JSONSchemaProps", either)).contains("nested deeper than 50");
	}

	@Test
	void theTextIsBounded() {
		assertThat(fault("meta.v1.ObjectMeta", ProtoBytes.bytes(1, new byte[LIMIT / 2])))
			.contains("reflector.api-server.max-object-size");
	}

	@Test
	void theBeginningOfAMessageIsNeverClosed() {
		ProtoBytes.Written pod = ProtoBytes.ofKubernetes("v1 Pod 1");
		Plan plan = plan("core.v1.Pod", Shape.ALL);
		byte[] object = object(pod.protobuf());
		for (int length = 0; length < object.length; length += 1 + length / 50) {
			byte[] beginning = Arrays.copyOf(object, length);
			String text = translate(plan, true, beginning);
			assertThat(this.json.fault()).contains("breaks off");
			assertThat(isJson(text)).as(text).isFalse();
			translate(plan, false, beginning);
			assertThat(this.json.fault() == null).isEqualTo(isJson(translate(plan, false, beginning)));
		}
	}

	@Test
	void damagedObjectsAreFaultsOrJson() {
		Random random = new Random(28);
		for (ProtoBytes.Written written : ProtoBytes.ofKubernetes()) {
			if (!written.name().endsWith(" 0.6")) {
				continue;
			}
			String[] name = written.name().split(" ");
			Plan plan = plan(Objects.requireNonNull(MessageTable.get().of(ResourceType.of(name[0], name[1], null))),
					Shape.ALL);
			byte[] object = object(written.protobuf());
			for (int i = 0; i < 200; i++) {
				byte[] damaged = object.clone();
				for (int j = 0; j <= i % 4; j++) {
					damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
				}
				String text = translate(plan, false, damaged);
				assertThat(this.json.fault() == null).as(text).isEqualTo(isJson(text));
			}
		}
	}

	@Test
	void damagedEnvelopesAreErrorsOrFaults() {
		byte[] object = ProtoBytes.ofKubernetes("v1 Pod 0").protobuf();
		Random random = new Random(28);
		for (int i = 0; i < 5000; i++) {
			byte[] damaged = Arrays.copyOf(object, random.nextInt(object.length) + 1);
			damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
			this.json.over(damaged, 0, damaged.length, false);
			Envelope envelope = new Envelope(this.json.wire());
			try {
				envelope.openObject(0, damaged.length);
				this.json.text().put('{');
				envelope.writeType(this.json.text());
			}
			catch (MalformedResponseException ex) {
				continue;
			}
			assertThat(envelope.to()).isLessThanOrEqualTo(damaged.length);
		}
	}

	private static byte[] object(byte[] enveloped) {
		Wire wire = new Wire();
		wire.over(enveloped, 0, enveloped.length, false);
		Envelope envelope = new Envelope(wire);
		envelope.openObject(0, enveloped.length);
		return Arrays.copyOfRange(enveloped, envelope.from(), envelope.to());
	}

	private static boolean isJson(String text) {
		try {
			MAPPER.readTree(text);
			return true;
		}
		catch (JacksonException ex) {
			return false;
		}
	}

}

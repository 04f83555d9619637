package dev.reflector.client.internal.decode;

import java.nio.charset.StandardCharsets;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.reflector.ObjectMeta;
import dev.reflector.ResourceType;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.client.internal.bind.ObjectBinder;
import dev.reflector.client.internal.bind.ServerObjectModule;
import dev.reflector.client.internal.bind.UnreadableReason;
import dev.reflector.client.internal.frame.Frame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of the log of objects that the constructor of the type refuses.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnreadableObjectTests {

	private final Logger logger = (Logger) LoggerFactory.getLogger(ObjectDecoder.class);

	@AfterEach
	void reset() {
		this.logger.setLevel(null);
	}

	private static Decoded<Checked> decode(String name, String size) {
		return decode(Checked.class, name, size);
	}

	private static <T> Decoded<T> decode(Class<T> javaType, String name, String size) {
		byte[] bytes = """
				{"apiVersion":"v1","kind":"Checked","metadata":{"name":"%s","resourceVersion":"1"},"size":%s}"""
			.formatted(name, size)
			.getBytes(StandardCharsets.UTF_8);
		ResourceType type = ResourceType.of("v1", "Checked", "checked");
		return new ObjectDecoder<>(
				new ObjectBinder<>(ServerObjectModule.mapper(JsonMapper.builder().build()).readerFor(javaType),
						javaType),
				MetadataAccessor.forType(javaType), new ExpectedType(type, false))
			.decode(new Frame(bytes, 0, bytes.length, bytes.length, false), null);
	}

	@Test
	void whatTheConstructorThrowsIsLoggedAtDebugWithoutItsMessage(CapturedOutput output) {
		this.logger.setLevel(Level.DEBUG);
		assertThat(decode("a", "-1")).isInstanceOf(Decoded.Unreadable.class);
		assertThat(output).contains("has thrown java.lang.IllegalArgumentException at ")
			.doesNotContain("too small")
			.contains("UnreadableObjectTests.java")
			.contains("while the object a was read");
	}

	@Test
	void textThatJacksonQuotesFromAnObjectIsNotLogged(CapturedOutput output) {
		this.logger.setLevel(Level.DEBUG);
		assertThat(decode("a", "\"secret\"")).isInstanceOf(Decoded.Unreadable.class);
		assertThat(output).doesNotContain("secret");
	}

	@Test
	void theMessageIsNotLoggedAboveDebug(CapturedOutput output) {
		this.logger.setLevel(Level.INFO);
		assertThat(decode("b", "-2")).isInstanceOf(Decoded.Unreadable.class);
		assertThat(output).doesNotContain("too small");
	}

	@Test
	void whatAnAccessorThrowsIsNotShown(CapturedOutput output) {
		this.logger.setLevel(Level.DEBUG);
		assertThat(decode(Quoting.class, "c", "-77341")).isInstanceOfSatisfying(Decoded.Unreadable.class,
				(unreadable) -> assertThat(unreadable.object().toString())
					.contains("its metadata could not be read: java.lang.IllegalArgumentException")
					.doesNotContain("-77341"));
		assertThat(output).contains("has thrown java.lang.IllegalArgumentException at ")
			.contains("while the metadata of an object was read")
			.doesNotContain("-77341");
		assertThat(decode(Quoting.class, "", "0")).isInstanceOfSatisfying(Decoded.Unreadable.class,
				(unreadable) -> assertThat(unreadable.object().reason()).endsWith("Quoting has no metadata.name"));
	}

	/** Names of accessors may be within names of properties, or be all of them. */
	@ParameterizedTest
	@ValueSource(strings = { "targetPort", "asset", "isPublic", "getAway", "withoutSet" })
	void aDeclaredPropertyIsNamed(String name) {
		JsonMapper mapper = JsonMapper.builder().build();
		assertThatExceptionOfType(MismatchedInputException.class)
			.isThrownBy(() -> mapper.readValue("{\"" + name + "\":\"secret\"}", Named.class))
			.satisfies((ex) -> assertThat(UnreadableReason.of(ex)).isEqualTo(
					"the value at " + name + " does not fit the Java type int: it is a JSON string; declare String"));
	}

	record Named(int targetPort, int asset, int isPublic, int getAway, int withoutSet) {

	}

	record Quoting(ObjectMeta metadata, int size) {

		@Override
		public ObjectMeta metadata() {
			if (this.size < 0) {
				throw new IllegalArgumentException("the size is too small: " + this.size);
			}
			return this.metadata;
		}

	}

	record Checked(ObjectMeta metadata, int size) {

		Checked {
			if (size < 0) {
				throw new IllegalArgumentException("the size is too small: " + size + "\nforged");
			}
		}

	}

}

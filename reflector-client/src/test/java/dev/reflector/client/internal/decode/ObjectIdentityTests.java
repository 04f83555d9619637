package dev.reflector.client.internal.decode;

import java.nio.charset.StandardCharsets;

import dev.reflector.ResourceKey;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ObjectIdentity}.
 */
class ObjectIdentityTests {

	@Test
	void inTheOrderOfBuiltInTypes() {
		assertThat(read("""
				{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","generateName":"a-","namespace":"n","uid":"u",\
				"resourceVersion":"7","labels":{"resourceVersion":"8"}},"spec":{}}"""))
			.isEqualTo(new ObjectIdentity(ResourceKey.of("n", "a"), "u", "7"));
	}

	@Test
	void inTheOrderOfTheAlphabet() {
		assertThat(read("""
				{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"annotations":{"uid":"x","name":"\\u0041"},\
				"managedFields":[{"name":"no","fieldsV1":{"f:metadata":{}}}],"name":"a","namespace":"n",\
				"resourceVersion":"7","uid":"u"},"spec":{}}"""))
			.isEqualTo(new ObjectIdentity(ResourceKey.of("n", "a"), "u", "7"));
	}

	@Test
	void ofAnItemWithoutType() {
		assertThat(read(" { \"metadata\" : { \"name\" : \"a\" , \"resourceVersion\" : \"7\" } , \"spec\":{}}"))
			.isEqualTo(new ObjectIdentity(ResourceKey.of(null, "a"), "", "7"));
	}

	@Test
	void textAfterTheIdentityIsNotRead() {
		assertThat(read("{\"metadata\":{\"name\":\"a\",\"uid\":\"u\",\"resourceVersion\":\"7\",\"labels\":{\"broken"))
			.isEqualTo(new ObjectIdentity(ResourceKey.of(null, "a"), "u", "7"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "null", "[]", "{}", "{\"metadata\":null}", "{\"metadata\":{}}",
			"{\"spec\":{},\"metadata\":{\"name\":\"a\",\"uid\":\"u\",\"resourceVersion\":\"7\"}}",
			"{\"metadata\":{\"name\":\"a\",\"uid\":\"u\",\"resourceVersion\":7}}",
			"{\"metadata\":{\"name\":\"\",\"uid\":\"u\",\"resourceVersion\":\"7\"}}",
			"{\"metadata\":{\"name\":\"\\u0061\",\"uid\":\"u\",\"resourceVersion\":\"7\"}}",
			"{\"metadata\":{\"na\\u006de\":\"a\",\"uid\":\"u\",\"resourceVersion\":\"7\"}}",
			"{\"metadata\":{\"name\":\"a\",\"uid\":\"u\",\"resourceVersion\":\"7",
			"{\"metadata\":{\"name\":\"a\",\"uid\":\"u\"}", "{\"kind\":\"Pod\"", "{\"metadata\":[\"name\"]}" })
	void anIncompleteIdentityIsNotGuessed(String text) {
		assertThat(read(text)).isNull();
	}

	private static @Nullable ObjectIdentity read(String text) {
		byte[] bytes = ("..." + text + "}}").getBytes(StandardCharsets.UTF_8);
		return ObjectIdentity.read(bytes, 3, bytes.length - 2);
	}

}

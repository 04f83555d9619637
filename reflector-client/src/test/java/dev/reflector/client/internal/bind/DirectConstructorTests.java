package dev.reflector.client.internal.bind;

import java.util.Arrays;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.exc.ValueInstantiationException;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link DirectConstructor}.
 */
class DirectConstructorTests {

	private static final String TEXT = "{\"size\":3,\"large\":4,\"flag\":true,\"name\":\"n\",\"tags\":[\"a\",\"b\"]}";

	private static ObjectReader reader(Class<?> type) {
		return ServerObjectModule.mapper(JsonMapper.builder().build()).readerFor(type);
	}

	@Test
	void passesPropertiesAsTheyAre() {
		assertThat(reader(Value.class).<Value>readValue(TEXT)).isEqualTo(new Value(3, 4, true, "n", List.of("a", "b")));
		assertThat(reader(Value.class).<Value>readValue("{\"size\":null}"))
			.isEqualTo(new Value(0, 0, false, null, null));
		assertThat(reader(Nothing.class).<Nothing>readValue("{\"size\":1}")).isEqualTo(new Nothing());
		assertThat(reader(Bean.class).<Bean>readValue(TEXT).described).isEqualTo("n of [a, b]");
	}

	@Test
	void reportsExceptionsOfTheConstructorLikeJackson() {
		assertThatExceptionOfType(ValueInstantiationException.class)
			.isThrownBy(() -> reader(Value.class).readValue("{\"size\":-1}"))
			.satisfies((ex) -> {
				assertThat(ex.getCause()).isInstanceOf(IllegalStateException.class).hasMessage("negative");
				assertThat(ex.getType().getRawClass()).isEqualTo(Value.class);
				// not called through a handle that Jackson makes for each call
				assertThat(ex.getCause().getStackTrace()).extracting(StackTraceElement::getMethodName)
					.doesNotContain("invokeWithArguments");
			});
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> reader(Value.class).readValue("{\"size\":-2}"))
			.withMessage("wrong");
	}

	private record Value(int size, long large, boolean flag, @Nullable String name, @Nullable List<String> tags) {

		Value {
			if (size == -1) {
				throw new IllegalStateException("negative");
			}
			if (size == -2) {
				throw new AssertionError("wrong");
			}
		}

	}

	private record Nothing() {

	}

	private static final class Bean {

		private final String described;

		@JsonCreator
		private Bean(@JsonProperty("name") String name, @JsonProperty("tags") String... tags) {
			this.described = name + " of " + Arrays.toString(tags);
		}

	}

}

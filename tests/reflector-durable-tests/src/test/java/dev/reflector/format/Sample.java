package dev.reflector.format;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.reflector.ObjectMeta;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * An object of many types of components.
 */
record Sample(ObjectMeta metadata, @Nullable Spec spec) {

	record Spec(@Nullable String text, int number, long large, double ratio, boolean flag, @Nullable Integer missing,
			@Nullable List<String> list, @Nullable Map<String, Integer> map, @Nullable Color color,
			@Nullable Instant at, @Nullable BigDecimal decimal, Optional<String> optional, @Nullable JsonNode tree,
			@Nullable Nested nested) {

	}

	record Nested(@Nullable String name, @Nullable List<Nested> children) {

	}

	enum Color {

		RED, BLUE

	}

}

package dev.reflector;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ObjectMeta}.
 */
class ObjectMetaTests {

	@Test
	void theMapperOfSpringBootReadsAndWritesIt() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(JacksonAutoConfiguration.class))
			.run((context) -> {
				JsonMapper mapper = context.getBean(JsonMapper.class);
				assertThat(mapper.readValue("""
						{"name":"a","managedFields":[],"ownerReferences":[{"name":"b"},{"controller":true}]}""",
						ObjectMeta.class))
					.isEqualTo(new ObjectMeta("a", null, null, null, 0, Map.of(), Map.of(), null, null, List.of(),
							List.of(new ObjectMeta.OwnerReference(null, null, "b", null, false),
									new ObjectMeta.OwnerReference(null, null, null, null, true))));
				assertThat(mapper.readValue("{\"generation\":null}", ObjectMeta.class).generation()).isZero();
				ObjectMeta full = new ObjectMeta("a", "b", "c", "7", 3, Map.of("k", "v"), Map.of("x", "y"),
						Instant.parse("2026-01-31T12:00:00Z"), Instant.parse("2026-01-31T12:00:01Z"), List.of("f"),
						List.of(new ObjectMeta.OwnerReference("v1", "Pod", "o", "u", true)));
				assertThat(mapper.readValue(mapper.writeValueAsString(full), ObjectMeta.class)).isEqualTo(full);
			});
	}

}

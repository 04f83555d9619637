package com.example;

import java.util.Map;

import dev.reflector.Lister;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.context.ReflectorProbe;
import dev.reflector.test.context.ReflectorTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The slice of an application that has nothing but the starter, in particular none of
 * Spring Boot's auto-configuration of Jackson.
 */
@ReflectorTest
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WidgetSliceTests {

	@Test
	void mirrorsWhatTheEmbeddedServerHas(@Autowired EmbeddedApiServer server, @Autowired ReflectorProbe probe,
			@Autowired Lister<?> mirror) {
		assertThat(ClassUtils.isPresent("org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
				getClass().getClassLoader()))
			.isFalse();
		server.resources("widgets").create(Map.of("metadata", Map.of("name", "a"), "spec", Map.of("size", 4)));
		probe.awaitCaughtUp();
		assertThat(String.valueOf(mirror.get("default", "a"))).startsWith("Widget[").endsWith("spec=Spec[size=4]]");
	}

}

package com.example;

import java.util.Map;

import dev.reflector.Lister;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.context.ReflectorProbe;
import dev.reflector.test.context.ReflectorTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The slice of the application of the quick start.
 */
@ReflectorTest
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WidgetSliceTests {

	@Test
	void mirrorsWhatTheEmbeddedServerHas(@Autowired EmbeddedApiServer server, @Autowired ReflectorProbe probe,
			@Autowired Lister<?> mirror) {
		server.resources("widgets").create(Map.of("metadata", Map.of("name", "a"), "spec", Map.of("size", 4)));
		probe.awaitCaughtUp();
		assertThat(String.valueOf(mirror.get("default", "a"))).startsWith("Widget[").endsWith("spec=Spec[size=4]]");
	}

}

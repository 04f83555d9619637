package com.example.widgets;

import java.time.Duration;
import java.util.Map;

import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import dev.reflector.test.context.ManualTimeSource;
import dev.reflector.test.context.ReflectorProbe;
import dev.reflector.test.context.ReflectorTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

// tag::overload[]
@ReflectorTest(manualTime = true)
class OverloadTests {

	@Test
	void waitsAsLongAsTheServerAsksFor(@Autowired EmbeddedApiServer server, @Autowired Reflector<Widget> reflector,
			@Autowired Lister<Widget> mirror, @Autowired ReflectorProbe probe, @Autowired ManualTimeSource time) {
		server.fail((request) -> request.isAbout("widgets"), 1, Fault.status(429).withRetryAfter(30));
		reflector.relist();
		probe.awaitState(reflector, ReflectorState.BACKING_OFF);
		server.resources("widgets").create(Map.of("metadata", Map.of("name", "missed"), "spec", Map.of("size", 1)));
		assertThat(time.waiting())
			.anyMatch((delay) -> delay.toSeconds() >= 30 && delay.compareTo(Duration.ofMinutes(1)) < 0);
		assertThat(mirror.list()).isEmpty();
		time.advance(Duration.ofMinutes(2));
		probe.awaitAdded(Widget.class, (event) -> event.key().name().equals("missed"));
		assertThat(mirror.get("default", "missed")).isNotNull();
	}

}
// end::overload[]

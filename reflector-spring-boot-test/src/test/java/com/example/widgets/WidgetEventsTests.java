package com.example.widgets;

import java.util.Map;

import dev.reflector.Lister;
import dev.reflector.event.ResourceUpdatedEvent;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import dev.reflector.test.context.RecordedEvents;
import dev.reflector.test.context.ReflectorProbe;
import dev.reflector.test.context.ReflectorTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

// tag::slice[]
@ReflectorTest
class WidgetEventsTests {

	@Test
	void anUpdateKnowsWhatWasBefore(@Autowired EmbeddedApiServer server, @Autowired ReflectorProbe probe,
			@Autowired RecordedEvents events, @Autowired Lister<Widget> mirror) {
		ResourceCollection widgets = server.resources("widgets");
		widgets.create(Map.of("metadata", Map.of("name", "first"), "spec", Map.of("size", 1)));
		widgets.mergePatch("default", "first", Map.of("spec", Map.of("size", 2)));
		ResourceUpdatedEvent<Widget> updated = probe.awaitUpdated(Widget.class,
				(event) -> event.key().name().equals("first"));
		assertThat(updated.previous().spec().size()).isEqualTo(1);
		assertThat(updated.resource()).isSameAs(mirror.get("default", "first"));
		assertThat(events.ofType(Widget.class).added()).hasSize(1);
		assertThat(events.ofType(Widget.class).deleted()).isEmpty();
	}

}
// end::slice[]

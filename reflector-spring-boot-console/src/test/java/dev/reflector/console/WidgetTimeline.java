package dev.reflector.console;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.example.console.ConsoleTestApplication;
import dev.reflector.test.RecordedRequest;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The timeline of the reflector of widgets, as the console shows it.
 */
final class WidgetTimeline {

	private final RunningConsole console;

	/** Marks and spans that were forgotten. */
	private final Set<Long> known = new HashSet<>();

	WidgetTimeline(RunningConsole console) {
		this.console = console;
	}

	/** Starts an application with one widget, and waits until it is mirrored. */
	static RunningConsole start(String... arguments) {
		RunningConsole console = RunningConsole.start(List.of(ConsoleTestApplication.class),
				WebApplicationType.REACTIVE, (server) -> {
					server.resources("widgets")
						.create(Map.of("metadata", Map.of("namespace", "shop", "name", "first"), "spec",
								Map.of("size", 1)));
					return server;
				}, arguments);
		WidgetTimeline timeline = new WidgetTimeline(console);
		await().untilAsserted(timeline::assertHealed);
		return console;
	}

	static boolean isWatch(RecordedRequest request) {
		return request.isWatch() && request.isAbout("widgets");
	}

	/** Leaves out from now on what is on the timeline now. */
	void forget() {
		JsonNode timeline = all();
		for (String part : List.of("spans", "marks")) {
			timeline.path(part).valueStream().forEach((entry) -> this.known.add(entry.path("id").asLong()));
		}
	}

	JsonNode all() {
		return this.console.json("/reflectors/api/reflectors/widgets/timeline");
	}

	List<JsonNode> spans(String kind) {
		return entries("spans", kind);
	}

	List<JsonNode> marks(String kind) {
		return entries("marks", kind);
	}

	private List<JsonNode> entries(String part, String kind) {
		return all().path(part)
			.valueStream()
			.filter((entry) -> entry.path("kind").asString().equals(kind))
			.filter((entry) -> !this.known.contains(entry.path("id").asLong()))
			.toList();
	}

	/** A watch is open, and the mirror is followed. */
	void assertHealed() {
		JsonNode widgets = this.console.json("/reflectors/api/reflectors").path("reflectors").get(1);
		assertThat(widgets.path("state").asString()).as(() -> all().toString()).isEqualTo("WATCHING");
		assertThat(widgets.path("fresh").asBoolean()).as(widgets.toString()).isTrue();
		assertThat(all().path("spans").valueStream())
			.anyMatch((span) -> span.path("kind").asString().equals("WATCH") && span.path("end").isNull());
	}

}

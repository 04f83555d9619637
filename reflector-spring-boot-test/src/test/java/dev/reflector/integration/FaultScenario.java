package dev.reflector.integration;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.ResourceCollection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A server with two widgets, and applications that mirror them with hardly a delay.
 */
abstract class FaultScenario {

	static final Predicate<RecordedRequest> STREAMED_LIST = (request) -> request.isWatch()
			&& request.parameter("sendInitialEvents") != null;

	static final String LIST = "reflector.watch.initial-list=list";

	static final String STREAM = "reflector.watch.initial-list=auto";

	/** For those only that are about silence: else a machine that stands still is one. */
	static final String IDLE = "reflector.api-server.idle-timeout=6s";

	/** For those only that are about silence. */
	static final String NO_ANSWER = "reflector.api-server.response-timeout=6s";

	EmbeddedApiServer server;

	ResourceCollection widgets;

	@BeforeEach
	void startServer() {
		this.server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.cbor(!format().equals("json"))
			.start();
		this.widgets = this.server.resources("widgets");
		create("a");
		create("b");
	}

	/** In which objects are asked for. */
	String format() {
		return "json";
	}

	@AfterEach
	void closeServer() {
		this.server.close();
	}

	final void create(String name) {
		this.widgets.create(Map.of("metadata", Map.of("name", name), "spec", Map.of("size", 1)));
	}

	final MirrorApplication application(String... properties) {
		List<String> all = new ArrayList<>(
				List.of("reflector.backoff.initial=20ms", "reflector.backoff.max=20ms", "reflector.backoff.jitter=0",
						"logging.level.reactor.netty=error", "reflector.api-server.format=" + format()));
		all.addAll(List.of(properties));
		return MirrorApplication.on(this.server, all.toArray(String[]::new));
	}

	final List<RecordedRequest> lists() {
		return this.server.requests(RecordedRequest::isList);
	}

	final List<RecordedRequest> watches() {
		return this.server.requests(RecordedRequest::isWatch);
	}

	/** Four events: version 4 adds c, 5 deletes a, 6 changes b, 7 adds d. */
	final void write() {
		create("c");
		this.widgets.delete("default", "a");
		this.widgets.mergePatch("default", "b", Map.of("spec", Map.of("size", 5)));
		create("d");
	}

	final void awaitWatching(MirrorApplication application) {
		application.awaitEqualTo(this.widgets);
		application.awaitWatching(this.server);
		assertThat(application.heard.mistakes).isEmpty();
	}

}

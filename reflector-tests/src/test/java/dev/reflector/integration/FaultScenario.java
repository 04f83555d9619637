package dev.reflector.integration;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import dev.reflector.test.RecordedRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications that mirror two widgets with hardly a delay.
 */
abstract class FaultScenario extends WidgetScenario {

	static final Predicate<RecordedRequest> STREAMED_LIST = (request) -> request.isWatch()
			&& request.parameter("sendInitialEvents") != null;

	static final String LIST = "reflector.watch.initial-list=list";

	static final String STREAM = "reflector.watch.initial-list=auto";

	/**
	 * Only for faults that are silent: otherwise a stalled machine would count as
	 * silence.
	 */
	static final String IDLE = "reflector.api-server.idle-timeout=6s";

	/** Only for faults that are silent. */
	static final String NO_ANSWER = "reflector.api-server.response-timeout=6s";

	/** The format in which objects are requested. */
	String format() {
		return "json";
	}

	/** The HTTP library that they use. */
	String connector() {
		return "reactor";
	}

	@Override
	final boolean cbor() {
		return !format().equals("json");
	}

	final MirrorApplication application(String... properties) {
		List<String> all = new ArrayList<>(List.of("reflector.backoff.initial=20ms", "reflector.backoff.max=20ms",
				"reflector.backoff.jitter=0", "logging.level.reactor.netty=error",
				"reflector.api-server.format=" + format(), "spring.http.clients.reactive.connector=" + connector()));
		all.addAll(List.of(properties));
		return MirrorApplication.on(this.server, all.toArray(String[]::new));
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

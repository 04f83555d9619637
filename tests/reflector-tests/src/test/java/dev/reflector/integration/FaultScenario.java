package dev.reflector.integration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.reflector.test.Fault;
import dev.reflector.test.RecordedRequest;
import org.junit.jupiter.api.DynamicTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

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

	/** The timeout of a class does not end dynamic tests. */
	private static final Duration LONGEST = Duration.ofSeconds(120);

	/** How many times {@link #openWatch} was called. */
	private int round;

	/** The format in which objects are requested. */
	String format() {
		return "json";
	}

	/** The HTTP library that they use. */
	String connector() {
		return "reactor";
	}

	/** The server has all formats: what is requested decides. */
	@Override
	final boolean cbor() {
		return true;
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

	/**
	 * A test for each way in which something is damaged, all of them with one
	 * application, which is in step before each of them.
	 */
	final Stream<DynamicTest> withOneApplication(Stream<Way> ways, BiConsumer<MirrorApplication, Way> test,
			String... properties) {
		MirrorApplication application = application(properties);
		return ways.map((way) -> dynamicTest(way.name(), () -> assertTimeoutPreemptively(LONGEST, () -> {
			this.server.clearFaults();
			application.heard.events.clear();
			application.heard.mistakes.clear();
			awaitWatching(application);
			test.accept(application, way);
		}))).onClose(() -> assertTimeoutPreemptively(LONGEST, application::close));
	}

	/**
	 * Makes the application end its watch and open another one.
	 * @return the version at which the new watch begins
	 */
	final int openWatch(MirrorApplication application, Fault fault) {
		this.round++;
		// otherwise the old watch would count as a very short one
		create("a" + this.round);
		application.awaitEqualTo(this.widgets);
		this.server.clearRequests();
		this.server.fail(RecordedRequest::isWatch, 1, fault);
		this.server.closeWatches();
		await().until(() -> watches().size() == 1 && this.server.activeWatches() == 1);
		return Integer.parseInt(this.widgets.resourceVersion());
	}

	/**
	 * Four events on a watch of {@link #openWatch}: each has the next version. The second
	 * one is a deletion.
	 * @return the name of what was deleted
	 */
	final String writeToWatch() {
		String deleted = "a" + this.round;
		create("c" + this.round);
		this.widgets.delete("default", deleted);
		this.widgets.mergePatch("default", "b", Map.of("spec", Map.of("size", 1 + this.round)));
		create("d" + this.round);
		return deleted;
	}

	final void awaitWatching(MirrorApplication application) {
		application.awaitEqualTo(this.widgets);
		application.awaitWatching(this.server);
		assertThat(application.heard.mistakes).isEmpty();
	}

	/**
	 * A way in which the server damages an answer.
	 *
	 * @param name the name of the test
	 * @param fault the fault that damages the answer
	 * @param lists how many new lists the fault causes
	 */
	record Way(String name, Fault fault, int lists) {

		/** A way that causes no list. */
		static Way way(String name, Fault fault) {
			return new Way(name, fault, 0);
		}

	}

}

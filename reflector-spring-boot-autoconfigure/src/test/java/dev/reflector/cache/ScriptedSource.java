package dev.reflector.cache;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A source of lists and watches that a test plays the server of: it answers lists as it
 * was told, and hands each opened watch to the test.
 */
final class ScriptedSource implements ListerWatcher<Thing> {

	final List<ListOptions> lists = new CopyOnWriteArrayList<>();

	final List<WatchOptions> watches = new CopyOnWriteArrayList<>();

	private final BlockingQueue<Function<ListOptions, Mono<ListPage<Thing>>>> answers = new LinkedBlockingQueue<>();

	private final BlockingQueue<Throwable> watchFailures = new LinkedBlockingQueue<>();

	private final BlockingQueue<Stream> opened = new LinkedBlockingQueue<>();

	@Override
	public Mono<ListPage<Thing>> list(ListOptions options) {
		this.lists.add(options);
		Function<ListOptions, Mono<ListPage<Thing>>> answer = this.answers.poll();
		return (answer != null) ? answer.apply(options) : Mono.never();
	}

	@Override
	public Flux<WatchEvent<Thing>> watch(WatchOptions options) {
		this.watches.add(options);
		Throwable failure = this.watchFailures.poll();
		if (failure != null) {
			return Flux.error(failure);
		}
		Stream stream = new Stream(options);
		this.opened.add(stream);
		return stream.sink.asFlux().doOnCancel(() -> stream.cancelled = true);
	}

	ScriptedSource answer(String version, Thing... things) {
		return answerPage(version, "", things);
	}

	/** Answers whichever namespace asks with things of that namespace. */
	ScriptedSource answerInNamespace(String version, String... names) {
		this.answers.add((options) -> Mono.just(new ListPage<>(
				Arrays.stream(names).map((name) -> Thing.of(options.namespace(), name, version, "")).toList(), version,
				"", List.of())));
		return this;
	}

	ScriptedSource answerPage(String version, String continueToken, Thing... things) {
		this.answers.add((options) -> Mono.just(new ListPage<>(List.of(things), version, continueToken, List.of())));
		return this;
	}

	ScriptedSource answerSkipping(String version, SkippedObject skipped, Thing... things) {
		this.answers.add((options) -> Mono.just(new ListPage<>(List.of(things), version, "", List.of(skipped))));
		return this;
	}

	ScriptedSource answerNothing() {
		this.answers.add((options) -> Mono.empty());
		return this;
	}

	/** Forgets the answers to lists that have not been given yet. */
	ScriptedSource forget() {
		this.answers.clear();
		return this;
	}

	ScriptedSource failList(Throwable failure) {
		this.answers.add((options) -> Mono.error(failure));
		return this;
	}

	ScriptedSource failWatch(Throwable failure) {
		this.watchFailures.add(failure);
		return this;
	}

	/** The next watch that is opened. */
	Stream nextWatch() throws InterruptedException {
		Stream stream = this.opened.poll(30, TimeUnit.SECONDS);
		assertThat(stream).as("a watch that is opened").isNotNull();
		return stream;
	}

	/** Whether a watch waits for the test to take it. */
	boolean hasOpenedWatch() {
		return !this.opened.isEmpty();
	}

	static ApiException status(int code, String reason) {
		return new ApiException("scripted " + code, new Status(code, reason, "scripted", List.of(), 0, true),
				java.time.Duration.ZERO);
	}

	/** An open watch. */
	static final class Stream {

		final WatchOptions options;

		final Sinks.Many<WatchEvent<Thing>> sink = Sinks.many().unicast().onBackpressureBuffer();

		volatile boolean cancelled;

		Stream(WatchOptions options) {
			this.options = options;
		}

		Stream added(Thing thing) {
			return send(new WatchEvent.Added<>(thing));
		}

		Stream modified(Thing thing) {
			return send(new WatchEvent.Modified<>(thing));
		}

		Stream deleted(Thing thing) {
			return send(new WatchEvent.Deleted<>(thing));
		}

		Stream bookmark(String version) {
			return send(new WatchEvent.Bookmark<>(version, false));
		}

		Stream endMarker(String version) {
			return send(new WatchEvent.Bookmark<>(version, true));
		}

		Stream error(int code, String reason) {
			return send(new WatchEvent.Error<>(status(code, reason).status()));
		}

		Stream send(WatchEvent<Thing> event) {
			this.sink.tryEmitNext(event).orThrow();
			return this;
		}

		void close() {
			this.sink.tryEmitComplete().orThrow();
		}

	}

}

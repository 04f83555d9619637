package dev.reflector.sample.console;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.reflector.event.ReflectorStateChangedEvent;
import dev.reflector.event.ReflectorSyncedEvent;
import dev.reflector.event.ResourceAddedEvent;
import dev.reflector.event.ResourceDeletedEvent;
import dev.reflector.event.ResourceEvent;
import reactor.core.publisher.BufferOverflowStrategy;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Keeps the last events and passes new ones on to the open pages. A page that is too slow
 * misses events; it sees the last ones again when it reconnects.
 */
@Component
class EventFeed {

	static final int KEPT = 200;

	private static final int WAITING = 16;

	private final Sinks.Many<Entry> entries = Sinks.many().replay().limit(KEPT);

	private long number;

	@EventListener
	void on(ResourceEvent<?> event) {
		String what = (event instanceof ResourceAddedEvent) ? "ADDED"
				: (event instanceof ResourceDeletedEvent) ? "DELETED" : "UPDATED";
		publish(event.reflectorName(), what, event.key().toString(), event.resourceVersion(),
				event.initialList() ? "initial list" : MirroredObject.of(event.resource()).summary());
	}

	@EventListener
	void on(ReflectorSyncedEvent event) {
		publish(event.reflectorName(), "SYNCED", "", event.resourceVersion(), "the mirror is complete");
	}

	@EventListener
	void on(ReflectorStateChangedEvent event) {
		publish(event.reflectorName(), "STATE", "", "",
				event.previous() + " → " + event.state() + ": " + event.reason());
	}

	private synchronized void publish(String reflector, String what, String key, String version, String note) {
		Entry entry = new Entry(++this.number, Instant.now(), reflector, what, key, version, note);
		this.entries.tryEmitNext(entry);
	}

	/** The kept events, then those that happen. */
	Flux<List<Entry>> stream() {
		// the first of them come before a connection may be ready to send
		return this.entries.asFlux()
			.bufferTimeout(KEPT, Duration.ofMillis(100))
			.onBackpressureBuffer(WAITING, BufferOverflowStrategy.DROP_OLDEST);
	}

	record Entry(long number, Instant at, String reflector, String what, String key, String resourceVersion,
			String note) {

	}

}

package dev.reflector.console;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * The actions of a reflector in the last quarter of an hour, as spans with a beginning
 * and an end, and as marks for single events. Each change of the timeline has a number,
 * so that a reader can ask for later changes. Thread-safe; each call is short.
 */
final class Timeline {

	static final Duration KEPT = Duration.ofMinutes(15);

	static final int CAPACITY = 500;

	/** Shortest time between two marks of the same kind, in milliseconds. */
	private static final long REPEATED_AFTER = 1000;

	private final LongSupplier clock;

	private final Deque<Entry> spans = new ArrayDeque<>();

	private final Deque<Mark> marks = new ArrayDeque<>();

	private final Set<String> scopes = new HashSet<>();

	private long number;

	private @Nullable Entry backoff;

	/** Whether the current delay takes longer than announced. */
	private boolean overdue;

	/**
	 * Creates an empty timeline.
	 * @param clock supplies the time in milliseconds
	 */
	Timeline(LongSupplier clock) {
		this.clock = clock;
	}

	/**
	 * Begins the span of a request. If the reflector sends requests for one namespace
	 * only, this ends the span of the current delay.
	 * @param kind kind of the request
	 * @param scope the namespace, or {@code null}
	 * @param reason why the request is made
	 * @return the open span
	 */
	synchronized Entry request(SpanKind kind, @Nullable String scope, String reason) {
		this.scopes.add(String.valueOf(scope));
		Entry delay = this.backoff;
		if (delay != null && this.scopes.size() == 1) {
			this.backoff = null;
			long now = this.clock.getAsLong();
			if (this.overdue || (delay.end != null && delay.end > now)) {
				delay.end = now;
				delay.number = ++this.number;
			}
			this.overdue = false;
		}
		return begin(kind, scope, reason);
	}

	synchronized Entry begin(SpanKind kind, @Nullable String scope, String reason) {
		return add(kind, scope, reason, this.clock.getAsLong());
	}

	private Entry add(SpanKind kind, @Nullable String scope, String reason, long start) {
		Entry entry = new Entry(++this.number, kind, scope, reason, start);
		this.spans.add(entry);
		if (this.spans.size() > CAPACITY) {
			removeOldest();
		}
		return entry;
	}

	/**
	 * Removes the oldest span that has ended, or the oldest of all spans if none has
	 * ended.
	 */
	private void removeOldest() {
		Iterator<Entry> entries = this.spans.iterator();
		while (entries.hasNext()) {
			if (entries.next().end != null) {
				entries.remove();
				return;
			}
		}
		this.spans.removeFirst();
	}

	synchronized void end(Entry entry, String detail) {
		if (entry.end == null) {
			entry.end = this.clock.getAsLong();
			entry.detail = detail;
			entry.number = ++this.number;
		}
	}

	/**
	 * Adds the span of a delay. The span ends after the given time, unless the delay
	 * takes longer.
	 */
	synchronized void backingOff(Duration delay, String detail) {
		long now = this.clock.getAsLong();
		Entry entry = add(SpanKind.BACKOFF, null, "", now);
		entry.end = now + delay.toMillis();
		entry.detail = detail;
		this.backoff = entry;
		this.overdue = false;
	}

	/**
	 * Extends the span of the current delay if the delay takes longer than announced.
	 * While the server cannot be reached, the delay lasts until the server answers.
	 */
	synchronized void backingOff(boolean lasts) {
		Entry delay = this.backoff;
		long now = this.clock.getAsLong();
		this.overdue = false;
		if (lasts && delay != null && this.scopes.size() == 1 && delay.end != null && delay.end < now) {
			this.overdue = true;
			delay.end = now;
			delay.detail = "until the server answers";
			delay.number = ++this.number;
		}
	}

	/** Adds a span that has already ended. */
	synchronized void past(SpanKind kind, @Nullable String scope, long start, String detail) {
		Entry entry = add(kind, scope, "", start);
		entry.end = this.clock.getAsLong();
		entry.detail = detail;
	}

	synchronized void mark(MarkKind kind, @Nullable String scope, String detail) {
		long now = this.clock.getAsLong();
		if (kind.isRepeated()) {
			Iterator<Mark> newest = this.marks.descendingIterator();
			while (newest.hasNext()) {
				Mark mark = newest.next();
				if (mark.at() <= now - REPEATED_AFTER) {
					break;
				}
				if (mark.kind() == kind) {
					return;
				}
			}
		}
		this.marks.add(new Mark(++this.number, kind, now, scope, detail));
		if (this.marks.size() > CAPACITY) {
			this.marks.removeFirst();
		}
	}

	/**
	 * Returns the changes that were made after the change with the given number.
	 * @param number the number of the last change that the reader has, 0 if it has none
	 * @return the spans and marks that were added or changed after that change
	 */
	synchronized Excerpt since(long number) {
		long from = this.clock.getAsLong() - KEPT.toMillis();
		List<Span> spans = this.spans.stream()
			.filter((entry) -> entry.number > number && (entry.end == null || entry.end >= from))
			.map(Entry::view)
			.toList();
		List<Mark> marks = this.marks.stream().filter((mark) -> mark.id() > number && mark.at() >= from).toList();
		return new Excerpt(this.number, spans, marks);
	}

	/** The kinds of spans. */
	enum SpanKind {

		/** The full state is being received. */
		LIST,

		/** A watch is open, or being opened. */
		WATCH,

		/** A delay before the next attempt. */
		BACKOFF,

		/** The server sent nothing until the connection was given up. */
		SILENCE,

		/** The reflector is stopped. */
		STOPPED,

		/** The reflector is paused. */
		PAUSED,

		/** The server does not serve the type. */
		AWAITING_TYPE,

		/** Another replica delivers. */
		STANDBY,

		/** A call of a listener takes long. */
		SLOW_LISTENER

	}

	/** The kinds of marks. */
	enum MarkKind {

		/** The server has sent a bookmark. */
		BOOKMARK,

		/** The mirror is complete. */
		SYNCED,

		/** The full state is needed again. */
		RELIST,

		/** The server no longer has the version (410). */
		EXPIRED,

		/** The server is overloaded and asks to wait (429). */
		THROTTLED,

		/** A request has failed for another reason. */
		ERROR,

		/**
		 * A watch continues at the version that the previous watch had reached when it
		 * was lost.
		 */
		RESUMED,

		/**
		 * The next watch was opened before the current watch ended, and has taken over.
		 */
		HANDOVER,

		/** An object could not be read. */
		SKIPPED,

		/** The mirror was compared with the server. */
		VERIFIED;

		private boolean isRepeated() {
			return this == BOOKMARK || this == SKIPPED;
		}

	}

	/**
	 * A span of the timeline, which may still be open.
	 */
	static final class Entry {

		private final long id;

		private final SpanKind kind;

		private final @Nullable String scope;

		private final String reason;

		private final long start;

		private long number;

		private @Nullable Long end;

		private String detail = "";

		private Entry(long id, SpanKind kind, @Nullable String scope, String reason, long start) {
			this.id = id;
			this.number = id;
			this.kind = kind;
			this.scope = scope;
			this.reason = reason;
			this.start = start;
		}

		private Span view() {
			return new Span(this.id, this.kind, this.scope, this.start, this.end, this.detail, this.reason);
		}

	}

	/**
	 * A span, as it is sent to the web page.
	 *
	 * @param id number that identifies the span; it stays the same when the span changes
	 * @param kind kind of the span
	 * @param scope the namespace, or {@code null} for the whole reflector
	 * @param start when the span began, in milliseconds
	 * @param end when the span ended or will end, in milliseconds, or {@code null} while
	 * it is open
	 * @param detail how the span ended, human-readable
	 * @param reason why the span began, human-readable
	 */
	record Span(long id, SpanKind kind, @Nullable String scope, long start, @Nullable Long end, String detail,
			String reason) {

	}

	/**
	 * An event on the timeline, as it is sent to the web page.
	 *
	 * @param id a unique number
	 * @param kind kind of the mark
	 * @param at when it happened, in milliseconds
	 * @param scope the namespace, or {@code null} for the whole reflector
	 * @param detail description of what has happened, human-readable
	 */
	record Mark(long id, MarkKind kind, long at, @Nullable String scope, String detail) {

	}

	/**
	 * A part of the timeline.
	 *
	 * @param number the number of the last change in this part
	 * @param spans spans that are new or have changed
	 * @param marks new marks
	 */
	record Excerpt(long number, List<Span> spans, List<Mark> marks) {

		boolean isEmpty() {
			return this.spans.isEmpty() && this.marks.isEmpty();
		}

	}

}

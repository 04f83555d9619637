package dev.reflector.model;

import java.time.Duration;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.EventFault;
import dev.reflector.test.Fault;
import dev.reflector.test.ListFault;
import dev.reflector.test.ObservedFault;
import dev.reflector.test.RecordedRequest;

/**
 * A fault that a history plays.
 *
 * @param kind what goes wrong
 * @param event at which event, 0 for the answer as a whole
 * @param onwards whether at each event from there on
 * @param amount how much of it: bytes, milliseconds, a status code
 */
record Trouble(Kind kind, int event, boolean onwards, int amount) {

	/** The largest object that the client reads. */
	static final int MAX_OBJECT_SIZE = 64 * 1024;

	private static final int[] CODES = { 401, 403, 404, 410, 422, 429, 500, 503, 504 };

	/** A trouble at one event, or of the answer as a whole. */
	Trouble(Kind kind, int event, int amount) {
		this(kind, event, false, amount);
	}

	/** A random trouble of a kind. */
	static Trouble of(Kind kind, Random random) {
		boolean whole = kind.ofLists() || (kind.whole && random.nextBoolean());
		// an end marker counts wherever it comes
		int event = kind.ofEndMarkers() ? 1 : 1 + random.nextInt(8);
		boolean onwards = random.nextInt(3) == 0;
		return new Trouble(kind, whole ? 0 : event, !whole && onwards, kind.amounts.applyAsInt(random));
	}

	/**
	 * Makes a server play the trouble.
	 * @param server the server
	 * @param requests selects the requests
	 * @param times the number of requests that get the trouble
	 * @param played called whenever the trouble is played
	 */
	void play(EmbeddedApiServer server, Predicate<RecordedRequest> requests, int times, Consumer<Kind> played) {
		Fault fault = this.kind.fault.apply(this.amount);
		if (this.event > 0) {
			Fault within = this.onwards ? fault.fromEvent(this.event) : fault.atEvent(this.event);
			server.fail(requests, times,
					ObservedFault.of(within, this.event, this.kind::spoils, () -> played.accept(this.kind)));
			return;
		}
		// the server tests the predicate right before it plays the fault
		server.fail(requests.and((request) -> {
			played.accept(this.kind);
			return true;
		}), times, fault);
	}

	/** Returns the same trouble at another event, or 0 for the answer as a whole. */
	Trouble atEvent(int event) {
		return new Trouble(this.kind, event, this.amount);
	}

	/** Returns the same trouble at an event and at each later one. */
	Trouble fromEvent(int event) {
		return new Trouble(this.kind, event, true, this.amount);
	}

	Harm harm() {
		return this.kind.harm;
	}

	@Override
	public String toString() {
		return this.kind + ((this.amount > 0) ? "(" + this.amount + ")" : "")
				+ ((this.event > 0) ? (this.onwards ? " from" : " at") + " event " + this.event : "");
	}

	private static ToIntFunction<Random> oneOf(int... amounts) {
		return (random) -> amounts[random.nextInt(amounts.length)];
	}

	private static Fault body(String type, String body) {
		return Fault.response(200, type, body);
	}

	private static Fault errorFrame(int code) {
		return body("application/json", """
				{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure",\
				"message":"injected","reason":"%s","code":%d}}
				""".formatted(switch (code) {
			case 410 -> "Expired";
			case 429 -> "TooManyRequests";
			default -> "InternalError";
		}, code));
	}

	private static Fault foreignBookmark(int form) {
		return switch (form) {
			case 1 -> EventFault.bookmark("example.com/v1", "Gadget", "1000000");
			case 2 -> EventFault.bookmark("example.org/v1", "Widget", "1000000");
			default -> EventFault.bookmark("example.com/v1", "Widget", null);
		};
	}

	private static Fault oddVersion(int form) {
		return ListFault.resourceVersion(switch (form) {
			case 1 -> "0";
			case 2 -> "";
			default -> null;
		});
	}

	/**
	 * The harm of a trouble that the reflector does not repair by itself, or not at once.
	 */
	enum Harm {

		/** The reflector repairs it. */
		NONE,

		/** Like {@link #NONE}, for troubles of watches. */
		OF_WATCHES,

		/** Like {@link #NONE}, for troubles of lists. */
		OF_LISTS,

		/**
		 * On a list only: deletions between the list and its watch are not delivered
		 * (E-36), and the objects that still exist are delivered again.
		 */
		MISNUMBERS,

		/** Frames come in another order, which no real server does. */
		REORDERS,

		/** The version goes back, which client-go follows (E-14). */
		TURNS_BACK,

		/** An object cannot be read: the mirror keeps the last state that could. */
		SPOILS,

		/**
		 * Like {@link #SPOILS}, and not even the name can be read: on a list, the object
		 * is missing.
		 */
		HIDES,

		/** A streamed list has no end until the server ends the watch. */
		UNMARKS

	}

	/**
	 * The kind of a trouble.
	 */
	enum Kind {

		STATUS(true, Harm.NONE, Fault::status, oneOf(CODES)),

		STATUS_OF_OTHERS(true, Harm.NONE, Fault::status, oneOf(400, 405, 409, 415)),

		TEXT(true, Harm.NONE, Fault::plainText, oneOf(CODES)),

		RETRY_AFTER(true, Harm.NONE, (code) -> Fault.status(code).withRetryAfter(1), oneOf(429, 500, 503)),

		RETRY_AFTER_NOTHING(true, Harm.NONE, (code) -> Fault.status(code).withRetryAfter(0), oneOf(429, 503)),

		EXPIRED(true, Harm.NONE, (none) -> Fault.status(410, "Expired", "too old resource version"), oneOf(0)),

		PROXY_PAGE(true, Harm.NONE, (none) -> body("text/html", "<html>Please sign in</html>"), oneOf(0)),

		NOTHING(true, Harm.NONE, (none) -> body("application/json", ""), oneOf(0)),

		EMPTY_OBJECT(true, Harm.NONE, (none) -> body("application/json", "{}\n"), oneOf(0)),

		ERROR_FRAME(true, Harm.NONE, Trouble::errorFrame, oneOf(410, 429, 500)),

		GARBAGE(true, Harm.NONE, (none) -> Fault.garbage(), oneOf(0)),

		DISCONNECT(true, Harm.NONE, (none) -> Fault.disconnect(), oneOf(0)),

		RESET(true, Harm.NONE, (none) -> Fault.reset(), oneOf(0)),

		TURN_AWAY(true, Harm.NONE, Fault::closeAtAccept, oneOf(1, 2, 3)),

		REFUSE(true, Harm.NONE, (millis) -> Fault.refuse(Duration.ofMillis(millis)), oneOf(1, 15)),

		OUTAGE(true, Harm.NONE, (millis) -> Fault.outage(Duration.ofMillis(millis)), oneOf(1, 15)),

		END(true, Harm.NONE, (none) -> Fault.emptyWatch(), oneOf(0)),

		SILENCE(true, Harm.NONE, (none) -> Fault.silence(), oneOf(0)),

		SLOW(true, Harm.NONE, (millis) -> Fault.slow(Duration.ofMillis(millis)), oneOf(1, 20)),

		DRIP(true, Harm.NONE, Fault::drip, oneOf(20_000)),

		TRUNCATE(true, Harm.NONE, Fault::truncate, (random) -> random.nextInt(400)),

		END_WITHIN(true, Harm.NONE, Fault::endWithin, (random) -> random.nextInt(400)),

		COMPACTION(true, Harm.NONE, (none) -> Fault.compaction(), oneOf(0)),

		EMPTY_PAGE(true, Harm.OF_LISTS, (none) -> ListFault.emptyPage(), oneOf(0)),

		NULL_ITEMS(true, Harm.OF_LISTS, (none) -> ListFault.nullItems(), oneOf(0)),

		ODD_VERSION(true, Harm.MISNUMBERS, Trouble::oddVersion, oneOf(1, 2, 3)),

		UNKNOWN_TYPE(false, Harm.NONE, (none) -> EventFault.unknownType(), oneOf(0)),

		DUPLICATE(false, Harm.NONE, (none) -> EventFault.duplicate(), oneOf(0)),

		REORDERED(false, Harm.REORDERS, EventFault::reordered, oneOf(2, 3)),

		BOOKMARK_OF_OTHERS(false, Harm.OF_WATCHES, Trouble::foreignBookmark, oneOf(1, 2, 3)),

		BOOKMARK_GOING_BACK(false, Harm.TURNS_BACK, (none) -> EventFault.bookmark("example.com/v1", "Widget", "1"),
				oneOf(0)),

		MISFIT(false, Harm.SPOILS, (none) -> EventFault.objectThatDoesNotFit(), oneOf(0)),

		HUGE(false, Harm.SPOILS, EventFault::hugeObject, oneOf(MAX_OBJECT_SIZE / 2, 2 * MAX_OBJECT_SIZE)),

		DEEP(false, Harm.SPOILS, EventFault::deepObject, oneOf(50, 10_000)),

		NO_METADATA(false, Harm.HIDES, (none) -> EventFault.objectWithoutMetadata(), oneOf(0)),

		NO_END_MARKER(false, Harm.UNMARKS, (none) -> EventFault.withoutEndMarker(), oneOf(0)),

		END_MARKER_SAYING_FALSE(false, Harm.UNMARKS, (none) -> EventFault.endMarkerSaying("false"), oneOf(0)),

		END_IN_PLACE_OF_END_MARKER(false, Harm.OF_WATCHES, (none) -> EventFault.endInPlaceOfEndMarker(), oneOf(0));

		private final boolean whole;

		private final Harm harm;

		private final IntFunction<Fault> fault;

		private final ToIntFunction<Random> amounts;

		/**
		 * Describes a kind of trouble.
		 * @param whole whether it can be played in place of an answer
		 * @param harm what it can do
		 * @param fault makes the fault
		 * @param amounts draws an amount
		 */
		Kind(boolean whole, Harm harm, IntFunction<Fault> fault, ToIntFunction<Random> amounts) {
			this.whole = whole;
			this.harm = harm;
			this.fault = fault;
			this.amounts = amounts;
		}

		/** Whether it can be played in place of an answer. */
		boolean playsWhole() {
			return this.whole;
		}

		/** Whether the reflector repairs it by itself, and at once. */
		boolean isHarmless() {
			return !ofEndMarkers()
					&& (this.harm == Harm.NONE || this.harm == Harm.OF_WATCHES || this.harm == Harm.OF_LISTS);
		}

		/** Whether it is one of a list as a whole. */
		boolean ofLists() {
			return this.harm == Harm.OF_LISTS || this.harm == Harm.MISNUMBERS;
		}

		/** Returns the only requests that can have this trouble, or all requests. */
		Operation.Target target() {
			return ofEndMarkers() ? Operation.Target.STREAMS
					: ofLists() ? Operation.Target.LISTS : Operation.Target.ALL;
		}

		/** Whether it is about the end marker of a streamed list. */
		boolean ofEndMarkers() {
			return switch (this) {
				case NO_END_MARKER, END_MARKER_SAYING_FALSE, END_IN_PLACE_OF_END_MARKER -> true;
				default -> false;
			};
		}

		/** Whether it spoils a frame that it comes to. */
		private boolean spoils(String frame) {
			return !ofEndMarkers() || frame.contains("k8s.io/initial-events-end");
		}

	}

}

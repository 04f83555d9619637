package dev.reflector.model;

import java.time.Duration;

/**
 * A request of the reflector and its outcome. Times are in the reflector's time. For the
 * times of sending and giving up a request, this is the time that the reflector has read
 * from the clock.
 */
final class Call {

	final String loop;

	final Kind kind;

	final int limit;

	final boolean continued;

	final Duration timeout;

	/** The time of the request, as the reflector has read it. */
	final long asked;

	String version;

	/** The versions that are known without a gap, in the same run of the reflector. */
	Coverage coverage = new Coverage();

	/** The time when the request ended or was given up, 0 before. */
	long ended;

	/** Whether the request ended before it was given up. */
	boolean answered;

	/** The version of the end marker that has passed, whether or not the loop took it. */
	String marked = "";

	/** The time when the loop had the full state of a stream. */
	long completeAt;

	/**
	 * The time when the reflector has left a watch, whether or not it had seen its end.
	 */
	long left;

	/** The time before which the server wants no further request. */
	long notBefore = Long.MIN_VALUE;

	/** The time when the failure was known, 0 without one. */
	long failed;

	/**
	 * Whether the request has brought a full state or a page of it. A stream has
	 * succeeded when the loop has taken its full state: the loop may give up the stream
	 * while the end marker is still in its mailbox.
	 */
	boolean succeeded;

	/** Whether the requested version is not available (410, 504). */
	boolean unavailable;

	/** Whether the server has asked to wait (429). */
	boolean refused;

	/** Whether the request has brought more than its acceptance by the server. */
	boolean told;

	/** Whether the watch that follows this one was already requested. */
	boolean followed;

	Call(String loop, Kind kind, String version, int limit, boolean continued, Duration timeout, long asked) {
		this.loop = loop;
		this.kind = kind;
		this.version = version;
		this.limit = limit;
		this.continued = continued;
		this.timeout = timeout;
		this.asked = asked;
	}

	/** Whether a full state came whole, though the loop may not have taken it. */
	boolean isWhole() {
		return (this.kind == Kind.STREAM) ? !this.marked.isEmpty() : (this.kind == Kind.LIST && this.succeeded);
	}

	/** Whether the request still brings changes after a full state that has arrived. */
	boolean follows() {
		return this.ended == 0 && this.watches();
	}

	/** Whether there was a full state before, or in it. */
	boolean watches() {
		return this.kind == Kind.WATCH || (this.kind == Kind.STREAM && this.succeeded);
	}

	/** The earliest time when the reflector was done with the request. */
	long over() {
		return (this.kind != Kind.LIST && this.left != 0) ? this.left : this.ended;
	}

	/** The earliest time at which the reflector knew that nothing more comes. */
	long heardOf() {
		return (this.failed != 0) ? this.failed : this.ended;
	}

	@Override
	public String toString() {
		return this.kind + "(" + this.loop + "@" + this.version + (this.continued ? " continued" : "") + " at "
				+ this.asked / 1000 % 1_000_000_000 + " us"
				+ ((this.ended != 0) ? " for " + (this.ended - this.asked) / 1000 + " us" : "")
				+ ((this.left != 0) ? " held for " + (this.left - this.asked) / 1000 + " us" : "")
				+ (this.succeeded ? " succeeded" : "") + ((this.failed != 0) ? " failed" : "")
				+ ((this.notBefore > this.asked) ? " to wait for " + (this.notBefore - this.asked) / 1000 + " us" : "")
				+ ")";
	}

	/** The kind of a request. */
	enum Kind {

		LIST, STREAM, WATCH

	}

}

package dev.reflector.test.internal.fault;

import dev.reflector.test.internal.exchange.ServerExchange;

/**
 * The events at which a fault is played.
 *
 * @param first the number of the first event, counted from 1; 0 for the whole answer
 * @param open whether the fault is played at all events after the first, too
 */
public record EventRange(int first, boolean open) {

	/** The fault is played in place of the whole answer. */
	public static final EventRange WHOLE = new EventRange(0, false);

	/** The default range for faults of events: the first event. */
	public static final EventRange FIRST = new EventRange(1, false);

	/**
	 * Returns a function that plays a fault on the body of an answer, at the events of
	 * this range.
	 * @param exchange the request
	 * @param play changes the frames
	 * @return the function, which changes the body
	 */
	public FrameTamper tamper(ServerExchange exchange, FramePlay play) {
		return new FrameTamper(exchange.received().isWatch(), exchange.format(), this.first,
				this.open ? play.each() : play);
	}

}

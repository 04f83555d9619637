package dev.reflector.test.internal.fault;

import dev.reflector.test.internal.exchange.ServerExchange;

/**
 * Where a fault is played.
 *
 * @param first the number of the first event, 1 for the first of all; 0 for the answer as
 * a whole
 * @param open whether it is played to all events from there on as well
 */
public record EventRange(int first, boolean open) {

	/** In place of the answer. */
	public static final EventRange WHOLE = new EventRange(0, false);

	/** What faults of events begin with. */
	public static final EventRange FIRST = new EventRange(1, false);

	/**
	 * Plays a fault to the body of an answer.
	 * @param exchange the request
	 * @param play what the fault does
	 * @return what becomes of the body
	 */
	public FrameTamper tamper(ServerExchange exchange, FramePlay play) {
		return new FrameTamper(exchange.received().isWatch(), exchange.format(), this.first,
				this.open ? play.each() : play);
	}

}

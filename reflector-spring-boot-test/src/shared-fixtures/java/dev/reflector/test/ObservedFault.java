package dev.reflector.test;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

import reactor.core.publisher.Mono;

/**
 * A fault that reports when it is played.
 */
public final class ObservedFault {

	private ObservedFault() {
	}

	/**
	 * Observes a fault that starts at a given event.
	 * @param fault the fault to observe
	 * @param event the number of the event
	 * @param frames whether the fault affects a frame, from the event on
	 * @param played called once per answer, before the first affected frame
	 * @return the same fault, which now reports when it is played
	 */
	public static Fault of(Fault fault, int event, Predicate<String> frames, Runnable played) {
		return Fault.ofFrames((exchange) -> {
			AtomicBoolean told = new AtomicBoolean();
			return (position, frame) -> {
				if (frames.test(new String(frame, StandardCharsets.ISO_8859_1)) && told.compareAndSet(false, true)) {
					played.run();
				}
				return Mono.just(frame);
			};
		}).atEvent(event).and(fault);
	}

}

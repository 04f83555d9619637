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
	 * Observes a fault that is played from an event on.
	 * @param fault the fault
	 * @param event the number of the event
	 * @param frames which of the frames from there on it spoils
	 * @param played told once in each answer, before the first of them
	 * @return the same fault, observed
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

package dev.reflector.test.internal.fault;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Collects a group of frames, and sends the group in reverse order.
 */
public final class Reordering implements FramePlay {

	private final Deque<byte[]> held = new ArrayDeque<>();

	private final int events;

	private final boolean again;

	/**
	 * Creates the reordering for one answer.
	 * @param events the number of frames in a group
	 * @param again whether to also reverse each later group of the same number of frames
	 */
	public Reordering(int events, boolean again) {
		this.events = events;
		this.again = again;
	}

	@Override
	public Publisher<byte[]> play(long position, byte[] frame) {
		if (position >= this.events && !this.again) {
			return Mono.just(frame);
		}
		this.held.push(frame);
		return (this.held.size() == this.events) ? rest() : Mono.empty();
	}

	@Override
	public Publisher<byte[]> rest() {
		List<byte[]> reversed = List.copyOf(this.held);
		this.held.clear();
		return Flux.fromIterable(reversed);
	}

	@Override
	public FramePlay each() {
		return new Reordering(this.events, true);
	}

}

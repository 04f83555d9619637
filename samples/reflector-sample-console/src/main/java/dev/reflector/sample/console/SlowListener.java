package dev.reflector.sample.console;

import java.time.Duration;

import dev.reflector.event.ResourceEvent;

import org.springframework.context.event.EventListener;

/**
 * A listener that can be made slow.
 */
class SlowListener {

	private static final Duration PAUSE = Duration.ofSeconds(2);

	private boolean slow;

	@EventListener
	void on(ResourceEvent<Widget> event) throws InterruptedException {
		long end = System.nanoTime() + PAUSE.toNanos();
		synchronized (this) {
			long left = end - System.nanoTime();
			while (this.slow && left > 0) {
				wait(left / 1_000_000 + 1);
				left = end - System.nanoTime();
			}
		}
	}

	synchronized void slow(boolean slow) {
		this.slow = slow;
		notifyAll();
	}

}

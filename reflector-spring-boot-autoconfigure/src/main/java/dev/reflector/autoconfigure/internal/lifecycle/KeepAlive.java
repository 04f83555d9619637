package dev.reflector.autoconfigure.internal.lifecycle;

import java.util.concurrent.CountDownLatch;

/**
 * Keeps the JVM running with a non-daemon thread. The threads of reflectors are daemon
 * threads, so an application that has only reflectors would otherwise end right after its
 * start.
 */
final class KeepAlive {

	private final CountDownLatch end = new CountDownLatch(1);

	private KeepAlive() {
	}

	static KeepAlive start() {
		KeepAlive keepAlive = new KeepAlive();
		Thread thread = new Thread(keepAlive::await, "reflector-keep-alive");
		thread.setDaemon(false);
		thread.start();
		return keepAlive;
	}

	private void await() {
		try {
			this.end.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	void stop() {
		this.end.countDown();
	}

}

package dev.reflector.autoconfigure;

import java.util.concurrent.CountDownLatch;

/**
 * Keeps the JVM running while the application has nothing else that does: the threads of
 * the reflectors are daemons. Without it, an application that only listens would end as
 * soon as it has started.
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

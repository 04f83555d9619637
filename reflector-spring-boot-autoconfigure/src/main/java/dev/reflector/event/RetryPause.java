package dev.reflector.event;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import dev.reflector.cache.config.TimeSource;

/**
 * The pause before the next attempt of a delivery. A stop of the reflector ends the
 * pause.
 */
final class RetryPause {

	private final TimeSource time;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private boolean closed;

	RetryPause(TimeSource time) {
		this.time = time;
	}

	void open() {
		set(false);
	}

	void close() {
		set(true);
	}

	/** Whether waiting is over before it begins, because of a stop. */
	boolean isClosed() {
		this.lock.lock();
		try {
			return this.closed;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void set(boolean closed) {
		this.lock.lock();
		try {
			this.closed = closed;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Waits for a time.
	 * @param delay the time to wait
	 * @return {@code true} if the time has passed, {@code false} if a stop has ended the
	 * wait
	 */
	boolean pass(Duration delay) {
		long start = this.time.nanoTime();
		long nanos = TimeUnit.NANOSECONDS.convert(delay);
		Runnable timer = this.time.schedule(delay, this::wake);
		this.lock.lock();
		try {
			while (!this.closed && this.time.nanoTime() - start < nanos) {
				this.changed.awaitUninterruptibly();
			}
			return !this.closed;
		}
		finally {
			this.lock.unlock();
			timer.run();
		}
	}

	private void wake() {
		this.lock.lock();
		try {
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

}

package dev.reflector.cache.internal.delivery;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Wakes threads that wait for a reflector to sync. It has its own lock, because the
 * thread that writes the mirror may hold the other locks for long.
 */
public final class SyncSignal {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition woken = this.lock.newCondition();

	/**
	 * Blocks until a condition is true, or the timeout is over. Code that makes the
	 * condition true must call {@link #wake()} afterwards.
	 * @param condition the condition
	 * @param timeout how long to wait at most; zero or less does not wait
	 * @throws InterruptedException when the thread is interrupted while it waits
	 */
	public void await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
		long left = TimeUnit.NANOSECONDS.convert(timeout);
		if (left <= 0 || condition.getAsBoolean()) {
			return;
		}
		this.lock.lockInterruptibly();
		try {
			while (left > 0 && !condition.getAsBoolean()) {
				left = this.woken.awaitNanos(left);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	public void wake() {
		this.lock.lock();
		try {
			this.woken.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

}

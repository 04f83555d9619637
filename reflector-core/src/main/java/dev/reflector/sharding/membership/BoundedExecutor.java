package dev.reflector.sharding.membership;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;

/**
 * Runs a limited number of tasks at a time on the threads of another executor. Tasks
 * begin in the order in which they were added.
 */
final class BoundedExecutor implements Executor {

	private final Executor threads;

	private final int most;

	private final Queue<Runnable> waiting = new ArrayDeque<>();

	private int running;

	BoundedExecutor(Executor threads, int most) {
		this.threads = threads;
		this.most = most;
	}

	@Override
	public void execute(Runnable task) {
		synchronized (this.waiting) {
			this.waiting.add(task);
			if (this.running == this.most) {
				return;
			}
			this.running++;
		}
		boolean started = false;
		try {
			this.threads.execute(this::work);
			started = true;
		}
		finally {
			if (!started) {
				synchronized (this.waiting) {
					this.waiting.remove(task);
					this.running--;
				}
			}
		}
	}

	private void work() {
		for (Runnable task = next(); task != null; task = next()) {
			task.run();
		}
	}

	private @Nullable Runnable next() {
		synchronized (this.waiting) {
			Runnable task = this.waiting.poll();
			if (task == null) {
				this.running--;
			}
			return task;
		}
	}

}

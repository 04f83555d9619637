package dev.reflector.model;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The threads of one reflector. All of them must end.
 */
final class Threads {

	private final List<Thread> all = new CopyOnWriteArrayList<>();

	void execute(Runnable task) {
		Thread thread = new Thread(task, "model");
		thread.setDaemon(true);
		this.all.add(thread);
		thread.start();
	}

	/**
	 * Waits until the threads have ended.
	 * @param atMost the maximum time to wait for each thread
	 * @return the threads that have not ended
	 */
	List<Thread> left(Duration atMost) {
		try {
			for (Thread thread : this.all) {
				thread.join(atMost.toMillis());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return this.all.stream().filter(Thread::isAlive).toList();
	}

	/** Returns the stack traces of the threads. */
	String stacks() {
		StringBuilder stacks = new StringBuilder();
		for (Thread thread : this.all) {
			if (thread.isAlive()) {
				stacks.append("\n  ").append(thread);
				for (StackTraceElement element : thread.getStackTrace()) {
					stacks.append("\n    at ").append(element);
				}
			}
		}
		return stacks.toString();
	}

}

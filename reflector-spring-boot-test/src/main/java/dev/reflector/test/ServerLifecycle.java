package dev.reflector.test;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;

import org.jspecify.annotations.Nullable;

/**
 * Whether a server listens. It listens on one port for as long as it exists.
 */
final class ServerLifecycle {

	private final ReentrantLock lock = new ReentrantLock();

	private final IntFunction<Endpoint> bind;

	private final Runnable closeWatches;

	private volatile int port;

	private @Nullable Endpoint running;

	private boolean closed;

	/**
	 * Makes one that does not listen yet.
	 * @param port the port, 0 for any
	 * @param bind begins to listen on a port
	 * @param closeWatches ends the watches that are open
	 */
	ServerLifecycle(int port, IntFunction<Endpoint> bind, Runnable closeWatches) {
		this.port = port;
		this.bind = bind;
		this.closeWatches = closeWatches;
	}

	int port() {
		return this.port;
	}

	/**
	 * What listens now.
	 * @return the socket, or {@code null} while the server is stopped
	 */
	@Nullable Endpoint running() {
		this.lock.lock();
		try {
			return this.running;
		}
		finally {
			this.lock.unlock();
		}
	}

	void start() {
		this.lock.lock();
		try {
			if (this.closed) {
				throw new IllegalStateException("The server is closed");
			}
			if (this.running == null) {
				Endpoint endpoint = this.bind.apply(this.port);
				this.port = endpoint.port();
				this.running = endpoint;
			}
			else {
				this.running.listen();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	void halt() {
		this.lock.lock();
		try {
			Endpoint running = this.running;
			if (running != null) {
				this.running = null;
				running.shut();
				this.closeWatches.run();
				running.endThreads();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Takes no more connections; those that are open go on.
	 */
	void deafen() {
		this.lock.lock();
		try {
			if (this.running != null) {
				this.running.deafen();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Listens again after an outage, unless the server has been closed meanwhile.
	 */
	void comeBack() {
		this.lock.lock();
		try {
			if (!this.closed) {
				start();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Stops for good.
	 * @param last what else is to end, before anybody can start again
	 */
	void close(Runnable last) {
		this.lock.lock();
		try {
			this.closed = true;
			halt();
			last.run();
		}
		finally {
			this.lock.unlock();
		}
	}

}

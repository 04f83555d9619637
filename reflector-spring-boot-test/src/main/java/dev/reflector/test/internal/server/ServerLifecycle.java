package dev.reflector.test.internal.server;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;

import dev.reflector.test.internal.exchange.ServerControl;
import dev.reflector.test.internal.fault.FaultScript;
import dev.reflector.test.internal.options.ServerOptions;
import dev.reflector.test.internal.store.ObjectStore;
import org.jspecify.annotations.Nullable;

/**
 * Whether a server listens. It listens on one port for as long as it exists, unless a
 * fault has it down for a while.
 */
public final class ServerLifecycle {

	private final ReentrantLock lock = new ReentrantLock();

	private final IntFunction<Endpoint> bind;

	private final ObjectStore store;

	private final Outages outages = new Outages(this::halt, this::deafen, this::comeBack);

	private final ServerControl control;

	private final HeldPort held = new HeldPort();

	private volatile int port;

	private @Nullable Endpoint running;

	private boolean closed;

	/**
	 * Makes one that does not listen yet.
	 * @param options the port, and what time it is
	 * @param bind begins to listen on a port
	 * @param store the data, whose watches end with their connections
	 * @param faults the faults to come
	 */
	public ServerLifecycle(ServerOptions options, IntFunction<Endpoint> bind, ObjectStore store, FaultScript faults) {
		this.port = options.port();
		this.bind = bind;
		this.store = store;
		this.control = new DirectControl(store, faults, options.clock(), this.outages);
	}

	public ServerControl control() {
		return this.control;
	}

	public int port() {
		return this.port;
	}

	public int connections() {
		Endpoint running = running();
		return (running != null) ? running.connections() : 0;
	}

	public void goAway() {
		Endpoint running = running();
		if (running != null) {
			running.goAway();
		}
	}

	private @Nullable Endpoint running() {
		this.lock.lock();
		try {
			return this.running;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Listens, and is no longer down for an outage.
	 */
	public void start() {
		this.outages.cancel();
		listen();
	}

	private void listen() {
		this.lock.lock();
		try {
			if (this.closed) {
				throw new IllegalStateException("The server is closed");
			}
			this.held.release();
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

	/**
	 * Stops, and does not come back by itself.
	 */
	public void stop() {
		this.outages.cancel();
		halt();
	}

	private void halt() {
		this.lock.lock();
		try {
			Endpoint running = this.running;
			if (running != null) {
				this.running = null;
				running.shut();
				if (!this.closed) {
					// at once: the rest takes a while, in which others could get the port
					this.held.hold(this.port);
				}
				this.store.closeWatches();
				running.endThreads();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Takes no more connections; those that are open continue.
	 */
	private void deafen() {
		this.lock.lock();
		try {
			if (this.running != null) {
				this.running.deafen();
				this.held.hold(this.port);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Listens again after an outage, unless the server has been closed.
	 */
	private void comeBack() {
		this.lock.lock();
		try {
			if (!this.closed) {
				listen();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Stops for good.
	 */
	public void close() {
		this.outages.cancel();
		this.lock.lock();
		try {
			this.closed = true;
			halt();
			this.held.release();
			// before the server can start again
			this.outages.close();
		}
		finally {
			this.lock.unlock();
		}
	}

}

package dev.reflector.test.internal.server;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;

import dev.reflector.test.internal.exchange.ServerControl;
import dev.reflector.test.internal.fault.FaultScript;
import dev.reflector.test.internal.options.ServerOptions;
import dev.reflector.test.internal.store.ObjectStore;
import org.jspecify.annotations.Nullable;

/**
 * Starts and stops a server. The server always listens on the same port. A fault may take
 * it down for some time.
 */
public final class ServerLifecycle {

	private final ReentrantLock lock = new ReentrantLock();

	private final IntFunction<Endpoint> bind;

	private final ObjectStore store;

	private final Outages outages = new Outages(this::halt, this::refuseConnections, this::comeBack);

	private final ServerControl control;

	private final HeldPort held = new HeldPort();

	private volatile int port;

	private @Nullable Endpoint running;

	private boolean closed;

	/**
	 * Creates the lifecycle of a server that does not listen yet.
	 * @param options the port and the clock
	 * @param bind begins to listen on a port
	 * @param store the data; its watches end when their connections end
	 * @param faults the faults that have not been played yet
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
	 * Starts to listen. If there is an outage, ends it.
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
	 * Stops the server, and cancels outages, so that the server does not listen again
	 * until it is started.
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
					// the port is reserved at once, because another process could get it
					// before the stop is complete
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
	 * Refuses new connections. Open connections continue.
	 */
	private void refuseConnections() {
		this.lock.lock();
		try {
			if (this.running != null) {
				this.running.refuseConnections();
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
	 * Stops the server permanently.
	 */
	public void close() {
		this.outages.cancel();
		this.lock.lock();
		try {
			this.closed = true;
			halt();
			this.held.release();
			// this happens under the lock, so that the server cannot be started in
			// between
			this.outages.close();
		}
		finally {
			this.lock.unlock();
		}
	}

}

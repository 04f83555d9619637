package dev.reflector.test.internal.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import dev.reflector.test.internal.access.ServerAccess;
import org.jspecify.annotations.Nullable;

/**
 * Reserves a port without listening on it. Connections to the port are refused, as if
 * there were no server, and no other process can get the port.
 */
final class HeldPort {

	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private static final Duration PAUSE = Duration.ofMillis(1);

	private @Nullable Socket holder;

	/**
	 * Binds the port. Tries again for up to {@link #PATIENCE}, because closing the former
	 * listening socket may take a moment. After this time, the port stays unreserved.
	 * @param port the port
	 */
	void hold(int port) {
		release();
		long start = System.nanoTime();
		do {
			this.holder = bind(port);
			if (this.holder != null) {
				return;
			}
			LockSupport.parkNanos(PAUSE.toNanos());
		}
		while (System.nanoTime() - start < PATIENCE.toNanos() && !Thread.currentThread().isInterrupted());
	}

	private static @Nullable Socket bind(int port) {
		Socket socket = new Socket();
		try {
			// connections on this port may not have ended yet
			socket.setReuseAddress(true);
			socket.bind(new InetSocketAddress(ServerAccess.HOST, port));
			return socket;
		}
		catch (IOException ex) {
			close(socket);
			return null;
		}
	}

	/**
	 * Releases the port.
	 */
	void release() {
		if (this.holder != null) {
			close(this.holder);
			this.holder = null;
		}
	}

	private static void close(Socket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			throw new IllegalStateException("cannot let go of a port", ex);
		}
	}

}

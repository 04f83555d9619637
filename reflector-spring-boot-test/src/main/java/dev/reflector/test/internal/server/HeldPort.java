package dev.reflector.test.internal.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

import dev.reflector.test.internal.access.ServerAccess;
import org.jspecify.annotations.Nullable;

/**
 * A port that is kept while nobody listens on it: connections are refused, as they are
 * where there is no server, and no other server on the machine is given the port.
 */
final class HeldPort {

	private @Nullable Socket holder;

	/**
	 * Keeps a port, if nothing is in the way.
	 * @param port the port
	 */
	void hold(int port) {
		release();
		Socket socket = new Socket();
		try {
			// connections of the server that was there may not have ended yet
			socket.setReuseAddress(true);
			socket.bind(new InetSocketAddress(ServerAccess.HOST, port));
			this.holder = socket;
		}
		catch (IOException ex) {
			close(socket);
		}
	}

	/**
	 * Lets go of the port.
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

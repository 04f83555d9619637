package dev.reflector.snapshot.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands between a client and a server, and can go away.
 */
final class TcpProxy implements AutoCloseable {

	private final Set<Socket> open = ConcurrentHashMap.newKeySet();

	private final int target;

	private ServerSocket server;

	/** Bound to the port and not listening: nobody else gets it while this is away. */
	private final Socket held = new Socket();

	private final int port;

	TcpProxy(int target) {
		this.target = target;
		this.port = hold();
		resume();
	}

	private int hold() {
		try {
			this.held.setReuseAddress(true);
			this.held.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
			return this.held.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	int port() {
		return this.port;
	}

	void resume() {
		try {
			ServerSocket server = new ServerSocket();
			server.setReuseAddress(true);
			server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), this.port));
			this.server = server;
			daemon(() -> accept(server));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void accept(ServerSocket server) throws IOException {
		while (true) {
			Socket client = server.accept();
			Socket upstream = new Socket(InetAddress.getLoopbackAddress(), this.target);
			this.open.add(client);
			this.open.add(upstream);
			daemon(() -> copy(client, upstream));
			daemon(() -> copy(upstream, client));
		}
	}

	private static void copy(Socket from, Socket to) throws IOException {
		try (from; to; InputStream input = from.getInputStream()) {
			input.transferTo(to.getOutputStream());
		}
	}

	/** Ends all connections and takes no others. */
	void goAway() throws IOException {
		this.server.close();
		for (Socket socket : this.open) {
			socket.close();
		}
		this.open.clear();
	}

	private static void daemon(Task task) {
		Thread thread = new Thread(() -> {
			try {
				task.run();
			}
			catch (IOException ex) {
				// the connection has ended
			}
		});
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() throws IOException {
		goAway();
		this.held.close();
	}

	private interface Task {

		void run() throws IOException;

	}

}

package dev.reflector.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A server that keeps its connections for further requests, as long as its script does.
 */
final class KeepingServer implements AutoCloseable {

	private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

	private final Script script;

	private final List<Request> requests = new CopyOnWriteArrayList<>();

	private final List<Socket> connections = new CopyOnWriteArrayList<>();

	KeepingServer(Script script) throws IOException {
		this.script = script;
		start("keeping-server", this::accept);
	}

	private static void start(String name, Runnable task) {
		Thread thread = new Thread(task, name);
		thread.setDaemon(true);
		thread.start();
	}

	URI uri() {
		return URI.create("http://127.0.0.1:" + this.socket.getLocalPort());
	}

	/** All requests of which the last byte was read. */
	List<Request> requests() {
		return this.requests;
	}

	private void accept() {
		try {
			while (true) {
				Socket connection = this.socket.accept();
				this.connections.add(connection);
				int number = this.connections.size();
				start("keeping-server-" + number, () -> serve(connection, number));
			}
		}
		catch (IOException ex) {
			// closed
		}
	}

	private void serve(Socket socket, int connection) {
		try (socket) {
			socket.setTcpNoDelay(true);
			InputStream in = socket.getInputStream();
			for (int number = 1; readRequest(in); number++) {
				Request request = new Request(connection, number);
				this.requests.add(request);
				this.script.answer(request, new Connection(socket));
			}
		}
		catch (Exception ex) {
			// closed by either side
		}
	}

	private static boolean readRequest(InputStream in) throws IOException {
		StringBuilder text = new StringBuilder();
		while (text.indexOf("\r\n\r\n") < 0) {
			int value = in.read();
			if (value < 0) {
				return false;
			}
			text.append((char) value);
		}
		return true;
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
		for (Socket connection : this.connections) {
			connection.close();
		}
	}

	interface Script {

		void answer(Request request, Connection connection) throws Exception;

	}

	/** Which request of which connection, both counted from one. */
	record Request(int connection, int number) {

		@Override
		public String toString() {
			return this.number + " of connection " + this.connection;
		}

	}

	record Connection(Socket socket) {

		void write(String text) throws IOException {
			new RawServer.Connection(this.socket).write(text);
		}

		void reset() throws IOException {
			new RawServer.Connection(this.socket).reset();
		}

		void close() throws IOException {
			this.socket.close();
		}

	}

}

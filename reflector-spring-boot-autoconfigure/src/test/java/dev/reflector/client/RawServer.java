package dev.reflector.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

import javax.net.ServerSocketFactory;

/**
 * A server on a real socket that answers with exactly the bytes a test wants.
 */
final class RawServer implements AutoCloseable {

	private final ServerSocket socket;

	private final Script script;

	private final ExecutorService threads = Executors.newCachedThreadPool((task) -> {
		Thread thread = new Thread(task, "raw-server");
		thread.setDaemon(true);
		return thread;
	});

	private final List<Request> requests = new CopyOnWriteArrayList<>();

	private final List<Socket> connections = new CopyOnWriteArrayList<>();

	RawServer(Script script) throws IOException {
		this(script, ServerSocketFactory.getDefault());
	}

	RawServer(Script script, ServerSocketFactory sockets) throws IOException {
		this.script = script;
		this.socket = sockets.createServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
		this.threads.execute(this::accept);
	}

	/**
	 * A server that answers every request with a body that ends with the connection.
	 */
	static RawServer answering(String contentType, byte[] body) throws IOException {
		return new RawServer((request, connection) -> {
			connection.head(200, "Content-Type: " + contentType, "Connection: close");
			connection.write(body);
		});
	}

	static RawServer answering(String body) throws IOException {
		return answering("application/json", body.getBytes(StandardCharsets.UTF_8));
	}

	URI uri() {
		return URI.create("http://127.0.0.1:" + this.socket.getLocalPort());
	}

	int port() {
		return this.socket.getLocalPort();
	}

	List<Request> requests() {
		return this.requests;
	}

	private void accept() {
		while (!this.socket.isClosed()) {
			try {
				Socket connection = this.socket.accept();
				this.connections.add(connection);
				this.threads.execute(() -> serve(connection));
			}
			catch (IOException | RejectedExecutionException ex) {
				// closed: uncaught, it would end what another test awaits
				return;
			}
		}
	}

	private void serve(Socket socket) {
		try (socket) {
			socket.setTcpNoDelay(true);
			Request request = readRequest(socket.getInputStream());
			if (request == null) {
				return;
			}
			this.requests.add(request);
			this.script.answer(request, new Connection(socket));
			socket.shutdownOutput();
		}
		catch (Exception ex) {
			// the client went away
		}
	}

	private static Request readRequest(InputStream in) throws IOException {
		StringBuilder text = new StringBuilder();
		while (text.indexOf("\r\n\r\n") < 0) {
			int value = in.read();
			if (value < 0) {
				return null;
			}
			text.append((char) value);
		}
		String[] lines = text.toString().split("\r\n");
		Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
		for (int i = 1; i < lines.length; i++) {
			int colon = lines[i].indexOf(':');
			headers.put(lines[i].substring(0, colon).toLowerCase(Locale.ROOT), lines[i].substring(colon + 1).strip());
		}
		return new Request(lines[0].split(" ")[1], headers);
	}

	void resetAll() {
		for (Socket connection : this.connections) {
			try {
				new Connection(connection).reset();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
		for (Socket connection : this.connections) {
			connection.close();
		}
		this.threads.shutdownNow();
	}

	interface Script {

		void answer(Request request, Connection connection) throws Exception;

	}

	record Request(String target, Map<String, String> headers) {

	}

	record Connection(Socket socket) {

		void head(int status, String... headers) throws IOException {
			StringBuilder text = new StringBuilder("HTTP/1.1 " + status + " Whatever\r\n");
			for (String header : headers) {
				text.append(header).append("\r\n");
			}
			write(text + "\r\n");
		}

		void openWatch() throws IOException {
			head(200, "Content-Type: application/json", "Connection: close");
		}

		void write(String text) throws IOException {
			write(text.getBytes(StandardCharsets.UTF_8));
		}

		void write(byte[] bytes) throws IOException {
			OutputStream out = this.socket.getOutputStream();
			out.write(bytes);
			out.flush();
		}

		/**
		 * Blocks until the client has closed the connection.
		 */
		void awaitClose() throws IOException {
			InputStream in = this.socket.getInputStream();
			try {
				while (in.read() >= 0) {
					continue;
				}
			}
			catch (IOException ex) {
				// closed with a reset
			}
		}

		/**
		 * Stays silent for a while, but not longer than the client stays.
		 * @return whether the client is still there
		 */
		boolean silence(int millis) throws IOException {
			this.socket.setSoTimeout(millis);
			try {
				return this.socket.getInputStream().read() >= 0;
			}
			catch (SocketTimeoutException ex) {
				return true;
			}
			finally {
				this.socket.setSoTimeout(0);
			}
		}

		void reset() throws IOException {
			this.socket.setSoLinger(true, 0);
			this.socket.close();
		}

	}

}

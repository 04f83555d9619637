package dev.reflector.integration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import dev.reflector.test.EmbeddedApiServer;

/**
 * Passes connections on to a server, counts them, and can cut them, leave them half-open
 * or damage what the server sends.
 */
final class Relay implements AutoCloseable {

	private final URI server;

	private final ServerSocket listener;

	private final Set<Socket> clients = ConcurrentHashMap.newKeySet();

	private final Set<Socket> silent = ConcurrentHashMap.newKeySet();

	private final AtomicInteger accepted = new AtomicInteger();

	private final AtomicLong answered = new AtomicLong();

	private final AtomicBoolean damaging = new AtomicBoolean();

	Relay(EmbeddedApiServer server) throws IOException {
		this(server.url());
	}

	Relay(URI server) throws IOException {
		this.server = server;
		this.listener = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
		start(this::accept);
	}

	URI url() {
		return URI.create("https://127.0.0.1:" + port());
	}

	int port() {
		return this.listener.getLocalPort();
	}

	/** How many connections there have been. */
	int accepted() {
		return this.accepted.get();
	}

	/** How many bytes the server has sent. */
	long answered() {
		return this.answered.get();
	}

	/** How many connections there are. */
	int open() {
		return this.clients.size();
	}

	void cut() {
		this.clients.forEach(Relay::close);
	}

	/** Keeps the current connections open, but stops passing data on them. */
	void silence() {
		this.silent.addAll(this.clients);
	}

	/** Damages what the server sends next. */
	void damage() {
		this.damaging.set(true);
	}

	private void accept() {
		while (!this.listener.isClosed()) {
			try {
				Socket client = this.listener.accept();
				this.clients.add(client);
				this.accepted.incrementAndGet();
				Socket backend = new Socket(this.server.getHost(), this.server.getPort());
				start(() -> copy(client, backend, client, new AtomicLong()));
				start(() -> copy(backend, client, client, this.answered));
			}
			catch (IOException ex) {
				// closed, or the server is down
			}
		}
	}

	private void copy(Socket from, Socket to, Socket client, AtomicLong count) {
		try (from; to) {
			byte[] bytes = new byte[8192];
			int length = from.getInputStream().read(bytes);
			while (length >= 0) {
				count.addAndGet(length);
				if (from != client && this.damaging.compareAndSet(true, false)) {
					bytes[length - 1] = (byte) ~bytes[length - 1];
				}
				if (!this.silent.contains(client)) {
					to.getOutputStream().write(bytes, 0, length);
				}
				length = from.getInputStream().read(bytes);
			}
		}
		catch (IOException ex) {
			// one side has gone
		}
		finally {
			this.clients.remove(client);
		}
	}

	private static void close(Socket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void start(Runnable task) {
		Thread thread = new Thread(task, "relay");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() throws IOException {
		this.listener.close();
		cut();
	}

}

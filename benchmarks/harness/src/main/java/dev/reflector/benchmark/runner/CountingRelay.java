package dev.reflector.benchmark.runner;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Passes the connections of one replica on to the server, and counts the bytes that come
 * back: those on the wire, whatever they are.
 */
final class CountingRelay implements AutoCloseable {

	private static final int CAPACITY = 256 * 1024;

	private final InetSocketAddress server;

	private final ServerSocketChannel listener;

	private final AtomicLong received = new AtomicLong();

	CountingRelay(InetSocketAddress server) {
		this.server = server;
		try {
			this.listener = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		start(this::accept);
	}

	int port() {
		return this.listener.socket().getLocalPort();
	}

	/** How many bytes the server has sent. */
	long received() {
		return this.received.get();
	}

	private static void start(Runnable task) {
		Thread thread = new Thread(task, "relay");
		thread.setDaemon(true);
		thread.start();
	}

	private void accept() {
		try {
			while (true) {
				SocketChannel client = this.listener.accept();
				SocketChannel backend = SocketChannel.open(this.server);
				client.setOption(StandardSocketOptions.TCP_NODELAY, true);
				backend.setOption(StandardSocketOptions.TCP_NODELAY, true);
				start(() -> copy(client, backend, new AtomicLong()));
				start(() -> copy(backend, client, this.received));
			}
		}
		catch (IOException ex) {
			// closed
		}
	}

	private static void copy(SocketChannel from, SocketChannel to, AtomicLong count) {
		ByteBuffer buffer = ByteBuffer.allocateDirect(CAPACITY);
		try (from; to) {
			while (from.read(buffer) >= 0) {
				count.addAndGet(buffer.position());
				buffer.flip();
				while (buffer.hasRemaining()) {
					to.write(buffer);
				}
				buffer.clear();
			}
		}
		catch (IOException ex) {
			// one side has gone
		}
	}

	@Override
	public void close() {
		try {
			this.listener.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}

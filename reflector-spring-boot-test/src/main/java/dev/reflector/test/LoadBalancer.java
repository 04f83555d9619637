package dev.reflector.test;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import dev.reflector.test.internal.access.ServerAccess;
import org.jspecify.annotations.Nullable;

/**
 * A load balancer with one address for several servers. Each new connection goes to the
 * next server in turn, or, after {@link #sendTo}, to the chosen server. Together with
 * {@link EmbeddedApiServer#restore}, it shows what happens when API servers behind one
 * address are at different versions.
 *
 * @since 0.1.0
 */
public final class LoadBalancer implements AutoCloseable {

	private final List<EmbeddedApiServer> servers;

	private final ServerSocket listener;

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	private final Set<Socket> frozen = ConcurrentHashMap.newKeySet();

	private final AtomicInteger next = new AtomicInteger();

	private volatile @Nullable EmbeddedApiServer only;

	private volatile boolean closed;

	private LoadBalancer(List<EmbeddedApiServer> servers) throws IOException {
		this.servers = servers;
		this.listener = new ServerSocket();
		this.listener.bind(new InetSocketAddress(ServerAccess.HOST, 0));
		start("accept", this::acceptAll);
	}

	/**
	 * Creates a load balancer and begins to listen.
	 * @param servers the servers; the first server gets the first connection
	 * @return the load balancer
	 */
	public static LoadBalancer over(EmbeddedApiServer... servers) {
		if (servers.length == 0) {
			throw new IllegalArgumentException("'servers' must not be empty");
		}
		try {
			return new LoadBalancer(List.of(servers));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Returns the URL of the load balancer. The load balancer forwards bytes unchanged,
	 * so a client that uses TLS sees the certificate of the server behind it.
	 * @return the URL without a trailing slash
	 */
	public URI url() {
		return this.servers.get(0).url(this.listener.getLocalPort());
	}

	/**
	 * Sends new connections only to one of the servers from now on. Open connections
	 * continue.
	 * @param server the server
	 */
	public void sendTo(EmbeddedApiServer server) {
		this.only = server;
	}

	/**
	 * Breaks all connections. A client that connects again may get another server.
	 */
	public void disconnect() {
		this.sockets.forEach(LoadBalancer::close);
	}

	/**
	 * Forwards nothing more on the open connections, without closing them, like a network
	 * that loses all packets. New connections work.
	 */
	public void freeze() {
		this.frozen.addAll(this.sockets);
	}

	/**
	 * Stops listening and breaks all connections. The servers continue.
	 */
	@Override
	public void close() {
		this.closed = true;
		close(this.listener);
		disconnect();
	}

	private void acceptAll() {
		while (!this.closed) {
			try {
				Socket client = this.listener.accept();
				this.sockets.add(client);
				start("connect", () -> connect(client));
			}
			catch (IOException ex) {
				// the load balancer was closed, or the client has disconnected already
			}
		}
	}

	private void connect(Socket client) {
		EmbeddedApiServer server = this.only;
		if (server == null) {
			server = this.servers.get(Math.floorMod(this.next.getAndIncrement(), this.servers.size()));
		}
		Socket backend = new Socket();
		try {
			backend.connect(new InetSocketAddress(InetAddress.getByName(ServerAccess.HOST), server.port()));
			// the socket is added only after it has connected, because a socket that is
			// closed while it connects may stay open. If the connection of the client was
			// closed since, copying ends at once
			this.sockets.add(backend);
			if (this.frozen.contains(client)) {
				this.frozen.add(backend);
			}
			if (this.closed) {
				end(client, backend);
			}
			start("forth", () -> copy(client, backend));
			copy(backend, client);
		}
		catch (IOException ex) {
			end(client, backend);
		}
	}

	private void copy(Socket from, Socket to) {
		try {
			InputStream in = from.getInputStream();
			OutputStream out = to.getOutputStream();
			byte[] buffer = new byte[8192];
			for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
				if (!this.frozen.contains(from)) {
					out.write(buffer, 0, read);
				}
			}
		}
		catch (IOException ex) {
			// client or server has disconnected
		}
		finally {
			end(from, to);
		}
	}

	private void end(Socket client, Socket backend) {
		this.sockets.removeAll(List.of(client, backend));
		this.frozen.removeAll(List.of(client, backend));
		close(client);
		close(backend);
	}

	private static void close(AutoCloseable closeable) {
		try {
			closeable.close();
		}
		catch (Exception ex) {
			// a failure to close the socket does not matter
		}
	}

	private static void start(String name, Runnable task) {
		Thread thread = new Thread(task, "load-balancer-" + name);
		thread.setDaemon(true);
		thread.start();
	}

}

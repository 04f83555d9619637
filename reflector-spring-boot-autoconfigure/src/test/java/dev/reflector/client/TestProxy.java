package dev.reflector.client;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A proxy that understands {@code CONNECT} and SOCKS 5, and notes where it was asked to
 * connect to, and by whom. Wherever that is, it connects to one port of this machine.
 */
final class TestProxy implements Closeable {

	private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

	private final List<Socket> sockets = new CopyOnWriteArrayList<>();

	private final List<String> targets = new CopyOnWriteArrayList<>();

	private final int target;

	TestProxy(int target) throws IOException {
		this.target = target;
		start(this::accept);
	}

	int port() {
		return this.socket.getLocalPort();
	}

	List<String> targets() {
		return this.targets;
	}

	private static void start(Task task) {
		Thread thread = new Thread(() -> {
			try {
				task.run();
			}
			catch (IOException | RuntimeException ex) {
				// one of both sides has closed its connection, wherever that was
			}
		}, "proxy");
		thread.setDaemon(true);
		thread.start();
	}

	private void accept() throws IOException {
		while (true) {
			Socket client = this.socket.accept();
			this.sockets.add(client);
			start(() -> serve(client));
		}
	}

	private void serve(Socket client) throws IOException {
		InputStream in = client.getInputStream();
		int first = in.read();
		if (first == 5) {
			socks(client, in);
		}
		else {
			connect(client, in, first);
		}
		Socket server = new Socket(InetAddress.getLoopbackAddress(), this.target);
		this.sockets.add(server);
		start(() -> pipe(server, client));
		pipe(client, server);
	}

	private void connect(Socket client, InputStream in, int first) throws IOException {
		ByteArrayOutputStream head = new ByteArrayOutputStream();
		head.write(first);
		while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
			int value = in.read();
			if (value < 0) {
				throw new EOFException("the client went away");
			}
			head.write(value);
		}
		String request = head.toString(StandardCharsets.US_ASCII);
		String user = request.lines()
			.filter((line) -> line.toLowerCase(Locale.ROOT).startsWith("proxy-authorization: "))
			.map((line) -> " " + line.substring(line.indexOf(' ') + 1))
			.findFirst()
			.orElse("");
		this.targets.add(request.lines().findFirst().orElseThrow() + user);
		client.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
	}

	private void socks(Socket client, InputStream in) throws IOException {
		in.readNBytes(in.read());
		client.getOutputStream().write(new byte[] { 5, 0 });
		byte[] request = in.readNBytes(4);
		String host = (request[3] == 3) ? new String(in.readNBytes(in.read()), StandardCharsets.US_ASCII)
				: InetAddress.getByAddress(in.readNBytes(4)).getHostAddress();
		byte[] port = in.readNBytes(2);
		this.targets.add("SOCKS " + host + ":" + ((port[0] & 0xff) << 8 | port[1] & 0xff));
		client.getOutputStream().write(new byte[] { 5, 0, 0, 1, 0, 0, 0, 0, 0, 0 });
	}

	private static void pipe(Socket from, Socket to) throws IOException {
		try (from; to) {
			from.getInputStream().transferTo(to.getOutputStream());
		}
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
		for (Socket open : this.sockets) {
			open.close();
		}
	}

	private interface Task {

		void run() throws IOException;

	}

}

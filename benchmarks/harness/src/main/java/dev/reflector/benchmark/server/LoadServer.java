package dev.reflector.benchmark.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Serves one collection on the loopback interface, with a thread for each connection.
 * Prints its port, and ends when its standard input does, so that it cannot outlive who
 * started it.
 */
public final class LoadServer {

	private final ServedCollection collection;

	private LoadServer(ServedCollection collection) {
		this.collection = collection;
	}

	/**
	 * Serves JSON until standard input ends.
	 * @param args what to serve: the kind, how many, and about how large each is
	 * @throws IOException when there is no port to be had
	 */
	public static void main(String[] args) throws IOException {
		run(args, List.of());
	}

	/**
	 * Serves until standard input ends.
	 * @param args the objects to serve: their kind, number and approximate size
	 * @param encodings formats in addition to JSON
	 * @throws IOException if there is no free port
	 */
	public static void run(String[] args, List<Encoding> encodings) throws IOException {
		Dataset json = new Dataset(Kind.of(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]));
		LoadServer server = new LoadServer(new ServedCollection(json, encodings.stream().map(json::in).toList()));
		try (ServerSocketChannel channel = ServerSocketChannel.open()) {
			channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
			System.out.println("port=" + channel.socket().getLocalPort());
			start("accept", () -> server.accept(channel));
			while (System.in.read() >= 0) {
				continue;
			}
		}
	}

	private static void start(String name, Runnable task) {
		Thread thread = new Thread(task, name);
		thread.setDaemon(true);
		thread.start();
	}

	private void accept(ServerSocketChannel server) {
		try {
			while (true) {
				SocketChannel channel = server.accept();
				channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
				start("connection", () -> serve(channel));
			}
		}
		catch (IOException ex) {
			System.err.println("no longer accepting: " + ex);
		}
	}

	private void serve(SocketChannel channel) {
		try (channel) {
			Output output = new Output(channel);
			Request request = Request.read(channel);
			while (request != null && answer(request, output)) {
				request = Request.read(channel);
			}
		}
		catch (IOException ex) {
			// the client has gone, as clients do
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private boolean answer(Request request, Output output) throws IOException, InterruptedException {
		if (request.path().startsWith("/control/")) {
			output.answer("200 OK", "text/plain", control(request).getBytes(StandardCharsets.US_ASCII));
			return true;
		}
		if (this.collection.serves(request.path())) {
			return this.collection.answer(request, output);
		}
		output.answer("404 Not Found", Encoding.JSON.mediaType(), Statuses.object(Encoding.JSON, Statuses.NOT_FOUND));
		return true;
	}

	private String control(Request request) {
		int events = request.number("events", 1);
		switch (request.path()) {
			case "/control/reset" -> this.collection.reset(!request.text("streaming").equals("false"),
					request.number("visible", this.collection.size()), request.isTrue("unchanged"));
			case "/control/burst" -> {
				return "last=" + this.collection.send(new Plan.Burst(events), events) + "\n";
			}
			case "/control/paced" -> {
				return "last=" + this.collection.send(new Plan.Paced(events, request.number("rate", 1000)), events)
						+ "\n";
			}
			case "/control/grow" -> this.collection.grow();
			case "/control/expire" -> this.collection.expire();
			default -> {
				return this.collection.report();
			}
		}
		return "done=true\n";
	}

}

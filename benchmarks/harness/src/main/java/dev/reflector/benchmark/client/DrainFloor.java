package dev.reflector.benchmark.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

import dev.reflector.benchmark.server.Kind;

/**
 * The floor of the wire: takes the bytes of a list and of a burst and looks at none of
 * them.
 */
public final class DrainFloor {

	private static final byte[] END = "\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

	private static final int QUIET_MILLIS = 250;

	private final URI server;

	private final byte[] buffer = new byte[256 * 1024];

	private final Meter meter = new Meter();

	private long lastRead;

	private DrainFloor(URI server) {
		this.server = server;
	}

	/**
	 * Drains one list and one burst.
	 * @param args URL of the server, what it serves, and how many events to ask for
	 * @throws IOException when the server is not there
	 */
	public static void main(String[] args) throws IOException {
		DrainFloor floor = new DrainFloor(URI.create(args[0]));
		Kind kind = Kind.valueOf(args[1]);
		int events = Integer.parseInt(args[2]);
		ServerControl control = new ServerControl(floor.server);
		control.call("reset");
		floor.list(kind);
		floor.burst(kind, control, events / 10, "warm");
		floor.burst(kind, control, events, "burst");
		System.out.println("complete=true");
	}

	private Socket request(String target) throws IOException {
		Socket socket = new Socket(this.server.getHost(), this.server.getPort());
		socket.getOutputStream()
			.write(("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
		return socket;
	}

	private void list(Kind kind) throws IOException {
		Meter.Reading begin = this.meter.read();
		try (Socket socket = request(kind.path() + "?resourceVersion=0")) {
			InputStream in = socket.getInputStream();
			byte[] tail = new byte[END.length];
			while (!Arrays.equals(tail, END)) {
				int count = in.read(this.buffer);
				int kept = Math.min(count, tail.length);
				System.arraycopy(tail, kept, tail, 0, tail.length - kept);
				System.arraycopy(this.buffer, count - kept, tail, tail.length - kept, kept);
			}
		}
		Meter.Reading end = this.meter.read();
		print("sync.seconds", (end.nanos() - begin.nanos()) / 1e9);
		print("sync.cpuSeconds", end.cpuSecondsSince(begin));
	}

	private void burst(Kind kind, ServerControl control, int events, String name) throws IOException {
		try (Socket socket = request(kind.path() + "?watch=true&resourceVersion=0")) {
			while (!control.report("open").equals("true")) {
				Thread.onSpinWait();
			}
			socket.setSoTimeout(QUIET_MILLIS);
			Meter.Reading begin = this.meter.read();
			control.call("burst?events=" + events);
			drain(socket.getInputStream());
			Meter.Reading end = this.meter.read();
			print(name + ".eventsPerSecond", events * 1e9 / (this.lastRead - begin.nanos()));
			print(name + ".cpuMicrosPerEvent", end.cpuSecondsSince(begin) * 1e6 / events);
		}
		control.call("reset");
	}

	private void drain(InputStream in) throws IOException {
		try {
			while (in.read(this.buffer) >= 0) {
				this.lastRead = System.nanoTime();
			}
		}
		catch (SocketTimeoutException ex) {
			// that was all
		}
	}

	private static void print(String name, double value) {
		System.out.println(name + "=" + String.format(Locale.ROOT, "%.6f", value));
	}

}

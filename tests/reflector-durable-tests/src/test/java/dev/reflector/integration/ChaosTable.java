package dev.reflector.integration;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * A table that replicas write to, like the one in the guide. It refuses a write with an
 * older epoch than the newest one of the slot, and clears a slot for each new owner. It
 * also enters all reports of the replicas into a {@link ChaosLedger}.
 */
final class ChaosTable implements AutoCloseable {

	private final ServerSocket server;

	private final ChaosLedger ledger;

	private final Map<Integer, Slot> slots = new TreeMap<>();

	private int refused;

	ChaosTable(ChaosLedger ledger) throws IOException {
		this.ledger = ledger;
		this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		daemon(this::accept);
	}

	int port() {
		return this.server.getLocalPort();
	}

	private void accept() throws IOException {
		while (true) {
			Socket socket = this.server.accept();
			socket.setTcpNoDelay(true);
			daemon(() -> serve(socket));
		}
	}

	private void serve(Socket socket) throws IOException {
		try (socket;
				BufferedReader input = new BufferedReader(
						new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
				Writer output = new OutputStreamWriter(socket.getOutputStream(), StandardCharsets.UTF_8)) {
			String process = input.readLine();
			for (String line = ""; line != null; line = input.readLine()) {
				if (!line.isEmpty()) {
					take(process, line.split(" "));
				}
				output.write("\n");
				output.flush();
			}
		}
	}

	private synchronized void take(String process, String[] words) {
		if (words[0].equals("owns")) {
			Map<Integer, Long> epochs = new TreeMap<>();
			for (int i = 4; i < words.length; i++) {
				String[] slot = words[i].split("=");
				epochs.put(Integer.parseInt(slot[0]), Long.parseLong(slot[1]));
			}
			this.ledger.owns(process, Long.parseLong(words[1]), Long.parseLong(words[2]),
					Boolean.parseBoolean(words[3]), epochs);
			return;
		}
		int number = Integer.parseInt(words[1]);
		long epoch = Long.parseLong(words[2]);
		Slot slot = this.slots.computeIfAbsent(number, (any) -> new Slot());
		switch (words[0]) {
			case "acquired" -> {
				this.ledger.acquired(process, number, epoch);
				if (slot.admits(epoch)) {
					slot.rows.clear();
				}
				else {
					this.refused++;
				}
			}
			case "released" -> this.ledger.released(process, number, epoch, Boolean.parseBoolean(words[3]));
			default -> {
				this.ledger.called(process, number, epoch, Long.parseLong(words[3]), System.nanoTime());
				if (!slot.admits(epoch)) {
					this.refused++;
				}
				else if (!slot.change(words[4], words[5], words[6])) {
					this.ledger.mistake(process + " was told " + String.join(" ", words) + ", which does not follow");
				}
			}
		}
	}

	/** All rows: keys and versions. */
	synchronized Map<String, String> rows() {
		Map<String, String> rows = new TreeMap<>();
		this.slots.forEach((number, slot) -> slot.rows.forEach(
				(key, value) -> rows.merge(key, value, (first, second) -> first + " and in slot " + number + second)));
		return rows;
	}

	/** How many writes with an older epoch were refused. */
	synchronized int refused() {
		return this.refused;
	}

	@Override
	public void close() throws IOException {
		this.server.close();
	}

	private static void daemon(Task task) {
		Thread thread = new Thread(() -> {
			try {
				task.run();
			}
			catch (IOException ex) {
				// the process has ended
			}
		}, "table");
		thread.setDaemon(true);
		thread.start();
	}

	private interface Task {

		void run() throws IOException;

	}

	/** The rows of a slot. */
	private static final class Slot {

		private final Map<String, String> rows = new TreeMap<>();

		private long epoch = -1;

		private boolean admits(long epoch) {
			boolean admitted = epoch >= this.epoch;
			this.epoch = Math.max(this.epoch, epoch);
			return admitted;
		}

		/** Whether the change follows from the rows. */
		private boolean change(String type, String key, String value) {
			boolean known = this.rows.containsKey(key);
			if (type.equals("DELETED")) {
				this.rows.remove(key);
				return known;
			}
			this.rows.put(key, value);
			return known == type.equals("UPDATED");
		}

	}

}

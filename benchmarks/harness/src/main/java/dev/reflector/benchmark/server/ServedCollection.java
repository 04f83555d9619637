package dev.reflector.benchmark.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * The lists and watches of the collection, and what has been asked of it since the last
 * reset. One client at a time.
 */
final class ServedCollection {

	private final Dataset dataset;

	private boolean streaming = true;

	private int visible;

	private long oldest;

	private int lists;

	private int watches;

	private long firstRequest;

	private @Nullable Watch current;

	ServedCollection(Dataset dataset) {
		this.dataset = dataset;
		this.visible = dataset.size();
	}

	int size() {
		return this.dataset.size();
	}

	/** Each namespace has all objects: only mirrors without objects ask for one. */
	boolean serves(String path) {
		return path.replaceFirst("/namespaces/[a-z0-9-]+/", "/").equals(this.dataset.kind().path());
	}

	/**
	 * For the next client.
	 * @param streaming whether lists can be streamed
	 * @param visible how many objects there are
	 */
	synchronized void reset(boolean streaming, int visible) {
		if (this.current != null) {
			this.current.add(new Plan.Close());
		}
		this.current = null;
		this.streaming = streaming;
		this.visible = visible;
		this.lists = 0;
		this.watches = 0;
		this.firstRequest = 0;
	}

	/**
	 * Has the open watch send events.
	 * @return the version of the last of them
	 */
	synchronized long send(Plan plan, int events) {
		if (this.current == null) {
			throw new IllegalStateException("there is no watch");
		}
		long last = this.dataset.version() + events;
		this.current.add(plan);
		return last;
	}

	/** Shows all objects to those who list anew. */
	synchronized void grow() {
		this.visible = this.dataset.size();
		expire();
	}

	/** Makes everything before now too old. */
	synchronized void expire() {
		this.oldest = this.dataset.nextVersion();
		this.firstRequest = 0;
		if (this.current != null) {
			this.current.add(new Plan.Expire());
			this.current = null;
		}
	}

	synchronized String report() {
		return "lists=" + this.lists + "\nwatches=" + this.watches + "\nopen=" + (this.current != null)
				+ "\nfirstRequest=" + this.firstRequest + "\n";
	}

	private synchronized void note(boolean watch) {
		if (this.firstRequest == 0) {
			this.firstRequest = System.nanoTime();
		}
		if (watch) {
			this.watches++;
		}
		else {
			this.lists++;
		}
	}

	/**
	 * Answers a request.
	 * @return whether the connection can be used again
	 */
	boolean answer(Request request, Output output) throws IOException, InterruptedException {
		boolean watch = request.isTrue("watch");
		note(watch);
		if (!watch) {
			list(request, output);
			return true;
		}
		boolean initial = request.isTrue("sendInitialEvents");
		String version = request.text("resourceVersion");
		if (initial && !streams()) {
			output.answer("422 Unprocessable Entity", "application/json", Statuses.NO_STREAMS);
			return true;
		}
		if (!initial && !version.isEmpty() && !version.equals("0") && Long.parseLong(version) < oldest()) {
			output.answer("410 Gone", "application/json", Statuses.EXPIRED);
			return true;
		}
		return watch(request, output, initial);
	}

	private boolean watch(Request request, Output output, boolean initial) throws IOException, InterruptedException {
		String key = request.webSocketKey();
		if (key != null) {
			output.beginWebSocket(Handshake.accept(key));
		}
		else {
			output.beginChunks();
		}
		Watch watch = new Watch(this.dataset, output);
		if (initial) {
			watch.sendInitialEvents(visible());
		}
		open(watch);
		return watch.serve() && !output.isWebSocket();
	}

	private synchronized boolean streams() {
		return this.streaming;
	}

	private synchronized int visible() {
		return this.visible;
	}

	private synchronized long oldest() {
		return this.oldest;
	}

	private synchronized void open(Watch watch) {
		this.current = watch;
	}

	private void list(Request request, Output output) throws IOException {
		int from = request.number("continue", 0);
		int all = visible();
		int to = all;
		int limit = request.number("limit", 0);
		if (limit > 0) {
			to = Math.min(to, from + limit);
		}
		output.beginChunks();
		Kind kind = this.dataset.kind();
		String more = (to < all) ? ",\"continue\":\"" + to + "\",\"remainingItemCount\":" + (all - to) : "";
		put(output, "{\"kind\":\"" + kind.kind() + "List\",\"apiVersion\":\"" + kind.apiVersion()
				+ "\",\"metadata\":{\"resourceVersion\":\"" + this.dataset.version() + "\"" + more + "},\"items\":[");
		for (int i = from; i < to; i++) {
			ByteBuffer out = output.part(this.dataset.itemLength(i) + 1);
			if (i > from) {
				out.put((byte) ',');
			}
			this.dataset.item(out, i);
		}
		put(output, "]}\n");
		output.endPart();
		output.end();
	}

	private static void put(Output output, String text) throws IOException {
		byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
		output.part(bytes.length).put(bytes);
	}

}

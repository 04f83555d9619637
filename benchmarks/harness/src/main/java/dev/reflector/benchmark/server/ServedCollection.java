package dev.reflector.benchmark.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/**
 * The lists and watches of the collection, and what has been asked of it since the last
 * reset. One client at a time.
 */
final class ServedCollection {

	private final Dataset json;

	/** The same objects in other formats. */
	private final List<Dataset> others;

	/** Bytes of all answers, with heads and sizes of chunks. */
	private final AtomicLong sent = new AtomicLong();

	/** The formats of all answers. */
	private final Set<String> mediaTypes = new TreeSet<>();

	private boolean streaming = true;

	private int visible;

	private long oldest;

	private int lists;

	private int watches;

	private long firstRequest;

	private @Nullable Watch current;

	ServedCollection(Dataset json, List<Dataset> others) {
		this.json = json;
		this.others = others;
		this.visible = json.size();
	}

	int size() {
		return this.json.size();
	}

	/** Each namespace has all objects: only mirrors without objects ask for one. */
	boolean serves(String path) {
		return path.replaceFirst("/namespaces/[a-z0-9-]+/", "/").equals(this.json.kind().path());
	}

	/**
	 * Resets the collection for the next client.
	 * @param streaming whether lists can be streamed
	 * @param visible the number of objects
	 * @param unchanged whether the versions of all objects are reset to the first ones,
	 * so that clients that receive the same events end with the same objects
	 */
	synchronized void reset(boolean streaming, int visible, boolean unchanged) {
		if (this.current != null) {
			this.current.add(new Plan.Close());
		}
		this.current = null;
		this.streaming = streaming;
		this.visible = visible;
		this.lists = 0;
		this.watches = 0;
		this.firstRequest = 0;
		this.sent.set(0);
		this.mediaTypes.clear();
		if (unchanged) {
			this.json.versions().reset();
			this.oldest = 0;
		}
	}

	/**
	 * Makes the open watch send events.
	 * @return the version of the last of them
	 */
	synchronized long send(Plan plan, int events) {
		if (this.current == null) {
			throw new IllegalStateException("there is no watch");
		}
		long last = this.json.versions().newest() + events;
		this.current.add(plan);
		return last;
	}

	/** Shows all objects to clients that list again. */
	synchronized void grow() {
		this.visible = this.json.size();
		expire();
	}

	/** Expires all versions before the current one. */
	synchronized void expire() {
		this.oldest = this.json.versions().next();
		this.firstRequest = 0;
		if (this.current != null) {
			this.current.add(new Plan.Expire());
			this.current = null;
		}
	}

	synchronized String report() {
		return "lists=" + this.lists + "\nwatches=" + this.watches + "\nopen=" + (this.current != null)
				+ "\nfirstRequest=" + this.firstRequest + "\nsent=" + this.sent + "\nmediaTypes="
				+ String.join(",", this.mediaTypes) + "\n";
	}

	private synchronized void note(boolean watch, Encoding encoding) {
		this.mediaTypes.add(encoding.mediaType());
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
		Dataset dataset = preferred(request);
		Encoding encoding = dataset.encoding();
		output.countInto(this.sent);
		note(watch, encoding);
		if (!watch) {
			list(request, output, dataset);
			return true;
		}
		boolean initial = request.isTrue("sendInitialEvents");
		String version = request.text("resourceVersion");
		if (initial && !streams()) {
			output.answer("422 Unprocessable Entity", encoding.mediaType(),
					Statuses.object(encoding, Statuses.NO_STREAMS));
			return true;
		}
		if (!initial && !version.isEmpty() && !version.equals("0") && Long.parseLong(version) < oldest()) {
			output.answer("410 Gone", encoding.mediaType(), Statuses.object(encoding, Statuses.EXPIRED));
			return true;
		}
		return watch(request, output, dataset, initial);
	}

	private Dataset preferred(Request request) {
		return this.others.stream()
			.filter((dataset) -> request.prefers(dataset.encoding().mediaType()))
			.findFirst()
			.orElse(this.json);
	}

	private boolean watch(Request request, Output output, Dataset dataset, boolean initial)
			throws IOException, InterruptedException {
		String key = request.webSocketKey();
		if (key != null) {
			output.beginWebSocket(Handshake.accept(key));
		}
		else {
			output.beginChunks(dataset.encoding().streamType());
		}
		Watch watch = new Watch(dataset, output);
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

	private void list(Request request, Output output, Dataset dataset) throws IOException {
		int from = request.number("continue", 0);
		int all = visible();
		int to = all;
		int limit = request.number("limit", 0);
		if (limit > 0) {
			to = Math.min(to, from + limit);
		}
		Encoding encoding = dataset.encoding();
		output.beginChunks(encoding.mediaType());
		Envelope list = dataset.list(from, to,
				(to < all) ? ",\"continue\":\"" + to + "\",\"remainingItemCount\":" + (all - to) : "");
		byte[] separator = encoding.separator();
		put(output, list.before());
		for (int i = from; i < to; i++) {
			ByteBuffer out = output.part(dataset.itemLength(i) + separator.length);
			if (i > from) {
				out.put(separator);
			}
			dataset.item(out, i);
		}
		put(output, list.after());
		output.endPart();
		output.end();
	}

	private static void put(Output output, byte[] bytes) throws IOException {
		output.part(bytes.length).put(bytes);
	}

}

package dev.reflector.benchmark.server;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The objects of a collection, rendered in one format. Version and stamp have a fixed
 * width and are written over in the copy that is sent.
 */
public final class Dataset {

	private static final String ADDED = "ADDED";

	private static final String MODIFIED = "MODIFIED";

	private final Kind kind;

	private final int size;

	private final Encoding encoding;

	private final Versions versions;

	private final byte[][] bodies;

	private final int[] versionAt;

	private final int[] stampAt;

	private final Envelopes[] envelopes;

	/**
	 * Renders objects in JSON.
	 * @param kind what they are
	 * @param count how many
	 * @param size about how many bytes each should have; zero for what is usual, which
	 * differs from object to object
	 */
	public Dataset(Kind kind, int count, int size) {
		this(kind, size, Encoding.JSON, new Versions(count));
	}

	private Dataset(Kind kind, int size, Encoding encoding, Versions versions) {
		this.kind = kind;
		this.size = size;
		this.encoding = encoding;
		this.versions = versions;
		int count = versions.count();
		this.bodies = new byte[count][];
		this.versionAt = new int[count];
		this.stampAt = new int[count];
		this.envelopes = new Envelopes[count];
		Map<Integer, Envelopes> byLength = new HashMap<>();
		for (int i = 0; i < count; i++) {
			byte[] body = encoding.fields(kind.kind(), members(i));
			this.bodies[i] = body;
			this.versionAt[i] = find(body, Rendering.VERSION);
			this.stampAt[i] = find(body, Rendering.STAMP);
			this.envelopes[i] = byLength.computeIfAbsent(body.length, this::envelopes);
		}
	}

	/**
	 * Returns the same objects in another format. Both data sets share their versions: a
	 * change in one is a change in the other.
	 * @param encoding the format
	 * @return the objects
	 */
	public Dataset in(Encoding encoding) {
		return new Dataset(this.kind, this.size, encoding, this.versions);
	}

	private String members(int number) {
		Rendering rendering = new Rendering(number);
		return switch (this.kind) {
			case PODS -> rendering.pod((this.size > 0) ? this.size : 4096 + number % 8 * 256);
			case WIDGETS -> rendering.widget((this.size > 0) ? this.size : 1024);
		};
	}

	/** Returns the index at which a version or a stamp begins. */
	private int find(byte[] body, String text) {
		char before = (char) (this.encoding.byteBefore(text) & 0xff);
		// each byte is a character
		int at = new String(body, StandardCharsets.ISO_8859_1).indexOf(before + text);
		if (at < 0) {
			throw new IllegalStateException("no place for " + text + " in an object");
		}
		return at + 1;
	}

	private Envelopes envelopes(int length) {
		return new Envelopes(this.encoding.item(this.kind, length), framed(ADDED, length), framed(MODIFIED, length));
	}

	private Envelope framed(String event, int length) {
		return this.encoding.framed(event, this.kind.apiVersion(), this.kind.kind(), length);
	}

	Kind kind() {
		return this.kind;
	}

	Encoding encoding() {
		return this.encoding;
	}

	Versions versions() {
		return this.versions;
	}

	/**
	 * Returns the number of objects.
	 * @return the number
	 */
	public int size() {
		return this.bodies.length;
	}

	/**
	 * Returns the bytes around some items of a list.
	 * @param from the first item
	 * @param to the index after the last item
	 * @param more additional metadata of the list, in JSON
	 */
	Envelope list(int from, int to, String more) {
		Envelope items = this.encoding.items("{\"resourceVersion\":\"" + this.versions.newest() + "\"" + more + "}");
		long length = items.length() + Math.max(0, to - from - 1) * (long) this.encoding.separator().length;
		for (int i = from; i < to; i++) {
			length += itemLength(i);
		}
		return items.within(this.encoding.typed(this.kind.apiVersion(), this.kind.kind() + "List", length));
	}

	/**
	 * Returns the length of an item of a list.
	 * @param index the number of the object
	 * @return its bytes
	 */
	public int itemLength(int index) {
		return this.bodies[index].length + this.envelopes[index].item().length();
	}

	/**
	 * Writes an object as an item of a list.
	 * @param out where to write
	 * @param index number of the object
	 */
	public void item(ByteBuffer out, int index) {
		put(out, this.envelopes[index].item(), index, 0);
	}

	/**
	 * Returns the length of the frame of a watch.
	 * @param index the number of the object
	 * @param added whether it is an addition rather than a change
	 * @return its bytes
	 */
	public int frameLength(int index, boolean added) {
		return this.bodies[index].length + this.envelopes[index].frame(added).length();
	}

	/**
	 * Writes an object as the frame of a watch.
	 * @param out where to write
	 * @param index number of the object
	 * @param added whether it is an addition rather than a change
	 * @param stamp what its status says as message
	 */
	public void frame(ByteBuffer out, int index, boolean added, long stamp) {
		put(out, this.envelopes[index].frame(added), index, stamp);
	}

	private void put(ByteBuffer out, Envelope envelope, int index, long stamp) {
		out.put(envelope.before());
		int start = out.position();
		out.put(this.bodies[index]);
		digits(out, start + this.versionAt[index], Rendering.VERSION.length(), this.versions.of(index));
		digits(out, start + this.stampAt[index], Rendering.STAMP.length(), stamp);
		out.put(envelope.after());
	}

	private static void digits(ByteBuffer out, int at, int width, long value) {
		long rest = value;
		for (int i = at + width - 1; i >= at; i--) {
			out.put(i, (byte) ('0' + rest % 10));
			rest /= 10;
		}
	}

	/**
	 * The bytes around the fields of an object. Objects of the same length share them.
	 *
	 * @param item for an item of a list
	 * @param added for an addition
	 * @param changed for a change
	 */
	private record Envelopes(Envelope item, Envelope added, Envelope changed) {

		Envelope frame(boolean addition) {
			return addition ? this.added : this.changed;
		}

	}

}

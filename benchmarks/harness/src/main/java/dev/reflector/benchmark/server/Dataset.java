package dev.reflector.benchmark.server;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The objects of a collection, rendered. Version and stamp have a fixed width and are
 * written over in the copy that is sent.
 */
public final class Dataset {

	private static final byte[] EVENT = "{\"type\":\"MODIFIED\",\"object\":".getBytes(StandardCharsets.US_ASCII);

	private static final byte[] ADDED = "{\"type\":\"ADDED\",\"object\":".getBytes(StandardCharsets.US_ASCII);

	private final Kind kind;

	private final byte[] type;

	private final byte[][] bodies;

	private final int[] versionAt;

	private final int[] stampAt;

	private final long[] versions;

	/** The newest version of all. */
	private long version;

	/**
	 * Renders objects.
	 * @param kind what they are
	 * @param count how many
	 * @param size about how many bytes each should have; zero for what is usual, which
	 * differs from object to object
	 */
	public Dataset(Kind kind, int count, int size) {
		this.kind = kind;
		this.type = ("\"kind\":\"" + kind.kind() + "\",\"apiVersion\":\"" + kind.apiVersion() + "\",")
			.getBytes(StandardCharsets.US_ASCII);
		this.bodies = new byte[count][];
		this.versionAt = new int[count];
		this.stampAt = new int[count];
		this.versions = new long[count];
		this.version = 1_000_000_000L;
		for (int i = 0; i < count; i++) {
			String body = body(i, size);
			this.bodies[i] = body.getBytes(StandardCharsets.US_ASCII);
			this.versionAt[i] = body.indexOf("\"" + Rendering.VERSION + "\"") + 1;
			this.stampAt[i] = body.indexOf("\"" + Rendering.STAMP + "\"") + 1;
			this.versions[i] = ++this.version;
		}
	}

	private String body(int number, int size) {
		Rendering rendering = new Rendering(number);
		return switch (this.kind) {
			case PODS -> rendering.pod((size > 0) ? size : 4096 + number % 8 * 256);
			case WIDGETS -> rendering.widget((size > 0) ? size : 1024);
		};
	}

	Kind kind() {
		return this.kind;
	}

	/**
	 * How many objects there are.
	 * @return the number
	 */
	public int size() {
		return this.bodies.length;
	}

	synchronized long version() {
		return this.version;
	}

	synchronized long nextVersion() {
		return ++this.version;
	}

	/** Changes an object. */
	synchronized long change(int index) {
		this.versions[index] = ++this.version;
		return this.version;
	}

	private synchronized long versionOf(int index) {
		return this.versions[index];
	}

	/**
	 * How long an item of a list is.
	 * @param index number of the object
	 * @return its bytes
	 */
	public int itemLength(int index) {
		return this.bodies[index].length + 1 + (this.kind.typedItems() ? this.type.length : 0);
	}

	/**
	 * Writes an object as an item of a list.
	 * @param out where to write
	 * @param index number of the object
	 */
	public void item(ByteBuffer out, int index) {
		out.put((byte) '{');
		if (this.kind.typedItems()) {
			out.put(this.type);
		}
		body(out, index, versionOf(index), 0);
	}

	/**
	 * How long the frame of a watch is.
	 * @param index number of the object
	 * @param added whether it is an addition rather than a change
	 * @return its bytes, with the line break at its end
	 */
	public int frameLength(int index, boolean added) {
		return (added ? ADDED : EVENT).length + 1 + this.type.length + this.bodies[index].length + 2;
	}

	/**
	 * Writes an object as the frame of a watch.
	 * @param out where to write
	 * @param index number of the object
	 * @param added whether it is an addition rather than a change
	 * @param stamp what its status says as message
	 */
	public void frame(ByteBuffer out, int index, boolean added, long stamp) {
		out.put(added ? ADDED : EVENT).put((byte) '{').put(this.type);
		body(out, index, versionOf(index), stamp);
		out.put((byte) '}').put((byte) '\n');
	}

	private void body(ByteBuffer out, int index, long version, long stamp) {
		int start = out.position();
		out.put(this.bodies[index]);
		digits(out, start + this.versionAt[index], Rendering.VERSION.length(), version);
		digits(out, start + this.stampAt[index], Rendering.STAMP.length(), stamp);
	}

	private static void digits(ByteBuffer out, int at, int width, long value) {
		long rest = value;
		for (int i = at + width - 1; i >= at; i--) {
			out.put(i, (byte) ('0' + rest % 10));
			rest /= 10;
		}
	}

}

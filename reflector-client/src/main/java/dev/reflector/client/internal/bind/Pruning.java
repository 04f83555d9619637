package dev.reflector.client.internal.bind;

import java.util.Arrays;

import dev.reflector.client.internal.frame.JsonSkipper;
import org.jspecify.annotations.Nullable;

/**
 * Copies the parts of an object that its Java type uses. Reuses its buffer for the next
 * object, so it is not thread-safe.
 */
public final class Pruning {

	private static final int INITIAL = 1024;

	private final JsonSkipper skipper;

	private byte[] kept = new byte[INITIAL];

	private int length;

	private byte[] bytes = this.kept;

	public Pruning(JsonSkipper.Limits limits) {
		this.skipper = new JsonSkipper(limits);
	}

	/**
	 * Prunes an object.
	 * @param shape the parts to copy
	 * @param bytes the array that contains the object
	 * @param from the index at which the object begins
	 * @param to the index at which the bytes end, which may be after the end of the
	 * object
	 * @return the index after the object; negative if there is no JSON object, or if it
	 * has a syntax error or exceeds a limit
	 */
	public int prune(Shape shape, byte[] bytes, int from, int to) {
		this.bytes = bytes;
		this.skipper.over(bytes, to);
		this.length = 0;
		int begin = this.skipper.space(from);
		return (this.skipper.at(begin) == '{') ? value(shape, begin, 0) : JsonSkipper.FAULT;
	}

	/**
	 * Skips an object.
	 * @param bytes the array that contains the object
	 * @param from the index at which the object begins
	 * @param to the index at which the bytes end, which may be after the end of the
	 * object
	 * @return the index after the object; negative in the same cases as for
	 * {@link #prune}
	 */
	int skip(byte[] bytes, int from, int to) {
		this.skipper.over(bytes, to);
		int begin = this.skipper.space(from);
		return (this.skipper.at(begin) == '{') ? this.skipper.value(begin, 0) : JsonSkipper.FAULT;
	}

	byte[] kept() {
		return this.kept;
	}

	public int length() {
		return this.length;
	}

	/** Releases the bytes. */
	void clear() {
		this.bytes = this.kept;
		this.skipper.clear();
	}

	private int value(Shape shape, int from, int depth) {
		byte first = this.skipper.at(from);
		if (first == '{' && shape instanceof Shape.Properties properties) {
			return object(properties, null, from, depth + 1);
		}
		if (first == '{' && shape instanceof Shape.Entries entries) {
			return object(null, entries.each(), from, depth + 1);
		}
		if (first == '[' && shape instanceof Shape.Elements elements) {
			return array(elements.each(), from, depth + 1);
		}
		int to = this.skipper.value(from, depth);
		if (to >= 0) {
			keep(from, to);
		}
		return to;
	}

	private int object(Shape.@Nullable Properties properties, @Nullable Shape each, int from, int depth) {
		JsonSkipper skipper = this.skipper;
		int index = skipper.allows(depth) ? skipper.space(from + 1) : JsonSkipper.FAULT;
		keep((byte) '{');
		boolean more = index >= 0 && skipper.at(index) != '}';
		boolean first = true;
		while (more) {
			int name = index;
			int nameEnd = (properties != null) ? skipper.plainName(name) : skipper.name(name);
			int value = skipper.colon(nameEnd);
			if (value < 0) {
				return JsonSkipper.FAULT;
			}
			Shape shape = (properties != null) ? properties.find(this.bytes, name + 1, nameEnd - 1) : each;
			if (shape == null) {
				index = skipper.value(value, depth);
			}
			else {
				separate(first);
				first = false;
				keep(name, nameEnd);
				keep((byte) ':');
				index = value(shape, value, depth);
			}
			index = skipper.behind(index);
			more = skipper.isMore(index);
			index = more ? skipper.space(index + 1) : index;
		}
		return close(index, '}');
	}

	private int array(Shape each, int from, int depth) {
		JsonSkipper skipper = this.skipper;
		int index = skipper.allows(depth) ? skipper.space(from + 1) : JsonSkipper.FAULT;
		keep((byte) '[');
		boolean more = index >= 0 && skipper.at(index) != ']';
		boolean first = true;
		while (more) {
			separate(first);
			first = false;
			index = value(each, index, depth);
			index = skipper.behind(index);
			more = skipper.isMore(index);
			index = more ? skipper.space(index + 1) : index;
		}
		return close(index, ']');
	}

	private int close(int index, char bracket) {
		if (index < 0 || this.skipper.at(index) != bracket) {
			return JsonSkipper.FAULT;
		}
		keep((byte) bracket);
		return index + 1;
	}

	private void separate(boolean first) {
		if (!first) {
			keep((byte) ',');
		}
	}

	private void keep(byte value) {
		ensureCapacity(1);
		this.kept[this.length++] = value;
	}

	private void keep(int from, int to) {
		ensureCapacity(to - from);
		System.arraycopy(this.bytes, from, this.kept, this.length, to - from);
		this.length += to - from;
	}

	private void ensureCapacity(int more) {
		if (this.length + more > this.kept.length) {
			this.kept = Arrays.copyOf(this.kept, Math.max(this.length + more, 2 * this.kept.length));
		}
	}

}

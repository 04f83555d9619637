package dev.reflector.client;

import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.databind.ObjectReader;

/**
 * Makes objects of their bytes. What the type does not declare is left out beforehand,
 * where that makes no difference: most of an object is of that kind, and a parser has to
 * make a name of every name in it. Whatever is unusual in the bytes is left to the parser
 * as it is.
 *
 * @param <T> the type of the objects
 */
final class ObjectBinder<T> {

	private static final int SAMPLE = 500;

	private static final int MAX_SPARE = 64 * 1024;

	private final ObjectReader reader;

	private final Class<T> type;

	private final JsonSkipper.Limits limits;

	private final AtomicReference<@Nullable Pruning> spare = new AtomicReference<>();

	private volatile @Nullable Shape shape;

	// plain counts: what threads lose of each other does not matter
	private int sampled;

	private long seen;

	private long kept;

	/**
	 * Makes objects of one type. The type is looked into when the first object comes.
	 * @param reader reads objects of the type, with a mapper for objects of a server
	 * @param type the type
	 */
	ObjectBinder(ObjectReader reader, Class<T> type) {
		this.reader = reader;
		this.type = type;
		StreamReadConstraints constraints = reader.parserFactory().streamReadConstraints();
		this.limits = new JsonSkipper.Limits(constraints.getMaxNestingDepth(), constraints.getMaxNameLength(),
				constraints.getMaxNumberLength());
	}

	/**
	 * Makes an object.
	 * @param bytes hold it
	 * @param from where it begins
	 * @param to where the bytes end; may lie behind the end of the object
	 * @return the object, {@code null} when it is JSON's null
	 */
	@Nullable T bind(byte[] bytes, int from, int to) {
		Pruning pruning = pruning();
		if (pruning == null) {
			return this.reader.readValue(bytes, from, to - from);
		}
		try {
			boolean pruned = pruning.prune(shape(), bytes, from, to) >= 0;
			count(to - from, pruned ? pruning.length() : to - from);
			return pruned ? this.reader.readValue(pruning.kept(), 0, pruning.length())
					: this.reader.readValue(bytes, from, to - from);
		}
		finally {
			giveBack(pruning);
		}
	}

	/**
	 * Makes an object of bytes that nobody has looked through yet.
	 * @param bytes hold it
	 * @param from where it begins
	 * @param to where it has to end
	 * @return the object; {@code null} when the bytes are not one object, or one of which
	 * nothing is left out
	 */
	@Nullable T bindWhole(byte[] bytes, int from, int to) {
		Pruning pruning = pruning();
		if (pruning == null) {
			return null;
		}
		try {
			if (pruning.prune(shape(), bytes, from, to) != to) {
				return null;
			}
			count(to - from, pruning.length());
			return this.reader.readValue(pruning.kept(), 0, pruning.length());
		}
		finally {
			giveBack(pruning);
		}
	}

	/**
	 * Whether bytes that nobody has looked through yet are one object.
	 * @param bytes hold it
	 * @param from where it begins
	 * @param to where it has to end
	 * @return whether they are, as far as can be told
	 */
	boolean isWhole(byte[] bytes, int from, int to) {
		Pruning pruning = pruning();
		if (pruning == null) {
			return false;
		}
		try {
			return pruning.pass(bytes, from, to) == to;
		}
		finally {
			giveBack(pruning);
		}
	}

	/** Whether anything of an object is left out. */
	boolean leavesOut() {
		return shape() instanceof Shape.Properties;
	}

	/** What leaves out what is not declared, {@code null} when nothing is left out. */
	private @Nullable Pruning pruning() {
		if (!leavesOut()) {
			return null;
		}
		Pruning spare = this.spare.getAndSet(null);
		return (spare != null) ? spare : new Pruning(this.limits);
	}

	private void giveBack(Pruning pruning) {
		pruning.clear();
		if (pruning.kept().length <= MAX_SPARE) {
			this.spare.set(pruning);
		}
	}

	/** Where most is kept, it costs more than it saves. */
	private void count(int seen, int kept) {
		this.seen += seen;
		this.kept += kept;
		if (++this.sampled == SAMPLE && 2 * this.kept > this.seen) {
			this.shape = Shape.ALL;
		}
	}

	private Shape shape() {
		Shape shape = this.shape;
		if (shape == null) {
			shape = ShapeReader.shape(this.reader, this.type);
			this.shape = shape;
		}
		return shape;
	}

}

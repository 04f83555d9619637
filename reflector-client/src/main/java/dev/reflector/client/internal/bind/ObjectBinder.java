package dev.reflector.client.internal.bind;

import java.util.concurrent.atomic.AtomicReference;

import dev.reflector.cache.source.JvmFailureException;
import dev.reflector.client.internal.frame.Frame;
import dev.reflector.client.internal.frame.JsonSkipper;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.databind.ObjectReader;

/**
 * Makes objects of their bytes: of most types without a parser. For others, what the type
 * does not declare is left out beforehand, where that makes no difference: most of an
 * object is of that kind, and a parser has to make a name of every name in it. Whatever
 * is unusual in the bytes is left to the parser as it is.
 *
 * @param <T> the type of the objects
 */
public final class ObjectBinder<T> {

	private static final int SAMPLE = 500;

	private static final int MAX_SPARE = 64 * 1024;

	/** When more than half of so many objects are unusual, that is usual. */
	private static final int PERIOD = 1000;

	private final ObjectReader reader;

	private final Class<T> type;

	private final int maxString;

	private final JsonSkipper.Limits limits;

	private final AtomicReference<@Nullable Tools<T>> spare = new AtomicReference<>();

	private volatile ShapeReader.@Nullable Reading reading;

	// plain counts: what threads lose of each other does not matter
	private int sampled;

	private long seen;

	private long kept;

	private int bound;

	private int unusual;

	/**
	 * Makes objects of one type. The type is looked into when the first object comes.
	 * @param reader reads objects of the type, with a mapper for objects of a server
	 * @param type the type
	 */
	public ObjectBinder(ObjectReader reader, Class<T> type) {
		this.reader = reader;
		this.type = type;
		StreamReadConstraints constraints = reader.parserFactory().streamReadConstraints();
		this.maxString = constraints.getMaxStringLength();
		this.limits = new JsonSkipper.Limits(constraints.getMaxNestingDepth(), constraints.getMaxNameLength(),
				constraints.getMaxNumberLength());
	}

	/**
	 * Makes an object.
	 * @param frame holds it
	 * @param from where it begins
	 * @param to where the bytes end; may lie behind the end of the object
	 * @return the object, behind which an assumed frame ends from now on; {@code null}
	 * when it is JSON's null, or when it cannot be told where an assumed frame ends,
	 * which it cannot where nothing is left out
	 */
	@Nullable public T bind(Frame frame, int from, int to) {
		byte[] bytes = frame.bytes();
		Tools<T> tools = tools();
		if (tools == null) {
			return frame.assumed() ? null : this.reader.readValue(bytes, from, to - from);
		}
		try {
			Binding binding = reading().binding();
			T object = (binding != null) ? make(binding, tools.text(), frame, from, to) : null;
			return (object != null) ? object : read(tools, frame, from, to);
		}
		finally {
			giveBack(tools);
		}
	}

	private @Nullable T make(Binding binding, BoundText text, Frame frame, int from, int to) {
		if (to - from > this.maxString) {
			return null;
		}
		T object = null;
		try {
			text.over(frame.bytes(), to);
			object = this.type.cast(binding.read(text, text.skipper().space(from), 0));
		}
		catch (RuntimeException ex) {
			JvmFailureException.rethrow(ex);
			// what the type throws, it throws again, and Jackson says where
			text.fault();
		}
		int end = text.position();
		countBound(end >= 0);
		if (end >= 0 && frame.assumed()) {
			frame.endsAt(end);
		}
		return (end >= 0) ? object : null;
	}

	/** What is tried in vain again and again costs more than it saves. */
	private void countBound(boolean usual) {
		if (!usual) {
			this.unusual++;
		}
		if (++this.bound >= PERIOD) {
			if (2 * this.unusual > this.bound) {
				this.reading = reading().withoutBinding();
			}
			this.bound = 0;
			this.unusual = 0;
		}
	}

	private @Nullable T read(Tools<T> tools, Frame frame, int from, int to) {
		Pruning pruning = tools.pruning();
		int end = pruning.prune(shape(), frame.bytes(), from, to);
		if (frame.assumed()) {
			if (end < 0) {
				return null;
			}
			frame.endsAt(end);
		}
		if (!isBound()) {
			count(((end >= 0) ? end : to) - from, (end >= 0) ? pruning.length() : to - from);
		}
		return (end >= 0) ? read(tools) : this.reader.readValue(frame.bytes(), from, to - from);
	}

	/**
	 * Passes over an object, of which nothing is taken.
	 * @param frame an assumed frame that holds it
	 * @param from where it begins
	 * @param to where the bytes end
	 * @return whether it can be told where the object ends, behind which the frame ends
	 * from now on
	 */
	public boolean pass(Frame frame, int from, int to) {
		Tools<T> tools = tools();
		if (tools == null) {
			return false;
		}
		try {
			int end = tools.pruning().pass(frame.bytes(), from, to);
			frame.endsAt(Math.max(end, from));
			return end >= 0;
		}
		finally {
			giveBack(tools);
		}
	}

	private @Nullable T read(Tools<T> tools) {
		Pruning pruning = tools.pruning();
		DocumentReader<T> documents = tools.documents();
		return (documents != null) ? documents.read(pruning.kept(), pruning.length())
				: this.reader.readValue(pruning.kept(), 0, pruning.length());
	}

	/** Whether objects are made without a parser, unless they are unusual. */
	boolean isBound() {
		return reading().binding() != null;
	}

	/** Whether anything of an object is left out. */
	public boolean leavesOut() {
		return shape() instanceof Shape.Properties;
	}

	/** What leaves out what is not declared, {@code null} when nothing is left out. */
	private @Nullable Tools<T> tools() {
		if (!leavesOut()) {
			return null;
		}
		Tools<T> spare = this.spare.getAndSet(null);
		return (spare != null) ? spare : new Tools<>(new BoundText(this.limits), new Pruning(this.limits),
				reading().closed() ? new DocumentReader<>(this.reader) : null);
	}

	private void giveBack(Tools<T> tools) {
		tools.text().clear();
		tools.pruning().clear();
		boolean spare = leavesOut() && tools.pruning().kept().length <= MAX_SPARE;
		Tools<T> dropped = spare ? this.spare.getAndSet(tools) : tools;
		if (dropped != null && dropped.documents() != null) {
			dropped.documents().close();
		}
	}

	/** Where most is kept, it costs more than it saves. */
	private void count(int seen, int kept) {
		this.seen += seen;
		this.kept += kept;
		if (++this.sampled == SAMPLE && 2 * this.kept > this.seen) {
			this.reading = ShapeReader.Reading.UNKNOWN;
		}
	}

	private Shape shape() {
		return reading().shape();
	}

	private ShapeReader.Reading reading() {
		ShapeReader.Reading reading = this.reading;
		if (reading == null) {
			reading = ShapeReader.read(this.reader, this.type);
			this.reading = reading;
		}
		return reading;
	}

	/** What serves one object after the other. */
	private record Tools<T>(BoundText text, Pruning pruning, @Nullable DocumentReader<T> documents) {

	}

}

package dev.reflector.client.internal.bind;

import java.util.concurrent.atomic.AtomicReference;

import dev.reflector.GenericResource;
import dev.reflector.cache.source.JvmFailureException;
import dev.reflector.client.internal.frame.Frame;
import dev.reflector.client.internal.frame.JsonSkipper;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;

/**
 * Makes objects from their bytes. Objects of most types are made without a parser (see
 * {@link Binding}). Objects of other types are made by Jackson, which gets only the
 * properties that the type declares. Undeclared properties are most of an object, so
 * skipping them saves time. If the bytes of an object are unusual in any way, Jackson
 * gets all of them.
 *
 * @param <T> the type of the objects
 */
public final class ObjectBinder<T> {

	private static final int SAMPLE = 500;

	private static final int MAX_SPARE = 64 * 1024;

	/**
	 * The number of objects after which the binding is abandoned if more than half of
	 * them were unusual.
	 */
	private static final int PERIOD = 1000;

	private final ObjectReader reader;

	private final Class<T> type;

	private final int maxString;

	private final JsonSkipper.Limits limits;

	private final AtomicReference<@Nullable Tools<T>> spare = new AtomicReference<>();

	private volatile @Nullable TypeReading reading;

	/**
	 * Whether the type declares the API version or the kind. Set together with
	 * {@code reading}.
	 */
	private volatile boolean typed;

	// counted without a lock, so a few counts may be lost if several threads count
	private int sampled;

	private long seen;

	private long kept;

	private int bound;

	private int unusual;

	/**
	 * Creates a binder of one type. The type is inspected when the first object is read.
	 * @param reader reads objects of the type; its mapper must come from
	 * {@link ServerObjectModule}
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
	 * Makes an object. If the end of the frame was only assumed, sets it to the end of
	 * the object.
	 * @param frame the frame that contains the object
	 * @param from the index at which the object begins
	 * @param to the index at which the bytes end, which may be after the end of the
	 * object
	 * @return the object, or {@code null} if it is JSON's null, or if the end of an
	 * assumed frame cannot be found
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
			// Jackson will get the same exception, and then reports where it occurred
			text.fault();
		}
		int end = text.position();
		countBound(end >= 0);
		if (end >= 0 && frame.assumed()) {
			frame.endsAt(end);
		}
		return (end >= 0) ? object : null;
	}

	/**
	 * Counts an object, and abandons the binding if it fails for most objects, because it
	 * then costs more than it saves.
	 */
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
	 * Skips an object, and sets the end of the frame to the end of the object.
	 * @param frame the frame that contains the object, with an assumed end
	 * @param from the index at which the object begins
	 * @param to the index at which the bytes end
	 * @return whether the end of the object was found
	 */
	public boolean skip(Frame frame, int from, int to) {
		Tools<T> tools = tools();
		if (tools == null) {
			return false;
		}
		try {
			int end = tools.pruning().skip(frame.bytes(), from, to);
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

	/**
	 * Returns whether the type declares the API version or the kind. Also returns
	 * {@code true} if this is not known.
	 */
	public boolean declaresType() {
		reading();
		return this.typed;
	}

	private boolean isTyped(Shape shape) {
		if (shape instanceof Shape.Properties properties) {
			return properties.declares("apiVersion") || properties.declares("kind");
		}
		return this.type != GenericResource.class
				&& !this.reader.getConfig().isEnabled(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
	}

	/** Returns whether objects with the usual form are made without a parser. */
	boolean isBound() {
		return reading().binding() != null;
	}

	/** Returns whether parts of an object are skipped. */
	public boolean skipsParts() {
		return shape() instanceof Shape.Properties;
	}

	/**
	 * Returns the tools that skip parts of one object and bind the rest, or {@code null}
	 * if no part is skipped.
	 */
	private @Nullable Tools<T> tools() {
		if (!skipsParts()) {
			return null;
		}
		Tools<T> spare = this.spare.getAndSet(null);
		return (spare != null) ? spare : new Tools<>(new BoundText(this.limits), new Pruning(this.limits),
				reading().closed() ? new DocumentReader<>(this.reader) : null);
	}

	private void giveBack(Tools<T> tools) {
		tools.text().clear();
		tools.pruning().clear();
		boolean spare = skipsParts() && tools.pruning().kept().length <= MAX_SPARE;
		Tools<T> dropped = spare ? this.spare.getAndSet(tools) : tools;
		if (dropped != null && dropped.documents() != null) {
			dropped.documents().close();
		}
	}

	/**
	 * Counts bytes, and abandons pruning if more than half of the bytes are kept, because
	 * it then costs more than it saves.
	 */
	private void count(int seen, int kept) {
		this.seen += seen;
		this.kept += kept;
		if (++this.sampled == SAMPLE && 2 * this.kept > this.seen) {
			this.reading = TypeReading.UNKNOWN;
		}
	}

	private Shape shape() {
		return reading().shape();
	}

	private TypeReading reading() {
		TypeReading reading = this.reading;
		if (reading == null) {
			reading = TypeReading.of(this.reader, this.type);
			this.typed = isTyped(reading.shape());
			this.reading = reading;
		}
		return reading;
	}

	/** The tools for one object. They are reused for the next object. */
	private record Tools<T>(BoundText text, Pruning pruning, @Nullable DocumentReader<T> documents) {

	}

}

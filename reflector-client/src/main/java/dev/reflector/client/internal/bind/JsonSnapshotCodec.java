package dev.reflector.client.internal.bind;

import java.util.List;
import java.util.Set;

import dev.reflector.ResourceType;
import dev.reflector.cache.snapshot.SnapshotCodec;
import dev.reflector.cache.snapshot.SnapshotCorruptException;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.cache.source.JvmFailureException;
import dev.reflector.client.internal.frame.Frame;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes objects as JSON with the declared properties, and reads them like objects of the
 * server. All declared properties are written, and the form does not depend on how the
 * application writes its own JSON. So an object that is read again equals the object that
 * was written.
 *
 * @param <T> the type of the objects
 */
public final class JsonSnapshotCodec<T> implements SnapshotCodec<T> {

	/** The version of the written form, which is a part of {@link #shape()}. */
	private static final String FORM = "2";

	private final JsonMapper mapper;

	private final ObjectReader reader;

	private final Class<T> type;

	private final boolean shared;

	private final Set<String> omitted;

	private final ObjectBinder<T> binder;

	private final String shape;

	private volatile @Nullable ObjectWriting writing;

	/**
	 * Creates a codec.
	 * @param application the mapper of the application, which is not changed
	 * @param type the type
	 * @param resourceType the collection
	 */
	public JsonSnapshotCodec(JsonMapper application, Class<T> type, ResourceType resourceType) {
		this(application, type, resourceType, false, Set.of());
	}

	private JsonSnapshotCodec(JsonMapper application, Class<T> type, ResourceType resourceType, boolean shared,
			Set<String> omitted) {
		this.mapper = ServerObjectModule.mapper(application);
		this.reader = this.mapper.readerFor(type)
			.withAttribute(ResourceType.class, resourceType)
			.withAttribute(GenericResourceDeserializer.METADATA_ONLY, MetadataOnly.declares(type));
		this.type = type;
		this.shared = shared;
		this.omitted = omitted;
		this.binder = new ObjectBinder<>(this.reader, type);
		this.shape = StoredMeaning.digest(this.reader, type) + "-" + FORM;
	}

	/**
	 * Creates a codec for objects that other applications read, too.
	 * @param <T> the type of the objects
	 * @param application the mapper of the application, which is not changed
	 * @param type the type
	 * @param resourceType the collection
	 * @param omitted the components that are not written: paths such as
	 * {@code spec.password}, or names of {@linkplain #hiddenComponents() hidden}
	 * components
	 * @return the codec
	 */
	public static <T> JsonSnapshotCodec<T> shared(JsonMapper application, Class<T> type, ResourceType resourceType,
			Set<String> omitted) {
		return new JsonSnapshotCodec<>(application, type, resourceType, true, omitted);
	}

	@Override
	public String shape() {
		return this.shape;
	}

	/**
	 * Returns the components that can be read but not written. Examines only the type,
	 * without an object.
	 * @return for each such component, where it is and why it cannot be written; empty if
	 * there is none, or if Jackson cannot read the type at all
	 */
	public List<String> problems() {
		return report().problems();
	}

	/**
	 * Returns why Jackson cannot read the type at all. Examines only the type, without an
	 * object.
	 * @return the reason, or {@code null} if Jackson can read the type
	 */
	public @Nullable String readingProblem() {
		return Readability.problem(this.reader, this.type);
	}

	/**
	 * Returns a component that is not written as the type declares it. Examines only the
	 * type, without an object.
	 * @return the component, or {@code null} for none
	 */
	public @Nullable UnsentComponent unsentComponent() {
		ApplicationJson application = new ApplicationJson(this.mapper);
		return ContextQuery.ask(this.reader, (context) -> UnsentComponents.of(context, application, this.type)).first();
	}

	/**
	 * Returns the components that this codec writes, but that the application omits from
	 * its own JSON or writes in another form. They are determined only for a
	 * {@linkplain #shared shared} codec.
	 * @return the paths of the components, such as {@code spec.password}
	 */
	public List<String> hiddenComponents() {
		return report().hidden();
	}

	/**
	 * Returns the entries of {@code omitted} that name no component.
	 * @return the paths and names
	 */
	public Set<String> unknownOmissions() {
		return report().unused();
	}

	/**
	 * Returns the report. It is empty for a type that Jackson cannot read, because
	 * {@link #readingProblem()} reports that.
	 */
	private WriterReport report() {
		try {
			return writing().report();
		}
		catch (RuntimeException | LinkageError ex) {
			return new WriterReport(false, Set.of());
		}
	}

	private ObjectWriting writing() {
		ObjectWriting present = this.writing;
		if (present == null) {
			present = ObjectWriting.of(this.mapper, this.reader, this.type,
					new WriterReport(this.shared, this.omitted));
			this.writing = present;
		}
		return present;
	}

	@Override
	public byte[] write(T object) {
		try {
			return writing().write(object);
		}
		catch (RuntimeException | Error ex) {
			JvmFailureException.rethrow(ex);
			throw new SnapshotException(UnreadableReason.of(ex), null);
		}
	}

	@Override
	public T read(byte[] content) {
		T object = bind(content);
		if (object == null) {
			throw new SnapshotCorruptException("there is no object in the bytes", null);
		}
		return object;
	}

	private @Nullable T bind(byte[] content) {
		try {
			return this.binder.bind(new Frame(content, 0, content.length, content.length, false), 0, content.length);
		}
		catch (RuntimeException | Error ex) {
			JvmFailureException.rethrow(ex);
			throw new SnapshotCorruptException(UnreadableReason.of(ex), null);
		}
	}

}

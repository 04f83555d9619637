package dev.reflector.client.internal.bind;

import dev.reflector.ResourceType;
import dev.reflector.cache.snapshot.SnapshotCodec;
import dev.reflector.cache.snapshot.SnapshotCorruptException;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.cache.source.JvmFailureException;
import dev.reflector.client.internal.frame.Frame;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes objects as JSON with the declared properties, and reads them like those of the
 * server.
 *
 * @param <T> the type of the objects
 */
public final class JsonSnapshotCodec<T> implements SnapshotCodec<T> {

	private final ObjectBinder<T> binder;

	private final ObjectWriter writer;

	private final String shape;

	/**
	 * Creates a codec.
	 * @param application the mapper of the application, which is left as it is
	 * @param type the type
	 * @param resourceType the collection
	 */
	public JsonSnapshotCodec(JsonMapper application, Class<T> type, ResourceType resourceType) {
		JsonMapper mapper = ServerObjectModule.mapper(application);
		ObjectReader reader = mapper.readerFor(type)
			.withAttribute(ResourceType.class, resourceType)
			.withAttribute(GenericResourceDeserializer.METADATA_ONLY, MetadataOnly.declares(type));
		this.binder = new ObjectBinder<>(reader, type);
		this.writer = mapper.writerFor(type);
		this.shape = StoredMeaning.digest(reader, type);
	}

	@Override
	public String shape() {
		return this.shape;
	}

	@Override
	public byte[] write(T object) {
		try {
			return this.writer.writeValueAsBytes(object);
		}
		catch (RuntimeException | Error ex) {
			JvmFailureException.rethrow(ex);
			throw new SnapshotException(Unreadable.reason(ex), null);
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
			throw new SnapshotCorruptException(Unreadable.reason(ex), null);
		}
	}

}

package dev.reflector.client.internal.bind;

import dev.reflector.cache.snapshot.SnapshotCodec;
import dev.reflector.client.internal.frame.Frame;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;

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
	 * @param reader reads objects of the type
	 * @param writer writes them
	 * @param type the type
	 */
	public JsonSnapshotCodec(ObjectReader reader, ObjectWriter writer, Class<T> type) {
		this.binder = new ObjectBinder<>(reader, type);
		this.writer = writer;
		this.shape = DeclaredFields.digest(type);
	}

	@Override
	public String shape() {
		return this.shape;
	}

	@Override
	public byte[] write(T object) {
		return this.writer.writeValueAsBytes(object);
	}

	@Override
	public T read(byte[] content) {
		T object = this.binder.bind(new Frame(content, 0, content.length, content.length, false), 0, content.length);
		if (object == null) {
			throw new IllegalArgumentException("there is no object in the bytes");
		}
		return object;
	}

}

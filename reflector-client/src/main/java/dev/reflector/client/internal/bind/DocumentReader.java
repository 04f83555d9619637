package dev.reflector.client.internal.bind;

import java.io.InputStream;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;

/**
 * Reads small documents one after another with the same parser, because a new parser for
 * each document would be a quarter of the memory that is allocated for reading. Must not
 * be used for types with a deserializer of the application, which could see the state
 * that earlier documents have left in the parser. Not thread-safe.
 *
 * @param <T> the type of the objects
 */
final class DocumentReader<T> {

	/**
	 * The length in bytes of the largest document that is read with the shared parser.
	 * For a larger document, the cost of a new parser does not matter.
	 */
	private static final int SMALL = 4 * 1024;

	/**
	 * The number of bytes after which the parser is replaced. Otherwise, the names of all
	 * properties that it has seen would take more and more memory.
	 */
	private static final int MOST_BYTES = 256 * 1024;

	private final ObjectReader reader;

	private final ObjectReader next;

	private final Documents documents = new Documents();

	private @Nullable JsonParser parser;

	private int read;

	/**
	 * Creates a reader for one type.
	 * @param reader reads objects of the type
	 */
	DocumentReader(ObjectReader reader) {
		this.reader = reader;
		// without a check for trailing tokens, because the next document is not set yet
		this.next = reader.without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
	}

	/**
	 * Reads a document.
	 * @param bytes one JSON object and nothing else
	 * @param length the length of the object in bytes
	 * @return the object, or {@code null} if a deserializer returns {@code null}
	 */
	@Nullable T read(byte[] bytes, int length) {
		T next = (length <= SMALL) ? readNext(bytes, length) : null;
		// after a failure, a separate parser reports it with the right location
		return (next != null) ? next : this.reader.readValue(bytes, 0, length);
	}

	private @Nullable T readNext(byte[] bytes, int length) {
		boolean whole = false;
		try {
			this.documents.put(bytes, length);
			JsonParser parser = parser(length);
			T object = this.next.readValue(parser);
			whole = !parser.isClosed() && parser.streamReadContext().inRoot();
			// the parser must not keep the object in memory
			parser.assignCurrentValue(null);
			return whole ? object : null;
		}
		catch (RuntimeException ex) {
			return null;
		}
		finally {
			if (!whole) {
				close();
			}
		}
	}

	private JsonParser parser(int length) {
		if (this.read + length > MOST_BYTES) {
			close();
		}
		this.read += length;
		JsonParser parser = this.parser;
		if (parser == null) {
			// this call already reads the first bytes
			parser = this.reader.createParser(this.documents);
			this.parser = parser;
		}
		return parser;
	}

	/** Closes the parser, which returns its buffers to Jackson. */
	void close() {
		JsonParser parser = this.parser;
		this.parser = null;
		this.read = 0;
		if (parser != null) {
			parser.close();
		}
	}

	/**
	 * A stream of documents, one after another. Each document is set before it is read.
	 */
	private static final class Documents extends InputStream {

		private byte[] bytes = {};

		private int index;

		private int end;

		void put(byte[] bytes, int length) {
			this.bytes = bytes;
			this.index = 0;
			this.end = length;
		}

		@Override
		public int read() {
			return (this.index < this.end) ? this.bytes[this.index++] & 0xFF : -1;
		}

		@Override
		public int read(byte[] target, int from, int most) {
			int count = Math.min(most, this.end - this.index);
			System.arraycopy(this.bytes, this.index, target, from, count);
			this.index += count;
			return (count > 0) ? count : -1;
		}

	}

}

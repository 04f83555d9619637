package dev.reflector.client.internal.bind;

import java.io.InputStream;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;

/**
 * Reads documents one after the other, many of them with the same parser: of what a small
 * one allocates, a parser of its own is a quarter. Only for types that nobody else reads
 * a part of, who might find in the parser what others have left there. One document at a
 * time.
 *
 * @param <T> the type of the objects
 */
final class DocumentReader<T> {

	/** Of what is larger, the parser is the smaller part. */
	private static final int SMALL = 4 * 1024;

	/** A parser remembers the names of all properties that it has seen. */
	private static final int MOST_BYTES = 256 * 1024;

	private final ObjectReader reader;

	private final ObjectReader next;

	private final Documents documents = new Documents();

	private @Nullable JsonParser parser;

	private int read;

	/**
	 * Reads documents of one type.
	 * @param reader reads objects of the type
	 */
	DocumentReader(ObjectReader reader) {
		this.reader = reader;
		// behind a document, there is nothing yet
		this.next = reader.without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
	}

	/**
	 * Reads a document.
	 * @param bytes hold it, and nothing else: they are known to be one JSON object
	 * @param length how long it is
	 * @return the object, {@code null} when the type makes nothing of it
	 */
	@Nullable T read(byte[] bytes, int length) {
		T next = (length <= SMALL) ? readNext(bytes, length) : null;
		// what goes wrong is told as if it were the first document
		return (next != null) ? next : this.reader.readValue(bytes, 0, length);
	}

	private @Nullable T readNext(byte[] bytes, int length) {
		boolean whole = false;
		try {
			this.documents.put(bytes, length);
			JsonParser parser = parser(length);
			T object = this.next.readValue(parser);
			whole = !parser.isClosed() && parser.streamReadContext().inRoot();
			// keeps it alive no longer
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
			// reads the beginning
			parser = this.reader.createParser(this.documents);
			this.parser = parser;
		}
		return parser;
	}

	/** Gives back what the parser has taken. */
	void close() {
		JsonParser parser = this.parser;
		this.parser = null;
		this.read = 0;
		if (parser != null) {
			parser.close();
		}
	}

	/** One document after the other, each of which is there before it is asked for. */
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

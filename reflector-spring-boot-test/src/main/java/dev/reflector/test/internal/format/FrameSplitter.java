package dev.reflector.test.internal.format;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.exc.UnexpectedEndOfInputException;

/**
 * Splits the chunks of a watch into frames. If a frame continues in the next chunk, its
 * beginning is kept until then.
 */
public interface FrameSplitter {

	/**
	 * Splits the next chunk.
	 * @param chunk the chunk
	 * @return the frames that end in this chunk
	 */
	List<byte[]> split(byte[] chunk);

	static FrameSplitter of(WireFormat format) {
		return (format == WireFormat.CBOR) ? new Items() : new Lines();
	}

	/**
	 * Splits JSON into lines.
	 */
	final class Lines implements FrameSplitter {

		private final ByteArrayOutputStream open = new ByteArrayOutputStream();

		@Override
		public List<byte[]> split(byte[] chunk) {
			List<byte[]> lines = new ArrayList<>();
			int from = 0;
			for (int i = 0; i < chunk.length; i++) {
				if (chunk[i] == '\n') {
					this.open.write(chunk, from, i + 1 - from);
					lines.add(this.open.toByteArray());
					this.open.reset();
					from = i + 1;
				}
			}
			this.open.write(chunk, from, chunk.length - from);
			return lines;
		}

	}

	/**
	 * Splits CBOR into items. If another fault has inserted bytes that are no CBOR, these
	 * bytes and the rest of their chunk become one frame.
	 */
	final class Items implements FrameSplitter {

		private byte[] open = {};

		@Override
		public List<byte[]> split(byte[] chunk) {
			byte[] bytes = Arrays.copyOf(this.open, this.open.length + chunk.length);
			System.arraycopy(chunk, 0, bytes, this.open.length, chunk.length);
			List<byte[]> items = new ArrayList<>();
			int from = 0;
			try (JsonParser parser = Cbor.MAPPER.createParser(bytes)) {
				while (from < bytes.length) {
					parser.nextToken();
					parser.skipChildren();
					parser.finishToken();
					int to = (int) parser.currentLocation().getByteOffset();
					items.add(Arrays.copyOfRange(bytes, from, to));
					from = to;
				}
			}
			catch (UnexpectedEndOfInputException ex) {
				this.open = Arrays.copyOfRange(bytes, from, bytes.length);
				return items;
			}
			catch (JacksonException ex) {
				items.add(Arrays.copyOfRange(bytes, from, bytes.length));
			}
			this.open = new byte[0];
			return items;
		}

	}

}

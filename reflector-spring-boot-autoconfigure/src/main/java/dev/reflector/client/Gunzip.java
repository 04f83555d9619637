package dev.reflector.client;

import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

import org.jspecify.annotations.Nullable;

/**
 * Takes gzip off bytes that come in pieces. Hands out what each piece holds at once, and
 * takes any number of members one after the other, with any pause between them (W-62,
 * W-65): the library's own stream takes a pause for the end. May be closed by any thread,
 * at any time.
 */
final class Gunzip implements AutoCloseable {

	/** JSON of the most repetitive kind stays well below; deflate can do 1032. */
	static final int MAX_RATIO = 200;

	private static final int PART = 16 * 1024;

	private static final int[] BEGINNING = { 0x1f, 0x8b, 8 };

	private static final int HEADER_LENGTH = 10;

	private static final int FLAGS = 3;

	private static final int TRAILER_LENGTH = 8;

	// the flags of a header, and at once what they announce, in the order of that
	private enum Section {

		HEADER(0), EXTRA_LENGTH(4), EXTRA(4), NAME(8), COMMENT(16), CHECKSUM(2), DATA(0), TRAILER(0);

		private final int flag;

		Section(int flag) {
			this.flag = flag;
		}

	}

	private final long allowance;

	private final Inflater inflater = new Inflater(true);

	private final CRC32 checksum = new CRC32();

	private final byte[] part = new byte[PART];

	private Section section = Section.HEADER;

	private int flags;

	/** How many bytes of the section have been read. */
	private int read;

	private int extra;

	private long trailer;

	private long received;

	private long inflated;

	/** There may be more, although no more bytes are needed for it. */
	private boolean pending;

	private boolean closed;

	/**
	 * Begins with a header.
	 * @param allowance how many bytes there may be, however few they are made of
	 */
	Gunzip(long allowance) {
		this.allowance = allowance;
	}

	/**
	 * Takes the compression off, part by part as they are asked for, so that not more
	 * than one part at a time is in hand.
	 * @param bytes a piece of what was received
	 * @return what it holds; can be iterated once, before the next piece
	 * @throws MalformedResponseException while it is iterated, when the bytes are
	 * damaged, or too many for their compressed size
	 */
	Iterable<byte[]> inflate(byte[] bytes) {
		this.received += bytes.length;
		return () -> new PartIterator(new Chunk(bytes));
	}

	/**
	 * Checks that the last member has come to its end.
	 * @throws MalformedResponseException when it has not
	 */
	synchronized void finish() {
		if (this.section != Section.HEADER || this.read > 0) {
			throw new MalformedResponseException("the compressed body breaks off before its end");
		}
	}

	@Override
	public synchronized void close() {
		this.closed = true;
		this.inflater.end();
	}

	private synchronized byte @Nullable [] next(Chunk chunk) {
		while (!this.closed && (this.pending || chunk.position < chunk.bytes.length)) {
			if (this.section != Section.DATA) {
				read(chunk.bytes[chunk.position++] & 0xff);
				continue;
			}
			int length = data(chunk);
			if (length > 0) {
				return Arrays.copyOf(this.part, length);
			}
		}
		return null;
	}

	private int data(Chunk chunk) {
		this.inflater.setInput(chunk.bytes, chunk.position, chunk.bytes.length - chunk.position);
		int length;
		try {
			length = this.inflater.inflate(this.part);
		}
		catch (DataFormatException ex) {
			throw damaged();
		}
		check(length > 0 || this.inflater.finished() || this.inflater.needsInput());
		chunk.position = chunk.bytes.length - this.inflater.getRemaining();
		this.pending = length == PART && !this.inflater.finished();
		this.checksum.update(this.part, 0, length);
		this.inflated += length;
		if (this.inflated > this.allowance + MAX_RATIO * this.received) {
			throw new MalformedResponseException(
					"the compressed body holds more than " + MAX_RATIO + " times as many bytes as it has");
		}
		if (this.inflater.finished()) {
			enter(Section.TRAILER);
		}
		return length;
	}

	private void read(int value) {
		int index = this.read++;
		switch (this.section) {
			case HEADER -> header(index, value);
			case EXTRA_LENGTH -> {
				this.extra = (index == 0) ? value : this.extra | (value << 8);
				leaveAfter(2);
				if (this.section == Section.EXTRA && this.extra == 0) {
					leaveAfter(0);
				}
			}
			case EXTRA -> leaveAfter(this.extra);
			case NAME, COMMENT -> {
				if (value == 0) {
					leaveAfter(this.read);
				}
			}
			case CHECKSUM -> leaveAfter(2);
			default -> trailer(index, value);
		}
	}

	private void header(int index, int value) {
		check(index >= BEGINNING.length || value == BEGINNING[index]);
		if (index == FLAGS) {
			// the three highest are reserved
			check(value < 0x20);
			this.flags = value;
		}
		leaveAfter(HEADER_LENGTH);
	}

	private void trailer(int index, int value) {
		this.trailer = (index == 0) ? value : this.trailer | ((long) value << (8 * index));
		if (this.read == TRAILER_LENGTH) {
			long size = this.inflater.getBytesWritten() & 0xffffffffL;
			check(this.trailer == ((size << 32) | this.checksum.getValue()));
			this.inflater.reset();
			this.checksum.reset();
			enter(Section.HEADER);
		}
	}

	/** On to the next section that the header has announced. */
	private void leaveAfter(int length) {
		if (this.read < length) {
			return;
		}
		Section next = Section.values()[this.section.ordinal() + 1];
		while (next != Section.DATA && (this.flags & next.flag) == 0) {
			next = Section.values()[next.ordinal() + 1];
		}
		enter(next);
	}

	private void enter(Section section) {
		this.section = section;
		this.read = 0;
	}

	private static void check(boolean expected) {
		if (!expected) {
			throw damaged();
		}
	}

	private static MalformedResponseException damaged() {
		return new MalformedResponseException("the compressed body is no valid gzip");
	}

	private final class PartIterator implements Iterator<byte[]> {

		private final Chunk chunk;

		private byte @Nullable [] next;

		PartIterator(Chunk chunk) {
			this.chunk = chunk;
		}

		@Override
		public boolean hasNext() {
			if (this.next == null) {
				this.next = Gunzip.this.next(this.chunk);
			}
			return this.next != null;
		}

		@Override
		public byte[] next() {
			hasNext();
			byte[] next = this.next;
			if (next == null) {
				throw new NoSuchElementException();
			}
			this.next = null;
			return next;
		}

	}

}

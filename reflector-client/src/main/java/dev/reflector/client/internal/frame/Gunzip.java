package dev.reflector.client.internal.frame;

import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.util.Assert;

/**
 * Decompresses gzip that arrives in pieces. Returns the content of each piece at once.
 * Accepts any number of gzip members, with any pause between two members (W-62, W-65).
 * The JDK's {@code GZIPInputStream} would treat such a pause as the end.
 */
public final class Gunzip implements Unpacking {

	/**
	 * The largest accepted compression ratio. Even very repetitive JSON has a much
	 * smaller ratio. The format allows ratios up to 1032.
	 */
	static final int MAX_RATIO = 200;

	private static final int[] BEGINNING = { 0x1f, 0x8b, 8 };

	private static final int HEADER_LENGTH = 10;

	private static final int FLAGS = 3;

	private static final int TRAILER_LENGTH = 8;

	// the sections in their order in the format, each with the flag in the header that
	// announces it
	private enum Section {

		HEADER(0), EXTRA_LENGTH(4), EXTRA(4), NAME(8), COMMENT(16), CHECKSUM(2), DATA(0), TRAILER(0);

		private final int flag;

		Section(int flag) {
			this.flag = flag;
		}

	}

	private final long allowance;

	private final boolean stream;

	private final Inflater inflater = new Inflater(true);

	private final CRC32 checksum = new CRC32();

	private final Chunk input = new Chunk();

	private Section section = Section.HEADER;

	private int flags;

	/** The number of bytes of the section that were read. */
	private int read;

	private int extra;

	private long trailer;

	private long received;

	private long inflated;

	/** Whether the inflater may have more output without more input. */
	private boolean pending;

	/**
	 * Creates the decompression of one body.
	 * @param allowance how many decompressed bytes are accepted even if the compression
	 * ratio is larger than {@link #MAX_RATIO}
	 * @param stream whether the body may end anywhere, and not only after a member
	 */
	public Gunzip(long allowance, boolean stream) {
		this.allowance = allowance;
		this.stream = stream;
	}

	@Override
	public boolean fill(Chunk chunk, DataBuffer buffer) {
		int room = chunk.makeRoom();
		Assert.state(room > 0, "The chunk is full");
		int before = chunk.end;
		// stops after each output, so that the bytes before a fault are returned
		while (chunk.end == before && hasInput(buffer)) {
			if (this.section == Section.DATA) {
				data(chunk, room);
			}
			else {
				read(this.input.bytes[this.input.position++] & 0xff);
			}
		}
		return !this.pending && this.input.isRead() && buffer.readableByteCount() == 0;
	}

	private boolean hasInput(DataBuffer buffer) {
		if (!this.pending && this.input.isRead() && buffer.readableByteCount() > 0) {
			this.input.fill(buffer);
			this.received += this.input.end;
		}
		return this.pending || !this.input.isRead();
	}

	@Override
	public void finish() {
		if (!this.stream && (this.section != Section.HEADER || this.read > 0)) {
			throw new MalformedResponseException("the compressed body breaks off before its end");
		}
	}

	@Override
	public void close() {
		this.inflater.end();
	}

	private void data(Chunk chunk, int room) {
		Chunk input = this.input;
		this.inflater.setInput(input.bytes, input.position, input.end - input.position);
		int length;
		try {
			length = this.inflater.inflate(chunk.bytes, chunk.end, room);
		}
		catch (DataFormatException ex) {
			throw damaged();
		}
		check(length > 0 || this.inflater.finished() || this.inflater.needsInput());
		input.position = input.end - this.inflater.getRemaining();
		this.pending = length == room && !this.inflater.finished();
		this.checksum.update(chunk.bytes, chunk.end, length);
		this.inflated += length;
		if (this.inflated > this.allowance + MAX_RATIO * this.received) {
			throw new MalformedResponseException(
					"the compressed body contains more than " + MAX_RATIO + " times as many bytes as it has");
		}
		if (this.inflater.finished()) {
			enter(Section.TRAILER);
		}
		chunk.end += length;
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
			// the three highest flags are reserved
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

	/**
	 * If the current section was read up to the given length, enters the next section
	 * that the header has announced.
	 */
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
		return new MalformedResponseException("the compressed body is not valid gzip");
	}

}

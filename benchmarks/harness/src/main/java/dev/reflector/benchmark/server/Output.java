package dev.reflector.benchmark.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/**
 * Writes answers through one large buffer, so that a system call carries many frames.
 */
final class Output {

	private static final int CAPACITY = 256 * 1024;

	/**
	 * The number of bytes before a chunk of a list, for its size and a line end, and of
	 * the line end after the chunk.
	 */
	private static final int CHUNK_HEAD = 10;

	private static final int CHUNK_END = 2;

	private final SocketChannel channel;

	private final ByteBuffer buffer = ByteBuffer.allocateDirect(CAPACITY);

	/** Counts the bytes that are sent, if there is a counter. */
	private @Nullable AtomicLong sent;

	private boolean webSocket;

	Output(SocketChannel channel) {
		this.channel = channel;
	}

	/** Counts what is sent from now on. */
	void countInto(AtomicLong sent) {
		this.sent = sent;
	}

	void answer(String status, String contentType, byte[] body) throws IOException {
		text("HTTP/1.1 " + status + "\r\nContent-Type: " + contentType + "\r\nContent-Length: " + body.length
				+ "\r\n\r\n");
		this.buffer.put(body);
		flush();
	}

	void beginChunks(String contentType) throws IOException {
		text("HTTP/1.1 200 OK\r\nContent-Type: " + contentType + "\r\nTransfer-Encoding: chunked\r\n\r\n");
		flush();
	}

	void beginWebSocket(String accept) throws IOException {
		text("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
				+ accept + "\r\n\r\n");
		flush();
		this.webSocket = true;
	}

	private void text(String text) {
		this.buffer.put(text.getBytes(StandardCharsets.ISO_8859_1));
	}

	/**
	 * Makes room for a part of a list, which shares a chunk with others.
	 * @return where to write it
	 */
	ByteBuffer part(int length) throws IOException {
		if (this.buffer.remaining() < length + CHUNK_END) {
			endPart();
		}
		if (this.buffer.position() == 0) {
			this.buffer.position(CHUNK_HEAD);
		}
		return this.buffer;
	}

	/** Sends what there is of a list as one chunk. */
	void endPart() throws IOException {
		int length = this.buffer.position() - CHUNK_HEAD;
		if (length > 0) {
			String size = Integer.toHexString(length);
			this.buffer.put(0, ("0".repeat(CHUNK_HEAD - CHUNK_END - size.length()) + size + "\r\n")
				.getBytes(StandardCharsets.ISO_8859_1));
			text("\r\n");
			flush();
		}
	}

	/**
	 * Begins a frame of a watch: a separate chunk or message, as from real servers.
	 * @return where to write it
	 */
	ByteBuffer beginFrame(int length) throws IOException {
		if (this.buffer.remaining() < length + 16) {
			flush();
		}
		if (this.webSocket) {
			this.buffer.put((byte) 0x81);
			if (length < 126) {
				this.buffer.put((byte) length);
			}
			else if (length < 65536) {
				this.buffer.put((byte) 126).putShort((short) length);
			}
			else {
				this.buffer.put((byte) 127).putLong(length);
			}
		}
		else {
			hex(length);
			this.buffer.put((byte) '\r').put((byte) '\n');
		}
		return this.buffer;
	}

	private void hex(int value) {
		int shift = (31 - Integer.numberOfLeadingZeros(value)) / 4 * 4;
		for (int i = shift; i >= 0; i -= 4) {
			this.buffer.put((byte) Character.forDigit((value >> i) & 15, 16));
		}
	}

	void endFrame() {
		if (!this.webSocket) {
			this.buffer.put((byte) '\r').put((byte) '\n');
		}
	}

	/** Ends a chunked body, or the web socket, after which nothing more may come. */
	void end() throws IOException {
		if (this.webSocket) {
			this.buffer.put((byte) 0x88).put((byte) 2).putShort((short) 1000);
		}
		else {
			text("0\r\n\r\n");
		}
		flush();
	}

	boolean isWebSocket() {
		return this.webSocket;
	}

	void flush() throws IOException {
		this.buffer.flip();
		AtomicLong sent = this.sent;
		if (sent != null) {
			// counted before it is sent: who has received it and asks finds it counted
			sent.addAndGet(this.buffer.remaining());
		}
		while (this.buffer.hasRemaining()) {
			this.channel.write(this.buffer);
		}
		this.buffer.clear();
	}

}

package dev.reflector.client.options;

import java.time.Duration;

import org.springframework.util.unit.DataSize;

/**
 * How a client behaves.
 *
 * @param httpVersion the version of HTTP to speak
 * @param timeouts how long to wait
 * @param maxListConnections how many connections may serve lists at a time, where the
 * connector can bound that; watches have connections besides
 * @param maxObjectSize size of the JSON text of one object, or of what it comes in, from
 * which on it is skipped
 * @param userAgent value of the header {@code User-Agent}
 * @param compression which answers to have compressed
 * @param format the format in which to ask for objects
 * @since 0.1.0
 */
public record ClientOptions(HttpVersion httpVersion, Timeouts timeouts, int maxListConnections, DataSize maxObjectSize,
		String userAgent, Compression compression, ObjectFormat format) {

	private static final DataSize MAX_OBJECT_SIZE = DataSize.ofGigabytes(1);

	private static final int MAX_LIST_CONNECTIONS = 16;

	/**
	 * Checks the values.
	 */
	public ClientOptions {
		if (maxListConnections < 1) {
			throw new IllegalArgumentException("'maxListConnections' must be positive");
		}
		if (maxObjectSize.toBytes() < 1 || maxObjectSize.toBytes() > MAX_OBJECT_SIZE.toBytes()) {
			throw new IllegalArgumentException("'maxObjectSize' must be between 1 byte and 1 GB");
		}
	}

	/**
	 * Options for JSON without compression.
	 * @param httpVersion the version of HTTP to speak
	 * @param timeouts how long to wait
	 * @param maxListConnections how many connections may serve lists at a time, where the
	 * connector can bound that; watches have connections besides
	 * @param maxObjectSize size of the JSON text of one object from which on it is
	 * skipped
	 * @param userAgent value of the header {@code User-Agent}
	 */
	public ClientOptions(HttpVersion httpVersion, Timeouts timeouts, int maxListConnections, DataSize maxObjectSize,
			String userAgent) {
		this(httpVersion, timeouts, maxListConnections, maxObjectSize, userAgent, Compression.NONE, ObjectFormat.JSON);
	}

	/**
	 * Options for HTTP/1.1, with 16 connections for lists, and JSON without compression.
	 * @param connectTimeout how long to wait for a connection
	 * @param idleTimeout how long to wait for an answer to begin, and for more of it
	 * @param maxObjectSize size of the JSON text of one object from which on it is
	 * skipped
	 * @param userAgent value of the header {@code User-Agent}
	 */
	public ClientOptions(Duration connectTimeout, Duration idleTimeout, DataSize maxObjectSize, String userAgent) {
		this(HttpVersion.HTTP_1_1, new Timeouts(connectTimeout, idleTimeout, idleTimeout), MAX_LIST_CONNECTIONS,
				maxObjectSize, userAgent);
	}

	/**
	 * The same options, but for the compression.
	 * @param compression which answers to have compressed
	 * @return the options
	 */
	public ClientOptions withCompression(Compression compression) {
		return new ClientOptions(this.httpVersion, this.timeouts, this.maxListConnections, this.maxObjectSize,
				this.userAgent, compression, this.format);
	}

	/**
	 * The same options, but for the format.
	 * @param format the format in which to ask for objects
	 * @return the options
	 */
	public ClientOptions withFormat(ObjectFormat format) {
		return new ClientOptions(this.httpVersion, this.timeouts, this.maxListConnections, this.maxObjectSize,
				this.userAgent, this.compression, format);
	}

}

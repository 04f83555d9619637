package dev.reflector.client.options;

import org.springframework.util.unit.DataSize;

/**
 * The options of a client.
 *
 * @param httpVersion the version of HTTP
 * @param timeouts the timeouts of connections and responses
 * @param maxListConnections the largest number of connections for lists at the same time,
 * if the HTTP library can limit it; watches have their own connections
 * @param maxObjectSize the largest size of one object as JSON text, in a watch together
 * with the event around it; larger objects are skipped
 * @param compression the responses that the server is asked to compress
 * @param format the format in which objects are requested
 * @since 0.1.0
 */
public record ClientOptions(HttpVersion httpVersion, Timeouts timeouts, int maxListConnections, DataSize maxObjectSize,
		Compression compression, ObjectFormat format) {

	private static final DataSize MAX_OBJECT_SIZE = DataSize.ofGigabytes(1);

	private static final ClientOptions DEFAULTS = new ClientOptions(HttpVersion.HTTP_1_1, Timeouts.defaults(), 16,
			DataSize.ofMegabytes(16), Compression.NONE, ObjectFormat.JSON);

	/** Creates options, and checks the values. */
	public ClientOptions {
		if (maxListConnections < 1) {
			throw new IllegalArgumentException("'maxListConnections' must be positive");
		}
		if (maxObjectSize.toBytes() < 1 || maxObjectSize.compareTo(MAX_OBJECT_SIZE) > 0) {
			throw new IllegalArgumentException("'maxObjectSize' must be between 1 byte and 1 GB");
		}
	}

	/**
	 * Returns the default options: HTTP/1.1, the default timeouts, 16 connections for
	 * lists, objects of up to 16 MB, and JSON without compression.
	 * @return the options
	 */
	public static ClientOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Returns these options with another version of HTTP.
	 * @param httpVersion the version of HTTP
	 * @return the options
	 */
	public ClientOptions withHttpVersion(HttpVersion httpVersion) {
		return new ClientOptions(httpVersion, this.timeouts, this.maxListConnections, this.maxObjectSize,
				this.compression, this.format);
	}

	/**
	 * Returns these options with other timeouts.
	 * @param timeouts the timeouts of connections and responses
	 * @return the options
	 */
	public ClientOptions withTimeouts(Timeouts timeouts) {
		return new ClientOptions(this.httpVersion, timeouts, this.maxListConnections, this.maxObjectSize,
				this.compression, this.format);
	}

	/**
	 * Returns these options with another limit for objects.
	 * @param maxObjectSize the largest size of one object, as JSON text
	 * @return the options
	 */
	public ClientOptions withMaxObjectSize(DataSize maxObjectSize) {
		return new ClientOptions(this.httpVersion, this.timeouts, this.maxListConnections, maxObjectSize,
				this.compression, this.format);
	}

	/**
	 * Returns these options with another compression.
	 * @param compression the responses that the server is asked to compress
	 * @return the options
	 */
	public ClientOptions withCompression(Compression compression) {
		return new ClientOptions(this.httpVersion, this.timeouts, this.maxListConnections, this.maxObjectSize,
				compression, this.format);
	}

	/**
	 * Returns these options with another format.
	 * @param format the format in which objects are requested
	 * @return the options
	 */
	public ClientOptions withFormat(ObjectFormat format) {
		return new ClientOptions(this.httpVersion, this.timeouts, this.maxListConnections, this.maxObjectSize,
				this.compression, format);
	}

}

package dev.reflector.client.options;

import org.springframework.util.unit.DataSize;

/**
 * How a client behaves.
 *
 * @param httpVersion the version of HTTP to speak
 * @param timeouts how long to wait
 * @param maxListConnections the largest number of connections for lists at the same time,
 * if the connector can limit it; watches have their own connections
 * @param maxObjectSize largest JSON text of one object, or of its frame in a watch;
 * larger objects are skipped
 * @param compression which responses the server is asked to compress
 * @param format the format to ask for
 * @since 0.1.0
 */
public record ClientOptions(HttpVersion httpVersion, Timeouts timeouts, int maxListConnections, DataSize maxObjectSize,
		Compression compression, ObjectFormat format) {

	private static final DataSize MAX_OBJECT_SIZE = DataSize.ofGigabytes(1);

	private static final ClientOptions DEFAULTS = new ClientOptions(HttpVersion.HTTP_1_1, Timeouts.defaults(), 16,
			DataSize.ofMegabytes(16), Compression.NONE, ObjectFormat.JSON);

	/**
	 * Checks the values.
	 */
	public ClientOptions {
		if (maxListConnections < 1) {
			throw new IllegalArgumentException("'maxListConnections' must be positive");
		}
		if (maxObjectSize.toBytes() < 1 || maxObjectSize.compareTo(MAX_OBJECT_SIZE) > 0) {
			throw new IllegalArgumentException("'maxObjectSize' must be between 1 byte and 1 GB");
		}
	}

	/**
	 * HTTP/1.1, the default timeouts, 16 connections for lists, objects of up to 16 MB,
	 * and JSON without compression.
	 * @return the options
	 */
	public static ClientOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Returns these options with another version of HTTP.
	 * @param httpVersion the version of HTTP to speak
	 * @return the options
	 */
	public ClientOptions withHttpVersion(HttpVersion httpVersion) {
		return new ClientOptions(httpVersion, this.timeouts, this.maxListConnections, this.maxObjectSize,
				this.compression, this.format);
	}

	/**
	 * Returns these options with other timeouts.
	 * @param timeouts how long to wait
	 * @return the options
	 */
	public ClientOptions withTimeouts(Timeouts timeouts) {
		return new ClientOptions(this.httpVersion, timeouts, this.maxListConnections, this.maxObjectSize,
				this.compression, this.format);
	}

	/**
	 * Returns these options with another limit for objects.
	 * @param maxObjectSize largest JSON text of one object
	 * @return the options
	 */
	public ClientOptions withMaxObjectSize(DataSize maxObjectSize) {
		return new ClientOptions(this.httpVersion, this.timeouts, this.maxListConnections, maxObjectSize,
				this.compression, this.format);
	}

	/**
	 * Returns these options with another compression.
	 * @param compression which responses the server is asked to compress
	 * @return the options
	 */
	public ClientOptions withCompression(Compression compression) {
		return new ClientOptions(this.httpVersion, this.timeouts, this.maxListConnections, this.maxObjectSize,
				compression, this.format);
	}

	/**
	 * Returns these options with another format.
	 * @param format the format to ask for
	 * @return the options
	 */
	public ClientOptions withFormat(ObjectFormat format) {
		return new ClientOptions(this.httpVersion, this.timeouts, this.maxListConnections, this.maxObjectSize,
				this.compression, format);
	}

}

package dev.reflector.client.credentials;

import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Something that is made of files, and made anew when one of them has changed. What was
 * made last stays in use as long as the files make no sense, as they do while they are
 * being written. Looks at files whenever it is asked, so not to be asked by a thread of
 * the network.
 *
 * @param <T> what is made
 */
final class Reloading<T> {

	private static final Logger logger = LoggerFactory.getLogger(Reloading.class);

	/** Not every file system tells of every change. */
	private static final long MAX_AGE = Duration.ofMinutes(1).toNanos();

	private static final long REMINDER = Duration.ofMinutes(10).toNanos();

	private final String name;

	private final Reader<T> reader;

	private final LongSupplier nanoTime;

	private FileReads reads = new FileReads();

	private @Nullable T content;

	private long readAt;

	private boolean expired;

	private String complaint = "";

	private long complainedAt;

	/**
	 * Describes it. Reads nothing.
	 * @param name what is made, for the log
	 * @param reader makes it
	 * @param nanoTime the time
	 */
	Reloading(String name, Reader<T> reader, LongSupplier nanoTime) {
		this.name = name;
		this.reader = reader;
		this.nanoTime = nanoTime;
	}

	/**
	 * What the files say now, or said when they could be read last.
	 * @return what is made of them
	 * @throws IOException when they could never be read
	 * @throws KubeconfigException when they have never made sense
	 */
	synchronized T get() throws IOException {
		T content = this.content;
		if (content == null) {
			return read(null);
		}
		if (!this.expired && this.nanoTime.getAsLong() - this.readAt < MAX_AGE && !this.reads.haveChanged()) {
			return content;
		}
		try {
			content = read(content);
			if (!this.complaint.isEmpty()) {
				this.complaint = "";
				logger.info("{} can be used again", this.name);
			}
		}
		catch (IOException | KubeconfigException ex) {
			complain(String.valueOf(ex.getMessage()));
		}
		return content;
	}

	/** Reads the files the next time, whatever they look like. */
	synchronized void expire() {
		this.expired = true;
	}

	private T read(@Nullable T previous) throws IOException {
		FileReads reads = new FileReads();
		long now = this.nanoTime.getAsLong();
		T content = this.reader.read(reads, previous);
		this.reads = reads;
		this.readAt = now;
		this.expired = false;
		this.content = content;
		return content;
	}

	private void complain(String message) {
		long now = this.nanoTime.getAsLong();
		if (message.equals(this.complaint) && now - this.complainedAt < REMINDER) {
			logger.debug("Still in use as it was: {}", this.name);
			return;
		}
		this.complaint = message;
		this.complainedAt = now;
		logger.warn("{} stays in use as it was read last, and is read again with the next requests: {}", this.name,
				message);
	}

	@Override
	public String toString() {
		return this.name;
	}

	/**
	 * Makes something of files.
	 *
	 * @param <T> what is made
	 */
	interface Reader<T> {

		/**
		 * Makes it.
		 * @param reads reads the files
		 * @param previous what was made of them before, or {@code null}
		 * @return what is made
		 * @throws IOException when a file cannot be read
		 * @throws KubeconfigException when the files make no sense
		 */
		T read(FileReads reads, @Nullable T previous) throws IOException;

	}

}

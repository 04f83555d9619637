package dev.reflector.client.credentials;

import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Content that is read from files, and read again when one of the files has changed.
 * While the files are not valid, for example because they are being written, the last
 * content stays in use. Each call of {@link #get()} reads file attributes, so it may not
 * be made on a network thread.
 *
 * @param <T> the type of the content
 */
final class Reloading<T> {

	private static final Logger logger = LoggerFactory.getLogger(Reloading.class);

	/**
	 * The time after which files are read again even if they look unchanged, because some
	 * file systems do not report every change.
	 */
	private static final long MAX_AGE = Duration.ofMinutes(1).toNanos();

	private static final long REMINDER = Duration.ofMinutes(10).toNanos();

	private final String name;

	private final Reader<T> reader;

	private final LongSupplier nanoTime;

	private FileReads reads = new FileReads();

	private volatile @Nullable T content;

	private long readAt;

	private boolean expired;

	private String complaint = "";

	private long complainedAt;

	/**
	 * Creates the content without reading it.
	 * @param name name of the content, for the log
	 * @param reader reads the content
	 * @param nanoTime the clock, in nanoseconds
	 */
	Reloading(String name, Reader<T> reader, LongSupplier nanoTime) {
		this.name = name;
		this.reader = reader;
		this.nanoTime = nanoTime;
	}

	/**
	 * Returns the current content or, while the files are not valid, the last valid
	 * content.
	 * @return the content
	 * @throws IOException if the files could never be read
	 * @throws KubeconfigException if the files were never valid
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

	/**
	 * Returns the last valid content. Reads no files, and does not wait for a thread that
	 * reads them, so it may be called on any thread.
	 * @return the content, or {@code null} if the files could not be read yet
	 */
	@Nullable T last() {
		return this.content;
	}

	/** Makes the next call read the files, even if they look unchanged. */
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
			logger.debug("{} still cannot be used, the content read before stays in use", this.name);
			return;
		}
		this.complaint = message;
		this.complainedAt = now;
		logger.warn("{} cannot be used now. The content read before stays in use, and the next requests read it "
				+ "again: {}", this.name, message);
	}

	@Override
	public String toString() {
		return this.name;
	}

	/**
	 * Reads content from files.
	 *
	 * @param <T> the type of the content
	 */
	interface Reader<T> {

		/**
		 * Reads the content.
		 * @param reads used to read the files
		 * @param previous the last content, or {@code null} for the first read
		 * @return the content
		 * @throws IOException if a file cannot be read
		 * @throws KubeconfigException if the files are not valid
		 */
		T read(FileReads reads, @Nullable T previous) throws IOException;

	}

}

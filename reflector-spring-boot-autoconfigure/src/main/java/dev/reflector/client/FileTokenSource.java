package dev.reflector.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;

import dev.reflector.cache.CredentialsException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The token in a file, for example that of a service account, which the kubelet replaces
 * before it expires.
 */
final class FileTokenSource implements TokenSource {

	private static final Logger logger = LoggerFactory.getLogger(FileTokenSource.class);

	private static final long MAX_AGE = Duration.ofMinutes(1).toNanos();

	private static final int MAX_SIZE = 1024 * 1024;

	private final Path file;

	private final LongSupplier nanoTime;

	private @Nullable Content content;

	private boolean expired;

	FileTokenSource(Path file, LongSupplier nanoTime) {
		this.file = file;
		this.nanoTime = nanoTime;
	}

	@Override
	public synchronized String token() {
		Content content = this.content;
		try {
			long now = this.nanoTime.getAsLong();
			BasicFileAttributes attributes = Files.readAttributes(this.file, BasicFileAttributes.class);
			if (content == null || this.expired || !content.matches(attributes) || now - content.readAt() >= MAX_AGE) {
				content = read(attributes, now);
				this.content = content;
				this.expired = false;
			}
		}
		catch (IOException ex) {
			if (content == null) {
				throw new CredentialsException("cannot read the token file " + this.file
						+ "; make it readable for this process or configure another credential", ex);
			}
			logger.debug("Keeping the last token because {} cannot be read", this.file, ex);
		}
		return content.token();
	}

	@Override
	public synchronized boolean renew(@Nullable String rejected) {
		this.expired = true;
		return !token().equals(rejected);
	}

	private Content read(BasicFileAttributes attributes, long now) throws IOException {
		if (attributes.size() > MAX_SIZE) {
			throw new IOException(this.file + " is larger than any token");
		}
		String token = Files.readString(this.file).strip();
		if (token.isEmpty()) {
			throw new IOException(this.file + " is empty");
		}
		return new Content(token, attributes.lastModifiedTime(), attributes.size(), attributes.fileKey(), now);
	}

	@Override
	public String toString() {
		return "token file " + this.file;
	}

	private static final class Content {

		private final String token;

		private final FileTime lastModified;

		private final long size;

		private final @Nullable Object fileKey;

		private final long readAt;

		Content(String token, FileTime lastModified, long size, @Nullable Object fileKey, long readAt) {
			this.token = token;
			this.lastModified = lastModified;
			this.size = size;
			this.fileKey = fileKey;
			this.readAt = readAt;
		}

		String token() {
			return this.token;
		}

		long readAt() {
			return this.readAt;
		}

		boolean matches(BasicFileAttributes attributes) {
			return this.lastModified.equals(attributes.lastModifiedTime()) && this.size == attributes.size()
					&& Objects.equals(this.fileKey, attributes.fileKey());
		}

	}

}

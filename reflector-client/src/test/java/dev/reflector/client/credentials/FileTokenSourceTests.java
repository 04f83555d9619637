package dev.reflector.client.credentials;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import dev.reflector.cache.source.CredentialsException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link FileTokenSource}.
 */
class FileTokenSourceTests {

	@TempDir
	private Path folder;

	private Path file;

	private final AtomicLong nanoTime = new AtomicLong();

	private FileTokenSource source;

	@BeforeEach
	void create() {
		this.file = this.folder.resolve("token");
		this.source = new FileTokenSource(this.file, this.nanoTime::get);
	}

	@Test
	void readsAgainWhenTheFileHasChanged() throws IOException {
		Files.writeString(this.file, "one\n");
		assertThat(this.source.token()).isEqualTo("one");
		Files.writeString(this.file, "three\n");
		assertThat(this.source.token()).isEqualTo("three");
	}

	@Test
	void readsAnUnchangedFileAgainAfterAMinute() throws IOException {
		FileTime time = FileTime.fromMillis(0);
		Files.writeString(this.file, "one");
		Files.setLastModifiedTime(this.file, time);
		assertThat(this.source.token()).isEqualTo("one");
		Files.writeString(this.file, "two");
		Files.setLastModifiedTime(this.file, time);
		this.nanoTime.addAndGet(Duration.ofMinutes(1).toNanos());
		assertThat(this.source.token()).isEqualTo("two");
	}

	@Test
	void keepsTheLastTokenWhileTheFileIsGone() throws IOException {
		Files.writeString(this.file, "one");
		assertThat(this.source.token()).isEqualTo("one");
		Files.delete(this.file);
		assertThat(this.source.token()).isEqualTo("one");
		Files.writeString(this.file, "");
		assertThat(this.source.token()).isEqualTo("one");
	}

	@Test
	void readsAgainWhenItsTokenWasRejected() throws IOException {
		FileTime time = FileTime.fromMillis(0);
		Files.writeString(this.file, "one");
		Files.setLastModifiedTime(this.file, time);
		assertThat(this.source.token()).isEqualTo("one");
		assertThat(this.source.renew("one")).isFalse();
		Files.writeString(this.file, "two");
		Files.setLastModifiedTime(this.file, time);
		assertThat(this.source.renew("one")).isTrue();
		assertThat(this.source.token()).isEqualTo("two");
	}

	@Test
	void namesTheFileWhenThereNeverWasAToken() throws IOException {
		assertThatExceptionOfType(CredentialsException.class).isThrownBy(this.source::token)
			.withMessageContaining(this.file.toString());
		Files.writeString(this.file, "one");
		assertThat(this.source.token()).isEqualTo("one");
		assertThat(this.source).hasToString("token file " + this.file);
	}

}

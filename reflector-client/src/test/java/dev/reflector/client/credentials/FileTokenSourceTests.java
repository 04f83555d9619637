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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

	/**
	 * A special file is neither read endlessly nor waited for, whatever its attributes
	 * show.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "/dev/zero", "fifo", "fifo that never ends", "link to /dev/zero", "" })
	@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the file system of Windows has neither named pipes nor devices")
	@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void endlessFilesAreRefused(String kind) throws Exception {
		Process writer = null;
		if (kind.startsWith("fifo")) {
			assertThat(new ProcessBuilder("mkfifo", this.file.toString()).start().waitFor()).isZero();
			writer = kind.equals("fifo") ? null : new ProcessBuilder("sh", "-c", "exec yes > " + this.file).start();
		}
		else if (kind.startsWith("link")) {
			Files.createSymbolicLink(this.file, Path.of("/dev/zero"));
		}
		Path file = kind.startsWith("/") ? Path.of(kind) : kind.isEmpty() ? this.folder : this.file;
		try {
			assertThatExceptionOfType(CredentialsException.class).isThrownBy(() -> TokenSource.file(file).token())
				.withMessageContaining(file + " is a folder, a pipe or a device")
				.withMessageContaining("correct the file");
		}
		finally {
			if (writer != null) {
				writer.destroyForcibly();
			}
		}
	}

	@Test
	@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the file system of Windows has neither named pipes nor devices")
	@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void theLastTokenStaysWhenTheFileBecomesADevice() throws IOException {
		Files.writeString(this.file, "one");
		assertThat(this.source.token()).isEqualTo("one");
		Files.delete(this.file);
		Files.createSymbolicLink(this.file, Path.of("/dev/zero"));
		assertThat(this.source.token()).isEqualTo("one");
		assertThat(this.source.renew("one")).isFalse();
	}

	@Test
	void largeFilesAreRefused() throws IOException {
		Files.write(this.file, new byte[3 * 1024 * 1024 + 1]);
		assertThatExceptionOfType(CredentialsException.class).isThrownBy(this.source::token)
			.withMessageContaining("is larger than 3145728 bytes");
		Files.write(this.file, new byte[] { (byte) 0xff });
		assertThatExceptionOfType(CredentialsException.class).isThrownBy(this.source::token)
			.withMessageContaining("is no text");
	}

	@ParameterizedTest
	@ValueSource(strings = { "eyJhbGciOiJSUzI1NiIsImtpZCI6IiJ9.eyJpc3MiOiJrdWJlIn0.c2lnbmF0dXJl", "one\ntwo",
			"0123456789abcdef0123456789abcdef", "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0t/MIIEvQ+IBADAN/Bgkqhki==" })
	@DisabledOnOs(value = OS.WINDOWS, disabledReason = "names of files on Windows have no line breaks")
	void aTokenInPlaceOfTheFileIsNotShown(String token) throws IOException {
		TokenSource source = TokenSource.file(this.folder.resolve(token));
		assertThatExceptionOfType(CredentialsException.class).isThrownBy(source::token)
			.withMessageContaining("token file (not shown, because it looks like a secret) does not exist")
			.satisfies((ex) -> assertThat(ex.getCause()).hasMessageNotContaining(token).hasNoCause());
		assertThat(source).hasToString("token file (not shown, because it looks like a secret)");
		if (!token.contains("/")) {
			Files.writeString(this.folder.resolve(token), "one");
			assertThat(source.token()).isEqualTo("one");
			assertThat(source.toString()).as("a file that exists").contains(token);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/var/run/secrets/kubernetes.io/serviceaccount/token", "C:\\Users\\Me\\.kube\\config",
			"/tmp/junit-10443230435365849843/My Token (2).txt", "./pki/apiserver-kubelet-client.crt",
			"/var/lib/pods/3f786850-e387-550f-dab8-36ed7e6dc881/..2026_01_31_12_00_00.123456789/token" })
	void thePathOfAMissingFileIsShown(String path) {
		assertThat(TokenSource.file(Path.of(path))).hasToString("token file " + Path.of(path));
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

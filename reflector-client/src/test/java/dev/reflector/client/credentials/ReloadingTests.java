package dev.reflector.client.credentials;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Reloading}.
 */
@ExtendWith(OutputCaptureExtension.class)
class ReloadingTests {

	@TempDir
	private Path folder;

	private Path file;

	private final AtomicLong nanoTime = new AtomicLong();

	private int reads;

	private Reloading<String> reloading;

	@BeforeEach
	void write() throws IOException {
		this.file = Files.writeString(this.folder.resolve("file"), "one");
		this.reloading = new Reloading<>("What is tested", (reads, previous) -> {
			this.reads++;
			String text = reads.read(this.file);
			if (text.startsWith("half")) {
				throw new KubeconfigException(this.file + " is half written: " + text);
			}
			return text;
		}, this.nanoTime::get);
	}

	/** Changes the content, but neither size, time nor identity of the file. */
	private void writeUnnoticed(String text) throws IOException {
		FileTime time = Files.getLastModifiedTime(this.file);
		Files.writeString(this.file, text);
		Files.setLastModifiedTime(this.file, time);
	}

	@Test
	void readsOnlyWhatHasChanged() throws IOException {
		assertThat(this.reloading.get()).isEqualTo("one");
		assertThat(this.reloading.get()).isEqualTo("one");
		assertThat(this.reads).isOne();
		Files.writeString(this.file, "second");
		assertThat(this.reloading.get()).isEqualTo("second");
		assertThat(this.reads).isEqualTo(2);
	}

	@Test
	void readsUnchangedFilesAgainAfterAMinute() throws IOException {
		assertThat(this.reloading.get()).isEqualTo("one");
		writeUnnoticed("two");
		this.nanoTime.set(Duration.ofSeconds(59).toNanos());
		assertThat(this.reloading.get()).isEqualTo("one");
		this.nanoTime.set(Duration.ofSeconds(60).toNanos());
		assertThat(this.reloading.get()).isEqualTo("two");
	}

	@Test
	void readsUnchangedFilesAgainAfterTheExpiry() throws IOException {
		assertThat(this.reloading.get()).isEqualTo("one");
		writeUnnoticed("two");
		this.reloading.expire();
		assertThat(this.reloading.get()).isEqualTo("two");
		this.reloading.get();
		assertThat(this.reads).isEqualTo(2);
	}

	@Test
	void followsLinksThatAreSwapped() throws IOException {
		Path first = Files.createDirectory(this.folder.resolve("..1"));
		Path second = Files.createDirectory(this.folder.resolve("..2"));
		Files.writeString(first.resolve("file"), "abc");
		Files.writeString(second.resolve("file"), "xyz");
		Files.setLastModifiedTime(second.resolve("file"), Files.getLastModifiedTime(first.resolve("file")));
		Path data = Files.createSymbolicLink(this.folder.resolve("..data"), first);
		this.file = Files.createSymbolicLink(this.folder.resolve("link"), Path.of("..data", "file"));
		assertThat(this.reloading.get()).isEqualTo("abc");
		Files.move(Files.createSymbolicLink(this.folder.resolve("..next"), second), data,
				StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
		assertThat(this.reloading.get()).isEqualTo("xyz");
	}

	@Test
	void keepsTheLastReadableContentAndLogsItOnce(CapturedOutput output) throws IOException {
		assertThat(this.reloading.get()).isEqualTo("one");
		Files.writeString(this.file, "half");
		for (int i = 0; i < 5; i++) {
			assertThat(this.reloading.get()).isEqualTo("one");
		}
		// tried again each time
		assertThat(this.reads).isEqualTo(6);
		assertThat(warnings(output)).singleElement().asString().contains(this.file + " is half written: half");
		Files.delete(this.file);
		assertThat(this.reloading.get()).isEqualTo("one");
		assertThat(output).contains(this.file + " does not exist");
		Files.writeString(this.file, "three");
		assertThat(this.reloading.get()).isEqualTo("three");
		assertThat(output).containsOnlyOnce("What is tested can be used again");
	}

	private static List<String> warnings(CapturedOutput output) {
		return output.toString()
			.lines()
			.filter((line) -> line.contains("WARN") && line.contains("What is tested"))
			.toList();
	}

	@Test
	void remindsAfterAWhile(CapturedOutput output) throws IOException {
		this.reloading.get();
		Files.writeString(this.file, "half");
		this.reloading.get();
		this.nanoTime.set(Duration.ofMinutes(9).toNanos());
		this.reloading.get();
		assertThat(output).containsOnlyOnce("is half written");
		this.nanoTime.set(Duration.ofMinutes(10).toNanos());
		this.reloading.get();
		assertThat(output.getOut().split("is half written")).hasSize(3);
	}

	@Test
	void failsUntilSomethingCouldBeRead() throws IOException {
		Files.writeString(this.file, "half");
		assertThatExceptionOfType(KubeconfigException.class).isThrownBy(() -> this.reloading.get());
		Files.delete(this.file);
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.reloading.get())
			.withMessage(this.file + " does not exist");
		Files.writeString(this.file, "now");
		assertThat(this.reloading.get()).isEqualTo("now");
	}

}

package dev.reflector.snapshot.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Assumptions;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A disk of one megabyte in memory, which takes the rights of an administrator.
 */
public final class SmallDisk implements AutoCloseable {

	private final Path directory;

	private SmallDisk(Path directory) {
		this.directory = directory;
	}

	/** Makes the disk, or skips the test with the reason. */
	public static SmallDisk mount(Path directory) throws IOException {
		Files.createDirectory(directory);
		Process mount = start("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", directory.toString());
		Assumptions.assumeTrue(mount.onExit().join().exitValue() == 0, "This user cannot mount a small disk");
		return new SmallDisk(directory);
	}

	public Path directory() {
		return this.directory;
	}

	/** Changes it while it is there: its size, or whether it may be written. */
	public void remount(String option) throws IOException {
		run("mount", "-o", "remount," + option, this.directory.toString());
	}

	@Override
	public void close() throws IOException {
		run("umount", "-l", this.directory.toString());
	}

	private static void run(String... command) throws IOException {
		Process process = start(command);
		String output = new String(process.getInputStream().readAllBytes());
		assertThat(process.onExit().join().exitValue()).as(output).isZero();
	}

	private static Process start(String... command) throws IOException {
		return new ProcessBuilder(command).redirectErrorStream(true).start();
	}

}

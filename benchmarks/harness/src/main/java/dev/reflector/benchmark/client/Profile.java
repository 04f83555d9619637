package dev.reflector.benchmark.client;

import java.io.IOException;
import java.nio.file.Path;
import java.text.ParseException;

import jdk.jfr.Configuration;
import jdk.jfr.Recording;

/**
 * A recording of the burst, to find out where the time goes. Recording slows the run
 * down, so only the relation between the figures of its threads has a meaning.
 */
final class Profile {

	private final Path file;

	private final Recording recording;

	private Profile(Path file, Recording recording) {
		this.file = file;
		this.recording = recording;
	}

	static Profile start(String file) {
		try {
			Recording recording = new Recording(Configuration.getConfiguration("profile"));
			recording.start();
			return new Profile(Path.of(file), recording);
		}
		catch (IOException | ParseException ex) {
			throw new IllegalStateException("the JVM cannot record", ex);
		}
	}

	void finish() {
		try {
			this.recording.stop();
			this.recording.dump(this.file);
		}
		catch (IOException ex) {
			throw new IllegalStateException("the recording cannot be written", ex);
		}
		finally {
			this.recording.close();
		}
	}

}

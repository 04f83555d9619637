package com.example;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * Starts the application of the quick start with its arguments, and once more with the
 * arguments in each line of its input: a second start takes a fraction of the time of
 * another process.
 */
final class DemoStarts {

	private DemoStarts() {
	}

	public static void main(String[] args) throws IOException {
		DemoApplication.main(args);
		BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String line = lines.readLine(); line != null; line = lines.readLine()) {
			DemoApplication.main(line.split(" "));
		}
	}

}

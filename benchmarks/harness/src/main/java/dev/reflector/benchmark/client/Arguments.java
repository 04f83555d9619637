package dev.reflector.benchmark.client;

import java.net.URI;
import java.util.Arrays;

import dev.reflector.benchmark.server.Kind;

/**
 * The arguments of a run, each {@code name=value}.
 *
 * @param args the arguments
 */
record Arguments(String[] args) {

	String text(String name, String otherwise) {
		return Arrays.stream(this.args)
			.filter((arg) -> arg.startsWith(name + "="))
			.map((arg) -> arg.substring(name.length() + 1))
			.findFirst()
			.orElse(otherwise);
	}

	int number(String name, int otherwise) {
		return Integer.parseInt(text(name, Integer.toString(otherwise)));
	}

	URI server() {
		return URI.create(text("server", ""));
	}

	Kind kind() {
		return Kind.valueOf(text("kind", "PODS"));
	}

	String[] phases() {
		String phases = text("phases", "");
		return phases.isEmpty() ? new String[0] : phases.split(",");
	}

}

package dev.reflector.autoconfigure;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The threads of reflectors that have been started since a moment, whatever other tests
 * of the same process have left running.
 */
final class ReflectorThreads {

	private final Set<Thread> before = all().collect(Collectors.toSet());

	List<String> started() {
		return all().filter((thread) -> !this.before.contains(thread)).map(Thread::getName).toList();
	}

	private static Stream<Thread> all() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("reflector-"));
	}

}

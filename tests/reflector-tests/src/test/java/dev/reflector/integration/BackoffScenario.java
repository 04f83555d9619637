package dev.reflector.integration;

import java.util.List;
import java.util.stream.Stream;

import dev.reflector.cache.config.TimeSource;

import org.springframework.boot.test.system.CapturedOutput;

/**
 * Applications whose delays are short and exactly known, and the failures that they log.
 */
abstract class BackoffScenario extends WidgetScenario {

	static final int TIMES = 5;

	static final String LIST = "reflector.watch.initial-list=list";

	private static final List<String> BACKOFF = List.of("reflector.backoff.initial=100ms",
			"reflector.backoff.max=200ms", "reflector.backoff.jitter=0", "logging.level.reactor.netty=error");

	final MirrorApplication application(String... properties) {
		return MirrorApplication.on(this.server, all(properties));
	}

	final MirrorApplication application(TimeSource time, String... properties) {
		return MirrorApplication.on(this.server, time, all(properties));
	}

	private static String[] all(String... properties) {
		return Stream.concat(BACKOFF.stream(), Stream.of(properties)).toArray(String[]::new);
	}

	static List<String> complaints(CapturedOutput output) {
		return output.getAll()
			.lines()
			.filter((line) -> line.contains(" WARN ") || line.contains(" ERROR "))
			.filter((line) -> line.contains("Reflector 'widgets'"))
			.toList();
	}

}

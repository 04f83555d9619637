package dev.reflector.benchmark.runner;

import java.util.List;

/**
 * The library that a class belongs to, by its name.
 */
enum CodeGroup {

	/** Made at run time for a lambda or a method handle, and the code that makes them. */
	LAMBDAS("lambdas and method handles", "java.lang.invoke.", "sun.invoke.", "jdk.internal.org.objectweb.asm.",
			"jdk.internal.classfile.", "java.lang.classfile."),

	/** The events of JDK Flight Recorder, which libraries define without recording. */
	FLIGHT_RECORDER("JDK Flight Recorder", "jdk.jfr."),

	/** The harness. */
	BENCHMARK("the benchmark itself", "dev.reflector.benchmark."),

	/** This project. */
	REFLECTOR("this project", "dev.reflector."),

	/** Classes that the official client generates from the schema. */
	MODELS("generated models and calls", "io.kubernetes.client.openapi.models.", "io.kubernetes.client.openapi.apis.",
			"io.kubernetes.client.proto."),

	/** The official client. */
	OFFICIAL("the official client", "io.kubernetes.client."),

	/** Jackson. */
	JACKSON("Jackson", "tools.jackson.", "com.fasterxml.jackson."),

	/** Gson. */
	GSON("Gson", "com.google.gson.", "io.gsonfire."),

	/** OkHttp. */
	OKHTTP("OkHttp", "okhttp3.", "okio.", "kotlin."),

	/** Netty. */
	NETTY("Netty", "io.netty."),

	/** Reactor. */
	REACTOR("Reactor", "reactor."),

	/** Spring. */
	SPRING("Spring", "org.springframework."),

	/** Loggers and meters. */
	LOGGING("logging and meters", "ch.qos.logback.", "org.slf4j.", "org.apache.commons.logging.", "org.apache.logging.",
			"io.micrometer."),

	/** The JDK. */
	JDK("JDK", "java.", "javax.", "jdk.", "sun.", "com.sun."),

	/** All others. */
	OTHER("other");

	private static final String LAMBDA = "$$Lambda";

	private final String label;

	private final List<String> prefixes;

	CodeGroup(String label, String... prefixes) {
		this.label = label;
		this.prefixes = List.of(prefixes);
	}

	static CodeGroup of(String className) {
		if (className.contains(LAMBDA)) {
			return LAMBDAS;
		}
		for (CodeGroup group : values()) {
			if (group.prefixes.stream().anyMatch(className::startsWith)) {
				return group;
			}
		}
		return OTHER;
	}

	String label() {
		return this.label;
	}

}

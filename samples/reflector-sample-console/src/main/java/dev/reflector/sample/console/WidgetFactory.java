package dev.reflector.sample.console;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

import dev.reflector.cache.source.ApiException;
import dev.reflector.test.ResourceCollection;

/**
 * Creates, changes and deletes widgets on the embedded server.
 */
class WidgetFactory {

	static final String NAMESPACE = "default";

	private static final List<String> COLOURS = List.of("red", "green", "blue", "amber", "violet");

	private static final List<String> APPS = List.of("api", "web", "worker");

	private static final int TEAMS = 10;

	private final ResourceCollection widgets;

	private final AtomicInteger created = new AtomicInteger();

	WidgetFactory(ResourceCollection widgets) {
		this.widgets = widgets;
	}

	String create() {
		String name = "widget-" + this.created.incrementAndGet();
		this.widgets
			.create(Map.of("metadata",
					Map.of("name", name, "namespace", NAMESPACE, "labels",
							Map.of("app", APPS.get(ThreadLocalRandom.current().nextInt(APPS.size())))),
					"spec", spec()));
		return name;
	}

	/** Creates widgets that never change, in other namespaces. */
	void fill(int number) {
		for (int i = 1; i <= number; i++) {
			this.widgets.create(Map.of(
					"metadata", Map.of("name", String.format(Locale.ROOT, "widget-%05d", i), "namespace",
							"team-" + (i % TEAMS + 1), "labels", Map.of("app", APPS.get(i % APPS.size()))),
					"spec", spec()));
		}
	}

	boolean change(String name) {
		try {
			this.widgets.mergePatch(NAMESPACE, name,
					Map.of("spec", spec(), "status", Map.of("ready", ThreadLocalRandom.current().nextInt(10))));
			return true;
		}
		catch (ApiException ex) {
			return unlessGone(ex);
		}
	}

	boolean delete(String name) {
		try {
			this.widgets.delete(NAMESPACE, name);
			return true;
		}
		catch (ApiException ex) {
			return unlessGone(ex);
		}
	}

	private static boolean unlessGone(ApiException ex) {
		if (ex.status().code() == 404) {
			return false;
		}
		throw ex;
	}

	List<String> names() {
		return this.widgets.list()
			.stream()
			.map((widget) -> widget.path("metadata"))
			.filter((metadata) -> metadata.path("namespace").asString().equals(NAMESPACE))
			.map((metadata) -> metadata.path("name").asString())
			.toList();
	}

	private static Map<String, Object> spec() {
		ThreadLocalRandom random = ThreadLocalRandom.current();
		return Map.of("size", random.nextInt(1, 1000), "colour", COLOURS.get(random.nextInt(COLOURS.size())));
	}

}

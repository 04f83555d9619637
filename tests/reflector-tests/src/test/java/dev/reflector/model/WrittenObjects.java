package dev.reflector.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.reflector.test.ResourceCollection;
import tools.jackson.databind.JsonNode;

/**
 * Writes objects to the server and remembers what was written.
 */
final class WrittenObjects {

	private static final String LABEL = "mirrored";

	private final ResourceCollection collection;

	private final Setup setup;

	private final List<Written> written = new ArrayList<>();

	WrittenObjects(ResourceCollection collection, Setup setup) {
		this.collection = collection;
		this.setup = setup;
	}

	void write(String namespace, String name, int size) {
		put(namespace, name, size, isSelected(namespace, name));
	}

	void spoil(String namespace, String name) {
		put(namespace, name, "large", isSelected(namespace, name));
	}

	void select(String namespace, String name, boolean selected) {
		this.collection.get(namespace, name).ifPresent((object) -> {
			JsonNode size = object.at("/spec/size");
			put(namespace, name, size.isNumber() ? size.asInt() : size.asString(), selected);
		});
	}

	private void put(String namespace, String name, Object size, boolean selected) {
		String before = version(this.collection.get(namespace, name).orElse(null));
		boolean wasSelected = !before.isEmpty() && isSelected(namespace, name);
		boolean wasReadable = !before.isEmpty() && isReadable(namespace, name);
		JsonNode after = this.collection.apply(Map.of("metadata",
				Map.of("namespace", namespace, "name", name, "labels", selected ? Map.of(LABEL, "yes") : Map.of()),
				"spec", Map.of("size", size)));
		if (!version(after).equals(before)) {
			boolean told = mirrors(namespace, selected) && size instanceof Integer;
			boolean goes = mirrors(namespace, wasSelected) && !mirrors(namespace, selected) && wasReadable;
			this.written.add(new Written(namespace + "/" + name, version(after), told, goes && isReadable(size)));
		}
	}

	private static boolean isReadable(Object size) {
		return size instanceof Integer;
	}

	void delete(String namespace, String name) {
		JsonNode before = this.collection.get(namespace, name).orElse(null);
		if (before != null) {
			boolean told = mirrors(namespace, isSelected(namespace, name)) && isReadable(namespace, name);
			this.collection.delete(namespace, name);
			this.written.add(new Written(namespace + "/" + name, this.collection.resourceVersion(), false, told));
		}
	}

	/** The server has gone back: earlier writes may never be delivered. */
	void restored() {
		this.written.clear();
	}

	/** Makes every object one that can be read. */
	void heal() {
		for (JsonNode object : this.collection.list()) {
			if (!object.at("/spec/size").isNumber()) {
				write(object.at("/metadata/namespace").asString(), object.at("/metadata/name").asString(), 0);
			}
		}
	}

	/** Changes every object, so that every one is delivered once more. */
	void touch() {
		for (JsonNode object : this.collection.list()) {
			write(object.at("/metadata/namespace").asString(), object.at("/metadata/name").asString(),
					(object.at("/spec/size").asInt() + 1) % 100);
		}
	}

	private boolean mirrors(String namespace, boolean selected) {
		return this.setup.covers(namespace) && (selected || !this.setup.selective());
	}

	private boolean isSelected(String namespace, String name) {
		return this.collection.get(namespace, name)
			.map((object) -> !object.at("/metadata/labels/" + LABEL).isMissingNode())
			.orElse(true);
	}

	private boolean isReadable(String namespace, String name) {
		return this.collection.get(namespace, name).map((object) -> object.at("/spec/size").isNumber()).orElse(false);
	}

	private static String version(JsonNode object) {
		return (object != null) ? object.at("/metadata/resourceVersion").asString() : "";
	}

	/** The objects that the mirror must have: versions by key. */
	Map<String, String> expected() {
		Map<String, String> expected = new TreeMap<>();
		for (JsonNode object : this.collection.list()) {
			String namespace = object.at("/metadata/namespace").asString();
			boolean selected = !object.at("/metadata/labels/" + LABEL).isMissingNode();
			if (mirrors(namespace, selected)) {
				expected.put(namespace + "/" + object.at("/metadata/name").asString(), version(object));
			}
		}
		return expected;
	}

	List<Written> written() {
		return this.written;
	}

	String selector() {
		return this.setup.selective() ? LABEL + "=yes" : "";
	}

	/**
	 * A write.
	 *
	 * @param key key of the object
	 * @param version version of the write
	 * @param upsert whether a watch reports the write as an existing object
	 * @param deletion whether a watch reports the write as a deletion
	 */
	record Written(String key, String version, boolean upsert, boolean deletion) {

	}

}

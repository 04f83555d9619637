package dev.reflector.client.internal.proto;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.reflector.client.internal.bind.Shape;

/**
 * The plans for the objects of a type: which fields are written as JSON for each purpose.
 *
 * @param object the fields that the Java type uses, the key and the version
 * @param identified the fields of {@code object} and the UID, to find cached objects
 * @param head only the key and the version
 * @param bookmark only the version and the annotations
 */
record Plans(Plan object, Plan identified, Plan head, Plan bookmark) {

	private static final Shape HEAD = metadata("name", "namespace", "resourceVersion");

	private static final Shape IDENTITY = metadata("name", "namespace", "uid", "resourceVersion");

	private static final Shape BOOKMARK = metadata("resourceVersion", "annotations");

	/**
	 * Makes the plans for a type.
	 * @param message the name of its message
	 * @param shape the parts that the Java type uses
	 */
	static Plans of(String message, Shape shape) {
		Planner planner = new Planner(MessageTable.get());
		Shape nothing = properties(Map.of());
		return new Plans(planner.plan(message, shape, HEAD), planner.plan(message, shape, IDENTITY),
				planner.plan(message, nothing, HEAD), planner.plan(message, nothing, BOOKMARK));
	}

	private static Shape metadata(String... names) {
		Map<String, Shape> parts = new LinkedHashMap<>();
		for (String name : names) {
			parts.put(name, Shape.ALL);
		}
		return properties(Map.of("metadata", properties(parts)));
	}

	private static Shape properties(Map<String, Shape> properties) {
		Shape.Properties shape = new Shape.Properties();
		shape.setProperties(properties);
		return shape;
	}

	static Plan status() {
		return Fixed.STATUS;
	}

	static Plan listMetadata() {
		return Fixed.LIST_METADATA;
	}

	private static final class Fixed {

		static final Plan STATUS = whole(MessageTable.STATUS);

		static final Plan LIST_METADATA = whole(MessageTable.LIST_META);

		private static Plan whole(String message) {
			return new Planner(MessageTable.get()).plan(message, Shape.ALL, null);
		}

	}

}

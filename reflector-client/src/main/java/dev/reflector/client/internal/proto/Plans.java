package dev.reflector.client.internal.proto;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.reflector.client.internal.bind.Shape;

/**
 * The plans of what to write of the objects of a type, for each purpose.
 *
 * @param object the fields that the Java type uses, and those that are needed of every
 * object
 * @param identified the same fields and the UID, to find objects that the mirror holds
 * @param head key and version
 * @param bookmark version and annotations
 */
record Plans(Plan object, Plan identified, Plan head, Plan bookmark) {

	private static final Shape HEAD = metadata("name", "namespace", "resourceVersion");

	private static final Shape IDENTITY = metadata("name", "namespace", "uid", "resourceVersion");

	private static final Shape BOOKMARK = metadata("resourceVersion", "annotations");

	/**
	 * Makes the plans of a type.
	 * @param message its message
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

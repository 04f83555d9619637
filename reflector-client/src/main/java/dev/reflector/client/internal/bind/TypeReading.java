package dev.reflector.client.internal.bind;

import dev.reflector.cache.source.JvmFailureException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ValueDeserializer;

/**
 * Describes how to read objects of a type.
 *
 * @param shape the parts of an object that the type uses
 * @param closed whether only code of Jackson and of this package gets the parser
 * @param binding makes objects without a parser; {@code null} if Jackson makes them
 */
public record TypeReading(Shape shape, boolean closed, @Nullable Binding binding) {

	static final TypeReading UNKNOWN = new TypeReading(Shape.ALL, false, null);

	/**
	 * Returns how to read objects of a type, according to the deserializers that Jackson
	 * has created for the type.
	 * @param reader a reader whose mapper comes from {@link ServerObjectModule}
	 * @param type the type
	 * @return how to read objects of the type; {@link #UNKNOWN} if the reader may do more
	 * with undeclared properties than skip them, or if the type cannot be inspected
	 */
	public static TypeReading of(ObjectReader reader, Class<?> type) {
		if (!skipsUndeclared(reader)) {
			return UNKNOWN;
		}
		try {
			boolean injects = reader.getInjectableValues() != null;
			return ContextQuery.ask(reader, (context) -> of(context, type, injects));
		}
		catch (RuntimeException | Error ex) {
			JvmFailureException.rethrow(ex);
			// if the type cannot be read, this is reported when the first object is read
			return UNKNOWN;
		}
	}

	private static TypeReading of(DeserializationContext context, Class<?> type, boolean injects) {
		ValueDeserializer<?> root = context.findRootValueDeserializer(context.constructType(type));
		ShapeFinder finder = new ShapeFinder(context);
		Shape shape = finder.shape(root);
		return new TypeReading(shape, finder.isClosed() && !injects, BindingFinder.find(root, context));
	}

	private static boolean skipsUndeclared(ObjectReader reader) {
		DeserializationConfig config = reader.getConfig();
		StreamReadConstraints constraints = reader.parserFactory().streamReadConstraints();
		return reader.parserFactory().getClass() == JsonFactory.class
				&& ((JsonFactory) reader.parserFactory()).getInputDecorator() == null
				&& config.getProblemHandlers() == null
				&& !config.isEnabled(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
				&& !config.isEnabled(DeserializationFeature.FAIL_ON_IGNORED_PROPERTIES)
				&& !config.isEnabled(StreamReadFeature.STRICT_DUPLICATE_DETECTION) && !constraints.hasMaxTokenCount()
				&& !constraints.hasMaxDocumentLength();
	}

	TypeReading withoutBinding() {
		return new TypeReading(this.shape, this.closed, null);
	}

}

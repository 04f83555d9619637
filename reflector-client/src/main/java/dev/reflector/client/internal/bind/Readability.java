package dev.reflector.client.internal.bind;

import java.lang.reflect.Method;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.AbstractDeserializer;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.impl.UnsupportedTypeDeserializer;
import tools.jackson.databind.deser.std.ContainerDeserializerBase;
import tools.jackson.databind.deser.std.ReferenceTypeDeserializer;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.deser.std.StdValueInstantiator;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.util.TokenBuffer;

import org.springframework.core.KotlinDetector;

/**
 * Tells before the first object comes whether Jackson can read objects of a type at all:
 * it finds out only when there is a value for a property that nothing can be made of.
 * What others than Jackson read, and what has subtypes, is taken for readable.
 */
public final class Readability extends StdDeserializer<Readability.Finding> {

	private static final Object TYPE = Readability.class.getName() + ".type";

	Readability() {
		super(Finding.class);
	}

	/**
	 * Looks for what makes a type unreadable.
	 * @param reader reads objects, with a mapper for objects of a server
	 * @param type the type
	 * @return what Jackson has against it, {@code null} when it can be read
	 */
	public static @Nullable String problem(ObjectReader reader, Class<?> type) {
		try {
			Finding finding = reader.forType(Finding.class).withAttribute(TYPE, type).readValue("{}");
			return finding.problem();
		}
		catch (JacksonException ex) {
			return ex.getOriginalMessage();
		}
		catch (RuntimeException | LinkageError ex) {
			return ex.toString();
		}
	}

	@Override
	public Finding deserialize(JsonParser parser, DeserializationContext context) {
		parser.skipChildren();
		Search search = new Search(context);
		search.visit(context.findRootValueDeserializer(context.constructType((Class<?>) context.getAttribute(TYPE))),
				"");
		return new Finding(search.problem);
	}

	/**
	 * What was found.
	 *
	 * @param problem what is wrong, {@code null} for nothing
	 */
	record Finding(@Nullable String problem) {

	}

	/** Looks at a type and at those that it is made of. */
	private static final class Search {

		private final DeserializationContext context;

		private final Set<ValueDeserializer<?>> seen = Collections.newSetFromMap(new IdentityHashMap<>());

		private @Nullable String problem;

		Search(DeserializationContext context) {
			this.context = context;
		}

		void visit(@Nullable ValueDeserializer<?> candidate, String path) {
			ValueDeserializer<?> deserializer = (candidate instanceof ArrayMaps maps) ? maps.getDelegatee() : candidate;
			if (deserializer == null || this.problem != null || !ShapeReader.isKnown(deserializer)
					|| !this.seen.add(deserializer)) {
				return;
			}
			String refusal = refusal(deserializer);
			if (refusal != null) {
				this.problem = (path.isEmpty() ? "" : "'" + path + "': ") + refusal;
			}
			else if (deserializer instanceof BeanDeserializerBase bean) {
				visit(bean.properties(), path);
				visit(bean.creatorProperties(), path);
			}
			else if (deserializer instanceof ContainerDeserializerBase<?> container) {
				if (isOneType(container.getContentType())) {
					visit(container.getContentDeserializer(), path + "[]");
				}
			}
			else if (deserializer instanceof ReferenceTypeDeserializer<?> reference) {
				JavaType content = reference.getValueType().getContentType();
				if (isOneType(content)) {
					visit(this.context.findContextualValueDeserializer(content, null), path);
				}
			}
		}

		private void visit(Iterator<SettableBeanProperty> properties, String path) {
			properties.forEachRemaining((property) -> {
				if (!property.hasValueTypeDeserializer() && !property.isIgnorable()) {
					visit(property.getValueDeserializer(), (path.isEmpty() ? "" : path + ".") + property.getName());
				}
			});
		}

		private boolean isOneType(@Nullable JavaType type) {
			return type != null && !type.hasHandlers() && this.context.findTypeDeserializer(type) == null;
		}

		private @Nullable String refusal(ValueDeserializer<?> deserializer) {
			if (deserializer instanceof BeanDeserializerBase bean) {
				if (isKotlinWithoutModule(bean)) {
					return bean.handledType().getName() + " is a Kotlin class, which Jackson can read only with its "
							+ "module for Kotlin. Add the dependency tools.jackson.module:jackson-module-kotlin";
				}
				return bean.getValueInstantiator().canInstantiate() ? null : trial(deserializer);
			}
			return (deserializer instanceof AbstractDeserializer || deserializer instanceof UnsupportedTypeDeserializer)
					? trial(deserializer) : null;
		}

		/** Handlers of the application may know what to make. */
		private @Nullable String trial(ValueDeserializer<?> deserializer) {
			try (TokenBuffer empty = TokenBuffer.forGeneration()) {
				empty.writeStartObject();
				empty.writeEndObject();
				deserializer.deserialize(empty.asParserOnFirstToken(this.context), this.context);
				return null;
			}
			catch (InvalidDefinitionException ex) {
				return ex.getOriginalMessage();
			}
			catch (RuntimeException ex) {
				return null;
			}
		}

		/** Classes that are written like Java beans can be read without. */
		private static boolean isKotlinWithoutModule(BeanDeserializerBase bean) {
			return KotlinDetector.isKotlinType(bean.handledType())
					&& bean.getValueInstantiator() instanceof StdValueInstantiator instantiator
					&& ShapeReader.isKnown(instantiator)
					&& !instantiator.getClass().getName().startsWith("tools.jackson.module.kotlin.")
					&& (!instantiator.canCreateUsingDefault() || isDataClass(bean.handledType()));
		}

		private static boolean isDataClass(Class<?> type) {
			return Stream.of(type.getDeclaredMethods()).map(Method::getName).anyMatch("component1"::equals);
		}

	}

}

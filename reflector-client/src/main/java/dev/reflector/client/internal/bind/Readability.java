package dev.reflector.client.internal.bind;

import java.lang.reflect.Method;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
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
import tools.jackson.databind.deser.std.StdValueInstantiator;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.util.TokenBuffer;

import org.springframework.core.KotlinDetector;

/**
 * Checks whether Jackson can read a type at all, before the first object is read. Jackson
 * itself reports an unreadable type only when it reads the first value. Types with
 * deserializers of the application, and types with subtypes, count as readable.
 */
public final class Readability {

	private Readability() {
	}

	/**
	 * Checks a type.
	 * @param reader a reader whose mapper comes from {@link ServerObjectModule}
	 * @param type the type
	 * @return why Jackson cannot read the type, or {@code null} if Jackson can read it
	 */
	public static @Nullable String problem(ObjectReader reader, Class<?> type) {
		try {
			return ContextQuery.ask(reader, (context) -> Search.of(context, type)).problem;
		}
		catch (JacksonException ex) {
			return ex.getOriginalMessage();
		}
		catch (RuntimeException | LinkageError ex) {
			return ex.toString();
		}
	}

	/** Visits a type and the types of its properties until one cannot be read. */
	private static final class Search {

		private final DeserializationContext context;

		private final Set<ValueDeserializer<?>> seen = Collections.newSetFromMap(new IdentityHashMap<>());

		private @Nullable String problem;

		private Search(DeserializationContext context) {
			this.context = context;
		}

		static Search of(DeserializationContext context, Class<?> type) {
			Search search = new Search(context);
			search.visit(context.findRootValueDeserializer(context.constructType(type)), "");
			return search;
		}

		void visit(@Nullable ValueDeserializer<?> candidate, String path) {
			ValueDeserializer<?> deserializer = (candidate instanceof ArrayMaps maps) ? maps.getDelegatee() : candidate;
			if (deserializer == null || this.problem != null || !KnownParts.isKnown(deserializer)
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
				if (KnownParts.isOneType(container.getContentType(), this.context)) {
					visit(container.getContentDeserializer(), path + "[]");
				}
			}
			else if (deserializer instanceof ReferenceTypeDeserializer<?> reference) {
				JavaType content = reference.getValueType().getContentType();
				if (KnownParts.isOneType(content, this.context)) {
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

		/**
		 * Tries to read an empty object, because a problem handler of the application may
		 * be able to create the value. Returns the problem, or {@code null} for none.
		 */
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

		/**
		 * Returns whether a bean is a Kotlin class that needs the missing Kotlin module.
		 * A Kotlin class that is written like a Java bean does not need it.
		 */
		private static boolean isKotlinWithoutModule(BeanDeserializerBase bean) {
			return KotlinDetector.isKotlinType(bean.handledType())
					&& bean.getValueInstantiator() instanceof StdValueInstantiator instantiator
					&& KnownParts.isKnown(instantiator)
					&& !instantiator.getClass().getName().startsWith("tools.jackson.module.kotlin.")
					&& (!instantiator.canCreateUsingDefault() || isDataClass(bean.handledType()));
		}

		private static boolean isDataClass(Class<?> type) {
			return Stream.of(type.getDeclaredMethods()).map(Method::getName).anyMatch("component1"::equals);
		}

	}

}

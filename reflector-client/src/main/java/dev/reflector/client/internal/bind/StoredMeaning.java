package dev.reflector.client.internal.bind;

import java.text.DateFormat;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonFormat;
import dev.reflector.cache.source.JvmFailureException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.std.ContainerDeserializerBase;
import tools.jackson.databind.jsontype.TypeDeserializer;

/**
 * Describes all that gives stored bytes their meaning, so that a change can be noticed:
 * what a type declares, the settings of Jackson that apply when it is read, and the
 * deserializers that Jackson has made of both. The description is the same in each
 * process that has the same code and settings.
 */
final class StoredMeaning {

	private final DeserializationContext context;

	private final StringBuilder description = new StringBuilder();

	private final Set<ValueDeserializer<?>> described = Collections.newSetFromMap(new IdentityHashMap<>());

	private StoredMeaning(DeserializationContext context) {
		this.context = context;
	}

	/**
	 * A digest of what gives the bytes of a type their meaning.
	 * @param reader reads objects of the type, with a mapper for objects of a server
	 * @param type the type
	 * @return the digest
	 */
	static String digest(ObjectReader reader, Class<?> type) {
		return DeclaredFields.digest(type, settings(reader.getConfig()) + deserializers(reader, type));
	}

	private static String settings(DeserializationConfig config) {
		List<Object> settings = new ArrayList<>();
		settings.add(enabled(DeserializationFeature.values(), config::isEnabled));
		settings.add(enabled(MapperFeature.values(), config::isEnabled));
		settings.add(enabled(DateTimeFeature.values(), config::isEnabled));
		settings.add(enabled(EnumFeature.values(), config::isEnabled));
		settings.add(enabled(JsonNodeFeature.values(), config::isEnabled));
		settings.add(dates(config.getDateFormat()));
		settings.add(config.getTimeZone().getID());
		settings.add(config.getLocale());
		settings.add(config.getBase64Variant().getName());
		settings.add(config.getDefaultFormat());
		settings.add(name(config.getPropertyNamingStrategy()));
		settings.add(name(config.getEnumNamingStrategy()));
		settings.add(config.getActiveView());
		return settings.toString();
	}

	private static <F extends Enum<F>> List<String> enabled(F[] features, Predicate<F> isEnabled) {
		return Arrays.stream(features).filter(isEnabled).map(Enum::name).toList();
	}

	private static String dates(@Nullable DateFormat format) {
		return (format instanceof SimpleDateFormat simple) ? simple.toPattern()
				: name(format) + ((format != null) ? " " + format : "");
	}

	private static String deserializers(ObjectReader reader, Class<?> type) {
		try {
			return ContextQuery.ask(reader, (context) -> {
				StoredMeaning meaning = new StoredMeaning(context);
				meaning.describe(context.findRootValueDeserializer(context.constructType(type)));
				return meaning.description.toString();
			});
		}
		catch (RuntimeException | Error ex) {
			JvmFailureException.rethrow(ex);
			// when the type is unusable, reading the first object reports it
			return "";
		}
	}

	private void describe(@Nullable ValueDeserializer<?> deserializer) {
		this.description.append('<').append(name(deserializer));
		if (deserializer != null && this.described.add(deserializer)) {
			Class<?> handled = deserializer.handledType();
			if (handled != null) {
				JsonFormat.Value format = this.context.getConfig().getDefaultPropertyFormat(handled);
				this.description.append((format != null) ? " " + format : "");
			}
			if (deserializer instanceof BeanDeserializerBase bean) {
				describe(bean);
			}
			else if (deserializer instanceof ContainerDeserializerBase<?> container) {
				describe(container.getContentDeserializer());
			}
			ValueDeserializer<?> delegatee = deserializer.getDelegatee();
			if (delegatee != null) {
				describe(delegatee);
			}
		}
		this.description.append('>');
	}

	private void describe(BeanDeserializerBase bean) {
		this.description.append(' ').append(name(bean.getValueInstantiator()));
		Stream.concat(properties(bean.properties()), properties(bean.creatorProperties()))
			.collect(Collectors.toMap(SettableBeanProperty::getName, (property) -> property, (one, other) -> one))
			.entrySet()
			.stream()
			.sorted(Map.Entry.comparingByKey())
			.forEach((property) -> describe(property.getValue()));
	}

	private static Stream<SettableBeanProperty> properties(Iterator<SettableBeanProperty> properties) {
		List<SettableBeanProperty> all = new ArrayList<>();
		properties.forEachRemaining(all::add);
		return all.stream();
	}

	private void describe(SettableBeanProperty property) {
		this.description.append(' ')
			.append(property.getName())
			.append(property.findAliases(this.context.getConfig()))
			.append(':');
		TypeDeserializer types = property.hasValueTypeDeserializer() ? property.getValueTypeDeserializer() : null;
		if (types != null) {
			this.description.append(types.getTypeInclusion())
				.append(' ')
				.append(types.getPropertyName())
				.append(' ')
				.append(name(types.getTypeIdResolver()));
		}
		describe(property.hasValueDeserializer() ? property.getValueDeserializer() : null);
	}

	/** Name of a class, without what the JVM numbers anew in each process. */
	private static String name(@Nullable Object instance) {
		return (instance != null) ? instance.getClass().getName().replaceFirst("(\\$\\$|/).*", "") : "";
	}

}

package dev.reflector.client.internal.bind;

import java.text.DateFormat;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
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
 * Describes everything that determines how stored bytes are read, so that a change can be
 * noticed: the declarations of a type, Jackson's settings, and the deserializers that
 * Jackson creates from both. The description is the same in each process with the same
 * code and settings.
 */
final class StoredMeaning {

	private final DeserializationContext context;

	private final StringBuilder description = new StringBuilder();

	private final Set<ValueDeserializer<?>> described = Collections.newSetFromMap(new IdentityHashMap<>());

	private StoredMeaning(DeserializationContext context) {
		this.context = context;
	}

	/**
	 * Returns a digest of everything that determines how the stored bytes of a type are
	 * read.
	 * @param reader reads objects of the type; its mapper must come from
	 * {@link ServerObjectModule}
	 * @param type the type
	 * @return the digest
	 */
	static String digest(ObjectReader reader, Class<?> type) {
		return DeclaredFields.digest(type, settings(reader.getConfig()) + deserializers(reader, type));
	}

	/**
	 * Returns the settings that differ from Jackson's defaults. Settings with default
	 * values are omitted, because a later version of Jackson may have more settings.
	 */
	private static String settings(DeserializationConfig config) {
		List<Object> settings = new ArrayList<>();
		settings.addAll(
				changed(DeserializationFeature.values(), config::isEnabled, DeserializationFeature::enabledByDefault));
		settings.addAll(changed(MapperFeature.values(), config::isEnabled, MapperFeature::enabledByDefault));
		settings.addAll(changed(DateTimeFeature.values(), config::isEnabled, DateTimeFeature::enabledByDefault));
		settings.addAll(changed(EnumFeature.values(), config::isEnabled, EnumFeature::enabledByDefault));
		settings.addAll(changed(JsonNodeFeature.values(), config::isEnabled, JsonNodeFeature::enabledByDefault));
		settings.add(dates(config.getDateFormat()));
		settings.add(config.getTimeZone().getID());
		settings.add(config.getLocale().equals(Locale.getDefault()) ? "" : config.getLocale());
		settings.add(config.getBase64Variant().getName());
		settings.add(format(config.getDefaultFormat()));
		settings.add(name(config.getPropertyNamingStrategy()));
		settings.add(name(config.getEnumNamingStrategy()));
		return settings.toString();
	}

	private static <F extends Enum<F>> List<String> changed(F[] features, Predicate<F> isEnabled,
			Predicate<F> byDefault) {
		return Arrays.stream(features)
			.filter((feature) -> isEnabled.test(feature) != byDefault.test(feature))
			.map(Enum::name)
			.toList();
	}

	private static String dates(@Nullable DateFormat format) {
		return name(format) + ((format instanceof SimpleDateFormat simple) ? " " + simple.toPattern() : "");
	}

	private static String format(JsonFormat.@Nullable Value format) {
		return (format == null || format.equals(JsonFormat.Value.empty())) ? "" : " " + format;
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
			// if the type cannot be read, this is reported when the first object is read
			return "";
		}
	}

	private void describe(@Nullable ValueDeserializer<?> deserializer) {
		this.description.append('<').append(name(deserializer));
		if (deserializer != null && this.described.add(deserializer)) {
			Class<?> handled = deserializer.handledType();
			if (handled != null) {
				this.description.append(format(this.context.getConfig().getDefaultPropertyFormat(handled)));
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

	/**
	 * Returns the name of an object's class, without the part that the JVM generates and
	 * that differs in each process. Returns the empty string for a class of this package,
	 * because such a class does the same as the class of Jackson that it replaces.
	 */
	private static String name(@Nullable Object instance) {
		if (instance == null || instance.getClass().getPackage() == StoredMeaning.class.getPackage()) {
			return "";
		}
		return instance.getClass().getName().replaceFirst("(\\$\\$|/).*", "");
	}

}

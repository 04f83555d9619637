package dev.reflector.models.stored;

import java.text.SimpleDateFormat;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import java.util.function.Consumer;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import dev.reflector.ObjectMeta;
import tools.jackson.core.Base64Variants;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.EnumNamingStrategies;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.ser.PropertyFilter;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.ser.std.SimpleBeanPropertyFilter;
import tools.jackson.databind.ser.std.SimpleFilterProvider;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * All settings of an application that affect the JSON it writes, one at a time.
 */
final class JacksonSettings {

	private static final List<JacksonModule> MODULES = JsonMapper.builder()
		.findAndAddModules()
		.build()
		.registeredModules()
		.stream()
		.toList();

	private final List<Setting> settings = new ArrayList<>();

	private JacksonSettings() {
	}

	/**
	 * A setting.
	 *
	 * @param name its name
	 * @param mapper a mapper with it
	 */
	record Setting(String name, JsonMapper mapper) {

	}

	static List<Setting> all() {
		JacksonSettings all = new JacksonSettings();
		all.add("default", (builder) -> {
		});
		all.features();
		all.inclusions();
		all.formats();
		all.masks();
		all.add("everything is left out", (builder) -> builder
			.withAllConfigOverrides((overrides) -> overrides.setDefaultInclusion(
					JsonInclude.Value.construct(JsonInclude.Include.NON_DEFAULT, JsonInclude.Include.NON_EMPTY)))
			.enable(SerializationFeature.WRAP_ROOT_VALUE, SerializationFeature.WRITE_SINGLE_ELEM_ARRAYS_UNWRAPPED)
			.enable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS, DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
			.enable(JsonWriteFeature.WRITE_NUMBERS_AS_STRINGS));
		return all.settings;
	}

	private void add(String name, Consumer<JsonMapper.Builder> setting) {
		add(name, MODULES, setting);
	}

	private void add(String name, List<JacksonModule> modules, Consumer<JsonMapper.Builder> setting) {
		JsonMapper.Builder builder = JsonMapper.builder().addModules(modules);
		setting.accept(builder);
		this.settings.add(new Setting(name, builder.build()));
	}

	private void features() {
		JsonMapper.Builder plain = JsonMapper.builder();
		for (SerializationFeature feature : SerializationFeature.values()) {
			add(feature.name(), (builder) -> builder.configure(feature, !plain.isEnabled(feature)));
		}
		for (MapperFeature feature : MapperFeature.values()) {
			// the module of Kotlin needs annotations
			add(feature.name(), (feature == MapperFeature.USE_ANNOTATIONS) ? List.of() : MODULES,
					(builder) -> builder.configure(feature, !plain.isEnabled(feature)));
		}
		for (DateTimeFeature feature : DateTimeFeature.values()) {
			add(feature.name(), (builder) -> builder.configure(feature, !plain.isEnabled(feature)));
		}
		add("timestamps in milliseconds", (builder) -> builder.enable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
			.disable(DateTimeFeature.WRITE_DATE_TIMESTAMPS_AS_NANOSECONDS));
		for (EnumFeature feature : EnumFeature.values()) {
			add(feature.name(), (builder) -> builder.configure(feature, !plain.isEnabled(feature)));
		}
		for (JsonNodeFeature feature : JsonNodeFeature.values()) {
			add(feature.name(), (builder) -> builder.configure(feature, !plain.isEnabled(feature)));
		}
		for (StreamWriteFeature feature : StreamWriteFeature.values()) {
			add(feature.name(), (builder) -> builder.configure(feature, !feature.enabledByDefault()));
		}
		for (JsonWriteFeature feature : JsonWriteFeature.values()) {
			add(feature.name(), (builder) -> builder.configure(feature, !feature.enabledByDefault()));
		}
	}

	private void inclusions() {
		for (JsonInclude.Include include : JsonInclude.Include.values()) {
			if (include != JsonInclude.Include.CUSTOM) {
				add("default-property-inclusion=" + include, (builder) -> builder.changeDefaultPropertyInclusion(
						(inclusion) -> inclusion.withValueInclusion(include).withContentInclusion(include)));
				add("inclusion of lists=" + include, (builder) -> builder.withConfigOverride(List.class,
						(override) -> override.setInclude(JsonInclude.Value.construct(include, include))));
			}
		}
	}

	private void formats() {
		add("date-format", (builder) -> builder.defaultDateFormat(new SimpleDateFormat("yyyy-MM-dd", Locale.ROOT)));
		add("time-zone", (builder) -> builder.defaultTimeZone(TimeZone.getTimeZone("Asia/Tokyo")));
		add("locale", (builder) -> builder.defaultLocale(Locale.GERMANY));
		add("base64", (builder) -> builder.defaultBase64Variant(Base64Variants.MODIFIED_FOR_URL));
		add("property-naming-strategy",
				(builder) -> builder.propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE));
		add("enum naming", (builder) -> builder.enumNamingStrategy(EnumNamingStrategies.LOWER_CAMEL_CASE));
		add("visibility of fields", (builder) -> builder.changeDefaultVisibility(
				(visibility) -> visibility.withVisibility(PropertyAccessor.GETTER, JsonAutoDetect.Visibility.NONE)));
		add("pretty", (builder) -> builder.enable(SerializationFeature.INDENT_OUTPUT)
			.enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS));
	}

	private void masks() {
		PropertyFilter nothing = SimpleBeanPropertyFilter.filterOutAllExcept(java.util.Set.of());
		add("filter", (builder) -> builder.filterProvider(new SimpleFilterProvider().addFilter("none", nothing)));
		add("mix-ins",
				(builder) -> builder.addMixIn(Shapes.Plain.class, Hides.class)
					.addMixIn(Shapes.Bean.class, Hides.class)
					.addMixIn(Shapes.Point.class, Hides.class)
					.addMixIn(ObjectMeta.class, Hides.class));
		add("masking module",
				(builder) -> builder
					.addModule(new SimpleModule("mask").addSerializer(String.class, new Stars<>(String.class))
						.addSerializer(Instant.class, new Stars<>(Instant.class))
						.addSerializer(Integer.class, new Stars<>(Integer.class))
						.addSerializer(Shapes.Point.class, new Stars<>(Shapes.Point.class))));
		add("module that removes properties",
				(builder) -> builder.addModule(new SimpleModule("remove").setSerializerModifier(new Removing())));
		add("null serializers", (builder) -> builder
			.addModule(new SimpleModule("nulls").setDefaultNullValueSerializer(new Stars<>(Object.class))));
	}

	@JsonIgnoreProperties(value = { "text", "x", "labels", "password" }, allowSetters = true)
	@JsonInclude(JsonInclude.Include.NON_DEFAULT)
	private interface Hides {

	}

	private static final class Stars<T> extends StdSerializer<T> {

		Stars(Class<T> type) {
			super(type);
		}

		@Override
		public void serialize(T value, JsonGenerator out, SerializationContext context) {
			out.writeString("***");
		}

	}

	private static final class Removing extends ValueSerializerModifier {

		private static final long serialVersionUID = 1L;

		@Override
		public List<BeanPropertyWriter> changeProperties(SerializationConfig config,
				BeanDescription.Supplier description, List<BeanPropertyWriter> properties) {
			return new ArrayList<>(properties.subList(0, Math.min(1, properties.size())));
		}

	}

}

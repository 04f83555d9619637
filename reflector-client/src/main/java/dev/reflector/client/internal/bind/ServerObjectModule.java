package dev.reflector.client.internal.bind;

import dev.reflector.GenericResource;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.jdk.MapDeserializer;
import tools.jackson.databind.deser.jdk.StringDeserializer;
import tools.jackson.databind.ext.javatime.deser.DurationDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.type.MapType;

/** Adapts the application's Jackson mapper to objects of a server. */
public final class ServerObjectModule extends SimpleModule {

	private static final long serialVersionUID = 1L;

	private final boolean unknownHandled;

	private ServerObjectModule(boolean unknownHandled) {
		super("reflector");
		this.unknownHandled = unknownHandled;
		addDeserializer(GenericResource.class, new GenericResourceDeserializer());
		addDeserializer(ContextQuery.Result.class, new ContextQuery());
	}

	/**
	 * Makes a mapper for objects of a server.
	 * @param application the mapper of the application, which is not changed
	 * @return the mapper
	 */
	public static JsonMapper mapper(JsonMapper application) {
		boolean unknownHandled = application.deserializationConfig().getProblemHandlers() != null;
		// settings for the application's own JSON do not fit the server's JSON
		return application.rebuild()
			.propertyNamingStrategy(null)
			.removeAllModules()
			// Jackson calls the first modifier last, so this module replaces only what
			// the other modules have not replaced
			.addModule(new Replacements())
			.addModules(application.registeredModules())
			.addModule(new ServerObjectModule(unknownHandled))
			.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
					DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
					DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
					DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
					DeserializationFeature.FAIL_ON_TRAILING_TOKENS, DeserializationFeature.UNWRAP_ROOT_VALUE)
			.build();
	}

	@Override
	public void setupModule(SetupContext context) {
		super.setupModule(context);
		if (!this.unknownHandled) {
			context.appendAnnotationIntrospector(new UnknownPropertiesIgnored());
		}
	}

	/** Replaces Jackson's own deserializers that no other module has replaced. */
	private static final class Replacements extends SimpleModule {

		private static final long serialVersionUID = 1L;

		private Replacements() {
			super("reflector-replacements");
			setDeserializerModifier(new Modifier());
		}

		@Override
		public void setupModule(SetupContext context) {
			super.setupModule(context);
			context.addValueInstantiators(new DirectConstructor.Instantiators());
		}

	}

	/** Replaces Jackson's own deserializers. Keeps deserializers of the application. */
	private static final class Modifier extends ValueDeserializerModifier {

		private static final long serialVersionUID = 1L;

		@Override
		public ValueDeserializer<?> modifyDeserializer(DeserializationConfig config,
				BeanDescription.Supplier description, ValueDeserializer<?> deserializer) {
			if (deserializer.getClass() == DurationDeserializer.class) {
				return new GoDurations(deserializer);
			}
			return (deserializer.getClass() == StringDeserializer.class) ? new SharedStrings() : deserializer;
		}

		@Override
		public ValueDeserializer<?> modifyMapDeserializer(DeserializationConfig config, MapType type,
				BeanDescription.Supplier description, ValueDeserializer<?> deserializer) {
			return (deserializer.getClass() == MapDeserializer.class && type.getKeyType().hasRawClass(String.class))
					? new ArrayMaps((MapDeserializer) deserializer) : deserializer;
		}

	}

}

package dev.reflector.client.internal.bind;

import dev.reflector.GenericResource;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.jdk.MapDeserializer;
import tools.jackson.databind.deser.jdk.StringDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.type.MapType;

/**
 * What Jackson has to know of the objects of a server, besides what it knows of the
 * application's.
 */
public final class ServerObjectModule extends SimpleModule {

	private static final long serialVersionUID = 1L;

	private final boolean unknownHandled;

	private ServerObjectModule(boolean unknownHandled) {
		super("reflector");
		this.unknownHandled = unknownHandled;
		addDeserializer(GenericResource.class, new GenericResourceDeserializer());
		addDeserializer(ShapeReader.Reading.class, new ShapeReader());
		addDeserializer(Readability.Finding.class, new Readability());
	}

	/**
	 * A mapper for objects of a server.
	 * @param application the mapper of the application, which is left as it is
	 * @return the mapper
	 */
	public static JsonMapper mapper(JsonMapper application) {
		boolean unknownHandled = application.deserializationConfig().getProblemHandlers() != null;
		// what the application wants of its own JSON does not hold for that of the server
		return application.rebuild()
			.propertyNamingStrategy(null)
			.removeAllModules()
			// of modifiers, the first is asked last: it sees what the others have left
			.addModule(new LeftOver())
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

	/** What takes the place of Jackson's own parts, where no other module has. */
	private static final class LeftOver extends SimpleModule {

		private static final long serialVersionUID = 1L;

		private LeftOver() {
			super("reflector-left-over");
			setDeserializerModifier(new Sharing());
		}

		@Override
		public void setupModule(SetupContext context) {
			super.setupModule(context);
			context.addValueInstantiators(new DirectConstructor.Instantiators());
		}

	}

	/** Leaves alone what the application has put in the place of Jackson's. */
	private static final class Sharing extends ValueDeserializerModifier {

		private static final long serialVersionUID = 1L;

		@Override
		public ValueDeserializer<?> modifyDeserializer(DeserializationConfig config,
				BeanDescription.Supplier description, ValueDeserializer<?> deserializer) {
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

package dev.reflector.benchmark.reflector;

import java.util.Arrays;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.reflector.benchmark.client.MemoryRun;
import dev.reflector.benchmark.reflector.pods.Pod;
import dev.reflector.benchmark.reflector.widgets.Widget;
import dev.reflector.benchmark.server.Kind;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;

/**
 * The floor of the parser: Jackson binds the same objects from memory into the same
 * record, on one thread, without a network or listeners.
 */
public final class BindFloor {

	private BindFloor() {
	}

	/**
	 * Binds objects.
	 * @param args see {@link MemoryRun}; with {@code skip} in addition, fields that a
	 * record does not declare are skipped at once, rather than kept until the record is
	 * created
	 */
	public static void main(String[] args) {
		Class<?> type = (Kind.valueOf(args[0]) == Kind.PODS) ? Pod.class : Widget.class;
		JsonMapper.Builder mapper = JsonMapper.builder()
			.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
		if (Arrays.asList(args).contains("skip")) {
			mapper.annotationIntrospector(new Skipping());
		}
		ObjectReader reader = mapper.build().readerFor(type);
		MemoryRun.main(args, reader::readValue);
	}

	/** Ignores the fields that a type does not declare. */
	private static final class Skipping extends JacksonAnnotationIntrospector {

		private static final long serialVersionUID = 1L;

		@Override
		public JsonIgnoreProperties.Value findPropertyIgnoralByName(MapperConfig<?> config, Annotated annotated) {
			return super.findPropertyIgnoralByName(config, annotated).withIgnoreUnknown();
		}

	}

}

package dev.reflector.benchmark.reflector;

import dev.reflector.benchmark.client.MemoryRun;
import dev.reflector.benchmark.reflector.pods.Pod;
import dev.reflector.benchmark.reflector.widgets.Widget;
import dev.reflector.benchmark.server.Kind;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * The floor of the parser: Jackson binds the same objects from memory into the same
 * record, on one thread, and nobody sends or hears anything.
 */
public final class BindFloor {

	private BindFloor() {
	}

	/**
	 * Binds objects.
	 * @param args see {@link MemoryRun}
	 */
	public static void main(String[] args) {
		Class<?> type = (Kind.valueOf(args[0]) == Kind.PODS) ? Pod.class : Widget.class;
		ObjectReader reader = JsonMapper.builder()
			.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
			.build()
			.readerFor(type);
		MemoryRun.main(args, reader::readValue);
	}

}

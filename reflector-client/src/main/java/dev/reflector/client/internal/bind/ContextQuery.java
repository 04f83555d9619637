package dev.reflector.client.internal.bind;

import java.util.function.Function;

import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.deser.std.StdDeserializer;

/**
 * Gives access to the context in which Jackson reads objects. Jackson creates such a
 * context only while it reads, so an empty document is read.
 */
final class ContextQuery extends StdDeserializer<ContextQuery.Result> {

	private static final Object QUESTION = ContextQuery.class.getName() + ".question";

	ContextQuery() {
		super(Result.class);
	}

	/**
	 * Calls a function with the context.
	 * @param <R> the type of the result
	 * @param reader a reader whose mapper comes from {@link ServerObjectModule}
	 * @param question the function
	 * @return the result of the function
	 */
	@SuppressWarnings("unchecked")
	static <R> R ask(ObjectReader reader, Function<DeserializationContext, R> question) {
		Result result = reader.forType(Result.class).withAttribute(QUESTION, question).readValue("{}");
		return (R) result.value();
	}

	@Override
	@SuppressWarnings("unchecked")
	public Result deserialize(JsonParser parser, DeserializationContext context) {
		parser.skipChildren();
		return new Result(((Function<DeserializationContext, ?>) context.getAttribute(QUESTION)).apply(context));
	}

	/**
	 * The result of the function.
	 *
	 * @param value the result
	 */
	record Result(Object value) {

	}

}

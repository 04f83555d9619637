package dev.reflector.client.internal.bind;

import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/** Writes objects of a type in a form from which a reader makes equal objects. */
final class ObjectWriting {

	private final PlainJson plain;

	private final ValueWriter writer;

	private final WriterReport report;

	private ObjectWriting(PlainJson plain, ValueWriter writer, WriterReport report) {
		this.plain = plain;
		this.writer = writer;
		this.report = report;
	}

	/**
	 * Returns how to write objects of a type, according to the deserializers that Jackson
	 * has created for it.
	 * @param mapper a mapper for objects of a server
	 * @param reader reads objects of the type
	 * @param type the type
	 * @param report receives the findings, and says which components are omitted
	 * @return how to write objects of the type
	 */
	static ObjectWriting of(JsonMapper mapper, ObjectReader reader, Class<?> type, WriterReport report) {
		ApplicationJson application = new ApplicationJson(mapper);
		PlainJson plain = PlainJson.INSTANCE;
		ValueWriter writer = ContextQuery.ask(reader,
				(context) -> writer(reader, context, application, plain, report, type));
		return new ObjectWriting(plain, writer, report);
	}

	private static ValueWriter writer(ObjectReader reader, DeserializationContext context, ApplicationJson application,
			PlainJson plain, WriterReport report, Class<?> type) {
		JavaType declared = context.constructType(type);
		ValueWriter writer = new WriterFinder(reader, context, application, plain, report)
			.find(context.findContextualValueDeserializer(declared, null), false, Place.root(declared));
		return report.hasIdentities() ? application.whole(declared) : writer;
	}

	WriterReport report() {
		return this.report;
	}

	byte[] write(Object object) {
		return this.plain.bytes((out, context) -> this.writer.write(object, out, context));
	}

}

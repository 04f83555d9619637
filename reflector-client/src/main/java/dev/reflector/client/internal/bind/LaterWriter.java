package dev.reflector.client.internal.bind;

import java.util.Objects;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.SerializationContext;

/**
 * A placeholder for a writer that is still being created, because its type contains
 * itself.
 */
final class LaterWriter implements ValueWriter {

	private @Nullable ValueWriter made;

	void made(ValueWriter writer) {
		this.made = writer;
	}

	private ValueWriter writer() {
		return Objects.requireNonNull(this.made, "used before it was made");
	}

	@Override
	public void write(Object value, JsonGenerator out, SerializationContext context) {
		writer().write(value, out, context);
	}

	@Override
	public JsonToken begins() {
		return writer().begins();
	}

	@Override
	public void writeContent(Object value, JsonGenerator out, SerializationContext context) {
		writer().writeContent(value, out, context);
	}

}

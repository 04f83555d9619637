package dev.reflector.client.internal.exchange;

import java.util.function.Consumer;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Walks through a JSON response as it arrives. Values that a caller does not expect are
 * skipped. Each method begins at the current token and ends at the last token of its
 * value.
 *
 * @param parser reads the response
 */
public record JsonWalk(JsonParser parser) {

	/**
	 * Visits the fields of an object.
	 * @param field receives each name; the parser is then at the value, which must be
	 * read or skipped
	 */
	public void fields(Consumer<String> field) {
		if (!this.parser.hasToken(JsonToken.START_OBJECT)) {
			this.parser.skipChildren();
			return;
		}
		while (this.parser.nextToken() == JsonToken.PROPERTY_NAME) {
			String name = this.parser.currentName();
			this.parser.nextToken();
			field.accept(name);
		}
	}

	/**
	 * Visits the elements of an array.
	 * @param element called with the parser at each element, which it must read or skip
	 * @return whether the value is an array
	 */
	public boolean elements(Runnable element) {
		if (!this.parser.hasToken(JsonToken.START_ARRAY)) {
			this.parser.skipChildren();
			return false;
		}
		while (this.parser.nextToken() != JsonToken.END_ARRAY) {
			element.run();
		}
		return true;
	}

	/**
	 * Reads a text.
	 * @return the text, empty when the value is not a text
	 */
	public String text() {
		if (this.parser.hasToken(JsonToken.VALUE_STRING)) {
			return this.parser.getString();
		}
		this.parser.skipChildren();
		return "";
	}

}

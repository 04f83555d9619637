package dev.reflector.client.internal.exchange;

import java.util.function.Consumer;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Walks through a JSON response. A value of an unexpected type is skipped. Each method
 * begins at the current token and ends at the last token of its value.
 *
 * @param parser the parser of the response
 */
public record JsonWalk(JsonParser parser) {

	/**
	 * Visits the fields of an object.
	 * @param field receives the name of each field while the parser is at its value; must
	 * read or skip the value
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
	 * @param element called for each element while the parser is at the element; must
	 * read or skip the element
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
	 * @return the text, or the empty string if the value is no text
	 */
	public String text() {
		if (this.parser.hasToken(JsonToken.VALUE_STRING)) {
			return this.parser.getString();
		}
		this.parser.skipChildren();
		return "";
	}

}

package dev.reflector.client.internal.exchange;

import java.util.function.Consumer;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Walks through a JSON response as it arrives. What a caller does not expect is passed
 * over. Each method begins at the current token and ends at the last one of its value.
 *
 * @param parser reads the response
 */
public record JsonWalk(JsonParser parser) {

	/**
	 * Visits the fields of an object.
	 * @param field gets each name, and must read or skip the value, at which the parser
	 * is
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
	 * @param element must read or skip each element, at which the parser is
	 * @return whether it is an array
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
	 * @return the text, empty when it is none
	 */
	public String text() {
		if (this.parser.hasToken(JsonToken.VALUE_STRING)) {
			return this.parser.getString();
		}
		this.parser.skipChildren();
		return "";
	}

}

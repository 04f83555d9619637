package dev.reflector;

import com.fasterxml.jackson.annotation.JsonValue;
import tools.jackson.databind.JsonNode;

/**
 * An object whose type has no class in the application. The properties
 * <code>reflector.resources.&lt;name&gt;.api-version</code> and <code>kind</code> are
 * enough to create a {@link Reflector} and a {@link Lister} of such objects. Inject both
 * with this name as the qualifier.
 * <p>
 * A generic resource needs more memory than a class that declares only some fields,
 * because it keeps everything that the server sends. Its JSON form is the form of
 * {@code content}; {@code metadata} is left out.
 *
 * @param metadata metadata of the object
 * @param content the whole object, with {@code apiVersion}, {@code kind} and
 * {@code metadata}. All readers of the mirror share it: never change it, but work on a
 * {@link JsonNode#deepCopy() copy}
 * @since 0.1.0
 */
public record GenericResource(ObjectMeta metadata, @JsonValue JsonNode content) {

	/**
	 * API version of the object.
	 * @return {@code group/version}, or {@code version} for the core group; empty if the
	 * content has none
	 */
	public String apiVersion() {
		return this.content.path("apiVersion").asString("");
	}

	/**
	 * Kind of the object.
	 * @return the kind, empty if the content has none
	 */
	public String kind() {
		return this.content.path("kind").asString("");
	}

	/**
	 * Returns the value at a place in the object.
	 * @param pointer the place, as a JSON pointer such as {@code /spec/replicas}
	 * @return the value; a missing node, never {@code null}, when there is none
	 * @throws IllegalArgumentException when the pointer is not empty and does not begin
	 * with a slash
	 */
	public JsonNode at(String pointer) {
		return this.content.at(pointer);
	}

	/**
	 * Returns type and identity in one line, without any content of the object.
	 * @return kind, key and version
	 */
	@Override
	public String toString() {
		String name = (this.metadata.name() != null) ? this.metadata.name() : "";
		return PrintableText.of(kind() + " " + ResourceKey.of(this.metadata.namespace(), name) + " @ "
				+ this.metadata.resourceVersion());
	}

}

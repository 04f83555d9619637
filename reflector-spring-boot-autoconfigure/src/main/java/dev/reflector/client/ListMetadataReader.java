package dev.reflector.client;

import java.util.Objects;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads the metadata of lists. Strict: a continue token that is overlooked would make a
 * short list pass for a complete one.
 */
final class ListMetadataReader {

	private static final ListMetadata NONE = new ListMetadata("", "");

	private final ObjectReader reader;

	ListMetadataReader(JsonMapper mapper) {
		this.reader = mapper.readerFor(ListMetadata.class);
	}

	ListMetadata read(@Nullable Frame frame) {
		if (frame == null) {
			return NONE;
		}
		try {
			ListMetadata metadata = this.reader.readValue(frame.bytes(), frame.offset(), frame.length());
			return (metadata != null) ? metadata : NONE;
		}
		catch (JacksonException ex) {
			throw new MalformedResponseException("the metadata of the list cannot be read", ex);
		}
	}

	/**
	 * Metadata of a list.
	 *
	 * @param resourceVersion version of the list
	 * @param continueToken token for the next page
	 */
	record ListMetadata(String resourceVersion, String continueToken) {

		ListMetadata(@Nullable String resourceVersion, @JsonProperty("continue") @Nullable String continueToken) {
			this.resourceVersion = Objects.requireNonNullElse(resourceVersion, "");
			this.continueToken = Objects.requireNonNullElse(continueToken, "");
		}

	}

}

package dev.reflector.models.stored;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.reflector.ObjectMeta;
import lombok.AllArgsConstructor;
import lombok.Builder;
import lombok.Data;
import lombok.Getter;
import lombok.NoArgsConstructor;
import lombok.Setter;
import lombok.Singular;
import lombok.Value;
import lombok.experimental.Accessors;
import lombok.extern.jackson.Jacksonized;
import org.jspecify.annotations.NullUnmarked;

/**
 * Types as applications declare them with Lombok.
 */
@NullUnmarked
final class LombokShapes {

	private LombokShapes() {
	}

	/** A bean. */
	@Data
	static class Bean {

		private ObjectMeta metadata;

		private String text = "default";

		private boolean active;

		@JsonProperty(access = JsonProperty.Access.WRITE_ONLY)
		private String password;

		private List<Part> parts = List.of();

	}

	/** A part. */
	@Data
	@NoArgsConstructor
	@AllArgsConstructor
	static class Part {

		private String name;

		private Integer count;

	}

	/** Cannot change, and has a builder. */
	@Value
	@Builder
	@Jacksonized
	static class Built {

		ObjectMeta metadata;

		@Builder.Default
		String text = "default";

		int size;

		@Singular
		List<String> names;

		Part part;

	}

	/** A class with setters, but without getters. */
	@Setter
	static class SettersAlone {

		private ObjectMeta metadata;

		private String secret;

		private Integer count = 1;

	}

	/** A class whose setters return the object. */
	@Getter
	@Setter
	@Accessors(chain = true)
	static class Chained {

		private ObjectMeta metadata;

		private String text;

	}

}

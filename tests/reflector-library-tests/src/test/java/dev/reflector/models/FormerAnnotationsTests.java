package dev.reflector.models;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import dev.reflector.ObjectMeta;
import dev.reflector.client.internal.bind.FormerAnnotations;
import io.fabric8.kubernetes.api.model.ConfigMap;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An annotation of Jackson 2 that has no effect is found; those that say nothing, as in
 * models of other clients, are none.
 */
class FormerAnnotationsTests {

	@Test
	void anAnnotationOfJackson2IsFound() {
		assertThat(FormerAnnotations.find(Widget.class))
			.isEqualTo("@com.fasterxml.jackson.databind.annotation.JsonDeserialize of " + Widget.Part.class.getName());
	}

	@Test
	void commonAnnotationsAndThoseThatSayNothingAreNone() {
		assertThat(FormerAnnotations.find(Plain.class)).isNull();
		assertThat(FormerAnnotations.find(ConfigMap.class)).isNull();
	}

	record Widget(ObjectMeta metadata, List<Part> parts) {

		record Part(@JsonDeserialize(as = Integer.class) Number size) {

		}

	}

	record Plain(ObjectMeta metadata, @JsonProperty("x") String name, Plain other) {

	}

}

package dev.reflector.write;

import org.junit.jupiter.api.Test;

import static dev.reflector.test.assertj.ApiServerAssertions.assertThatObject;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the code of {@code docs/writing.md}.
 */
class ScalerTests {

	@Test
	void appliesOneField() throws InterruptedException {
		try (WriterStage stage = new WriterStage()) {
			Website site = stage.created("a");
			assertThat(new Scaler(stage.writer).scale(site, 3)).isTrue();
			assertThat(stage.mirror.lister().get("default", "a").spec().replicas()).isEqualTo(3);
			assertThatObject(stage.stored("a")).fieldsOf("shop/WebsiteScale").containsExactly("spec.replicas");
		}
	}

}

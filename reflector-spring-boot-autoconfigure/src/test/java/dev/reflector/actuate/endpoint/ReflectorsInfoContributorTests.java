package dev.reflector.actuate.endpoint;

import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.info.Info;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReflectorsInfoContributor}.
 */
class ReflectorsInfoContributorTests {

	@Test
	void tellsTheServer() {
		assertThat(info(new ReflectorsInfoContributor(Stream::empty, () -> "https://there"))).containsEntry("count", 0L)
			.containsEntry("server", "https://there");
	}

	@Test
	void leavesOutAServerThatCannotBeFound() {
		assertThat(info(new ReflectorsInfoContributor(Stream::empty, () -> {
			throw new IllegalStateException("the kubeconfig cannot be used");
		}))).containsEntry("count", 0L).doesNotContainKey("server");
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> info(ReflectorsInfoContributor contributor) {
		Info.Builder builder = new Info.Builder();
		contributor.contribute(builder);
		return (Map<String, Object>) builder.build().getDetails().get("reflectors");
	}

}

package dev.reflector.kafka;

import dev.reflector.ObjectMeta;
import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.client.internal.bind.JsonSnapshotCodec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the objects of a topic.
 */
class TopicObjectsTests {

	private final TopicObjects<Gadget> objects = new TopicObjects<>(MetadataAccessor.forType(Gadget.class),
			new JsonSnapshotCodec<>(new JsonMapper(), Gadget.class, ResourceType.of("v1", "Gadget", null)));

	@Test
	void objectsThatDoNotCompareTheirContentAreComparedAsBytes() {
		assertThat(gadget(1)).isNotEqualTo(gadget(1));
		assertThat(this.objects.isSame(gadget(1), gadget(1))).isTrue();
		assertThat(this.objects.isSame(gadget(1), gadget(2))).isFalse();
	}

	private Gadget gadget(int size) {
		return this.objects.read(new ResourceKey("n", "a"),
				("{\"metadata\":{\"namespace\":\"n\",\"name\":\"a\",\"resourceVersion\":\"4\"},\"size\":" + size + "}")
					.getBytes(UTF_8));
	}

	/** A bean without {@code equals}. */
	public static final class Gadget {

		private @Nullable ObjectMeta metadata;

		private int size;

		public @Nullable ObjectMeta getMetadata() {
			return this.metadata;
		}

		public void setMetadata(@Nullable ObjectMeta metadata) {
			this.metadata = metadata;
		}

		public int getSize() {
			return this.size;
		}

		public void setSize(int size) {
			this.size = size;
		}

	}

}

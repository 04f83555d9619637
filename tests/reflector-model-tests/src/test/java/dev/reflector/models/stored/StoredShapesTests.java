package dev.reflector.models.stored;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import dev.reflector.ResourceType;
import dev.reflector.cache.snapshot.SnapshotCorruptException;
import dev.reflector.client.internal.bind.JsonSnapshotCodec;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is restored is what was mirrored: for types of many forms, with each setting that
 * an application can make about the JSON that it writes.
 */
class StoredShapesTests {

	private static final ResourceType TYPE = ResourceType.of("example.com/v1", "Widget", "widgets");

	/**
	 * Settings with which Jackson does not read annotations, so that some types are
	 * unreadable.
	 */
	private static final List<String> OTHER_TYPES = List.of("USE_ANNOTATIONS");

	@Test
	void whatIsRestoredIsWhatWasMirrored() {
		List<String> differences = new ArrayList<>();
		int compared = 0;
		for (JacksonSettings.Setting setting : JacksonSettings.all()) {
			for (Shapes.Shape shape : Shapes.accepted()) {
				compared += compare(setting, shape.type(), shape.json(), differences);
			}
		}
		assertThat(differences).isEmpty();
		assertThat(compared).isGreaterThan(5000);
	}

	private static <T> int compare(JacksonSettings.Setting setting, Class<T> type, String json,
			List<String> differences) {
		JsonSnapshotCodec<T> codec = new JsonSnapshotCodec<>(setting.mapper(), type, TYPE);
		T mirrored;
		try {
			mirrored = codec.read(json.getBytes(StandardCharsets.UTF_8));
		}
		catch (SnapshotCorruptException ex) {
			if (!OTHER_READING.contains(setting.name())) {
				differences.add(setting.name() + " " + type.getSimpleName() + " is not read: " + ex.getMessage());
			}
			return 0;
		}
		String difference;
		byte[] bytes = {};
		try {
			bytes = codec.write(mirrored);
			difference = SameComponents.difference(mirrored, codec.read(bytes));
		}
		catch (RuntimeException ex) {
			difference = ex.toString();
		}
		if (difference != null || !codec.problems().isEmpty()) {
			differences.add(setting.name() + " " + type.getSimpleName() + difference + " " + codec.problems() + " "
					+ new String(bytes, StandardCharsets.UTF_8));
		}
		return 1;
	}

	@Test
	void whatCannotBeWrittenIsKnownAtTheStart() {
		assertThat(Shapes.refused().size()).isLessThanOrEqualTo(4);
		Shapes.refused()
			.forEach(
					(type, component) -> assertThat(new JsonSnapshotCodec<>(JsonMapper.shared(), type, TYPE).problems())
						.hasSize(1)
						.allSatisfy((problem) -> assertThat(problem).contains(component)));
	}

}

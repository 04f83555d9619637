package dev.reflector.models.stored;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import dev.reflector.ResourceType;
import dev.reflector.cache.snapshot.SnapshotCorruptException;
import dev.reflector.client.internal.bind.JsonSnapshotCodec;
import dev.reflector.fixture.LongForm;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that restored objects equal the mirrored ones: for types of many forms, with each
 * setting of an application that affects the JSON it writes. There are 70 types and 140
 * settings, so that even a part of the pairs takes some seconds.
 */
class StoredShapesTests {

	private static final ResourceType TYPE = ResourceType.of("example.com/v1", "Widget", "widgets");

	/**
	 * With these, some of the objects cannot be read at all, so they are not mirrored.
	 */
	private static final Set<String> OTHER_READING = Set.of("USE_ANNOTATIONS", "CAN_OVERRIDE_ACCESS_MODIFIERS",
			"OVERRIDE_PUBLIC_ACCESS_MODIFIERS", "READ_ENUMS_USING_TO_STRING", "base64", "enum naming");

	/**
	 * In the short form, each type is tried with each 47th setting, and each setting with
	 * each 47th type.
	 */
	private static final int FRACTION = 47;

	/** Settings that all types are tried with. */
	private static final Set<String> IMPORTANT = Set.of("default", "everything is left out", "masking module");

	private static final boolean ALL = LongForm.times(1, 0) > 0;

	@Test
	void whatIsRestoredIsWhatWasMirrored() {
		List<String> differences = new ArrayList<>();
		int compared = 0;
		int number = 0;
		for (JacksonSettings.Setting setting : JacksonSettings.all()) {
			for (Shapes.Shape shape : Shapes.accepted()) {
				boolean chosen = ALL || IMPORTANT.contains(setting.name())
						|| (!shape.isLarge() && number++ % FRACTION == 0);
				compared += chosen ? compare(setting, shape.type(), shape.json(), differences) : 0;
			}
		}
		assertThat(differences).isEmpty();
		assertThat(compared).isGreaterThan(LongForm.times(7000, 300));
	}

	private static <T> int compare(JacksonSettings.Setting setting, Class<T> type, String json,
			List<String> differences) {
		JsonSnapshotCodec<T> codec = new JsonSnapshotCodec<>(setting.mapper(), type, TYPE);
		String name = type.getSimpleName() + " with " + setting.name() + " ";
		T mirrored;
		try {
			mirrored = codec.read(json.getBytes(StandardCharsets.UTF_8));
		}
		catch (SnapshotCorruptException ex) {
			if (!OTHER_READING.contains(setting.name())) {
				differences.add(name + "is not read: " + ex.getMessage());
			}
			return 0;
		}
		String difference = difference(codec, mirrored);
		if (difference != null) {
			differences.add(name + difference);
		}
		codec.problems().forEach((problem) -> differences.add(name + "is refused: " + problem));
		return 1;
	}

	private static <T> @Nullable String difference(JsonSnapshotCodec<T> codec, T mirrored) {
		try {
			byte[] bytes = codec.write(mirrored);
			String difference = SameComponents.difference(mirrored, codec.read(bytes));
			return (difference != null) ? difference + " by " + new String(bytes, StandardCharsets.UTF_8) : null;
		}
		catch (RuntimeException ex) {
			return ex.toString();
		}
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

package dev.reflector.kafka;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import dev.reflector.ResourceType;
import dev.reflector.autoconfigure.registration.ReflectorNaming;
import dev.reflector.client.internal.bind.JsonSnapshotCodec;
import tools.jackson.databind.json.JsonMapper;

/**
 * Decides which components of its objects a reflector publishes. By default, it publishes
 * all declared components. If the application hides a component from its own JSON, the
 * component may be a secret that readers of the topic must not see. The start then fails
 * until the settings omit the component, or the application no longer hides it.
 *
 * @param reflector name of the reflector
 * @param topic the topic
 * @param omit the components to omit, by the name of a reflector
 */
record PublishedComponents(String reflector, String topic, Map<String, Set<String>> omit) {

	static final String OMIT = "reflector.publish.kafka.omit";

	/** The components that mirrors of the topic need. */
	private static final Set<String> NEEDED = Set.of("metadata", "metadata.name", "metadata.namespace", "metadata.uid",
			"metadata.resourceVersion");

	/**
	 * Makes the codec of the records.
	 * @throws KafkaTopicException if a component is hidden but not omitted, or cannot be
	 * written, or if a component to omit does not exist or is needed
	 */
	<T> JsonSnapshotCodec<T> codec(JsonMapper mapper, Class<T> type, ResourceType resourceType) {
		Set<String> omitted = omitted();
		JsonSnapshotCodec<T> codec = JsonSnapshotCodec.shared(mapper, type, resourceType, omitted);
		requireWritten(codec, type);
		requireKnown(codec, omitted);
		requireShown(codec);
		return codec;
	}

	private Set<String> omitted() {
		return this.omit.entrySet()
			.stream()
			.filter((entry) -> ReflectorNaming.isSame(entry.getKey(), this.reflector))
			.flatMap((entry) -> entry.getValue().stream())
			.collect(Collectors.toUnmodifiableSet());
	}

	private void requireWritten(JsonSnapshotCodec<?> codec, Class<?> type) {
		List<String> problems = codec.problems();
		if (!problems.isEmpty()) {
			throw new KafkaTopicException(
					"The reflector '" + this.reflector + "' is published to the Kafka topic '" + this.topic
							+ "', and objects of " + type.getName() + " would be written without some components. "
							+ String.join(". ", problems) + ".",
					"Let the component be written as it is read: give it a field or a getter of its name and "
							+ "type, or a "
							+ "serializer (@JsonSerialize) that writes what its deserializer reads. Or omit it at '"
							+ OMIT + "." + this.reflector + "', or remove it from the type.",
					null);
		}
	}

	private void requireKnown(JsonSnapshotCodec<?> codec, Set<String> omitted) {
		Set<String> unknown = codec.unknownOmissions();
		if (!unknown.isEmpty()) {
			throw new KafkaTopicException(
					"'" + OMIT + "." + this.reflector + "' has paths of components that do not exist, or names "
							+ "of components that are not hidden: " + sorted(unknown) + ".",
					"Write the path of the component in JSON, such as 'spec.password'. The name alone stands for "
							+ "components that the application hides from its own JSON.",
					null);
		}
		Set<String> needed = omitted.stream().filter(NEEDED::contains).collect(Collectors.toSet());
		if (!needed.isEmpty()) {
			throw new KafkaTopicException("'" + OMIT + "." + this.reflector + "' omits what mirrors of the topic need: "
					+ sorted(needed) + ".", "Remove it from the list.", null);
		}
	}

	private void requireShown(JsonSnapshotCodec<?> codec) {
		List<String> hidden = codec.hiddenComponents();
		if (!hidden.isEmpty()) {
			throw new KafkaTopicException(
					"The reflector '" + this.reflector + "' is published to the Kafka topic '" + this.topic
							+ "', with components that the application hides from its own JSON, by an annotation or a "
							+ "serializer: " + String.join(", ", hidden) + ".",
					"To keep them off the topic, set '" + OMIT + "." + this.reflector + "=" + String.join(",", hidden)
							+ "'; mirrors of the topic have null there. To publish them, remove what hides them.",
					null);
		}
	}

	private static String sorted(Set<String> names) {
		return names.stream().sorted().collect(Collectors.joining(", "));
	}

}

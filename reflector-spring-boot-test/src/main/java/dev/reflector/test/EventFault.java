package dev.reflector.test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/**
 * Faults of single events: the others are told properly. Without
 * {@link Fault#atEvent(int)} they are faults of the first event. On lists they are faults
 * of items.
 */
public final class EventFault {

	private EventFault() {
	}

	/**
	 * The event is of a type that does not exist.
	 * @return the fault
	 */
	public static Fault unknownType() {
		return changed((frame) -> frame.put("type", "FROBBED"));
	}

	/**
	 * The fields of the object, apart from its metadata, are texts.
	 * @return the fault
	 */
	public static Fault objectThatDoesNotFit() {
		return changedObject((object) -> {
			List<String> fields = List.copyOf(object.propertyNames());
			fields.stream()
				.filter((field) -> !List.of("apiVersion", "kind", "metadata").contains(field))
				.forEach((field) -> object.put(field, "does not fit"));
			return object.put("spec", "does not fit");
		});
	}

	/**
	 * The object has no metadata.
	 * @return the fault
	 */
	public static Fault objectWithoutMetadata() {
		return changedObject((object) -> object.without("metadata"));
	}

	/**
	 * The object has another field, which is large.
	 * @param bytes size of the field
	 * @return the fault
	 */
	public static Fault hugeObject(int bytes) {
		return withField("\"padding\":\"" + "x".repeat(bytes) + "\"");
	}

	/**
	 * The object has another field, which nests arrays.
	 * @param depth how many arrays there are in one another
	 * @return the fault
	 */
	public static Fault deepObject(int depth) {
		return withField("\"nested\":" + "[".repeat(depth) + "]".repeat(depth));
	}

	/**
	 * The event comes twice.
	 * @return the fault
	 */
	public static Fault duplicate() {
		return Fault.ofFrames((exchange) -> FramePlay.once((frame) -> Flux.just(frame, frame)));
	}

	/**
	 * Some events come in reverse order, as soon as the last of them is due.
	 * @param events how many events
	 * @return the fault
	 */
	public static Fault reordered(int events) {
		return Fault.ofFrames((exchange) -> {
			Deque<byte[]> held = new ArrayDeque<>();
			return (position, frame) -> {
				if (position >= events) {
					return Mono.just(frame);
				}
				held.push(frame);
				return (position == events - 1) ? Flux.fromIterable(held) : Mono.empty();
			};
		});
	}

	/**
	 * Something else comes ahead of the event, as it is: one frame, several, or what is
	 * none.
	 * @param text what to send
	 * @return the fault
	 */
	public static Fault preceded(String text) {
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		return Fault.ofFrames((exchange) -> FramePlay.insert(bytes));
	}

	/**
	 * A bookmark comes ahead of the event, which may be of any kind and version.
	 * @param apiVersion the group and version of its object
	 * @param kind the kind of its object
	 * @param resourceVersion its version, {@code null} for none
	 * @return the fault
	 */
	public static Fault bookmark(String apiVersion, String kind, @Nullable String resourceVersion) {
		ObjectNode frame = Json.object().put("type", "BOOKMARK");
		ObjectNode object = frame.putObject("object").put("kind", kind).put("apiVersion", apiVersion);
		ObjectNode metadata = object.putObject("metadata");
		if (resourceVersion != null) {
			metadata.put("resourceVersion", resourceVersion);
		}
		return Fault.ofFrames((exchange) -> FramePlay.insert(FramePlay.line(frame)));
	}

	/**
	 * The mark at the end of a streamed list, wherever it comes, is left out, as by a
	 * proxy that drops bookmarks. What follows is told.
	 * @return the fault
	 */
	public static Fault withoutEndMarker() {
		return Fault.ofFrames((exchange) -> (position, frame) -> marksTheEnd(frame) ? Mono.empty() : Mono.just(frame));
	}

	/**
	 * Where the mark at the end of a streamed list should come, the stream ends.
	 * @return the fault
	 */
	public static Fault endInPlaceOfEndMarker() {
		return Fault
			.ofFrames((exchange) -> (position, frame) -> marksTheEnd(frame) ? FramePlay.end() : Mono.just(frame));
	}

	/**
	 * The mark at the end of a streamed list, wherever it comes, has another value than
	 * {@code true}, which makes it an ordinary bookmark (W-28).
	 * @param value the value
	 * @return the fault
	 */
	public static Fault endMarkerSaying(String value) {
		return Fault.ofFrames((exchange) -> (position, frame) -> {
			if (!marksTheEnd(frame)) {
				return Mono.just(frame);
			}
			ObjectNode tree = Json.read(frame);
			Json.child(Json.child(Json.child(tree, "object"), "metadata"), "annotations")
				.put("k8s.io/initial-events-end", value);
			return Mono.just(FramePlay.line(tree));
		});
	}

	private static boolean marksTheEnd(byte[] frame) {
		String text = new String(frame, StandardCharsets.UTF_8);
		return text.startsWith("{\"type\":\"BOOKMARK\"") && text.contains("k8s.io/initial-events-end");
	}

	private static Fault changed(UnaryOperator<ObjectNode> change) {
		return Fault.ofFrames((exchange) -> FramePlay.change(change));
	}

	private static Fault changedObject(UnaryOperator<ObjectNode> change) {
		return changed((frame) -> {
			frame.set("object", change.apply(Json.child(frame, "object")));
			return frame;
		});
	}

	// as text, for the sake of fields that are no good as trees
	private static Fault withField(String field) {
		return Fault.ofFrames((exchange) -> FramePlay.once((frame) -> {
			String text = new String(frame, StandardCharsets.UTF_8).strip();
			String longer = text.substring(0, text.length() - 2) + "," + field + "}}\n";
			return Mono.just(longer.getBytes(StandardCharsets.UTF_8));
		}));
	}

}

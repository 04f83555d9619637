package dev.reflector.test;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

import dev.reflector.test.internal.api.Json;
import dev.reflector.test.internal.fault.FramePlay;
import dev.reflector.test.internal.fault.Reordering;
import dev.reflector.test.internal.format.WireFormat;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Faults that change single events of a watch or single items of a list. All other events
 * are sent properly. By default, the fault is played at the first event.
 * {@link Fault#atEvent(int)} chooses another event, and {@link Fault#fromEvent(int)}
 * chooses an event and all events after it. In a list, each item counts as an event.
 *
 * @since 0.1.0
 */
public final class EventFault {

	private EventFault() {
	}

	/**
	 * Gives the event a type that does not exist. The items of a list have no type, so
	 * this fault does not change lists.
	 * @return the fault
	 */
	public static Fault unknownType() {
		return Fault.ofFrames((exchange) -> exchange.received().isWatch()
				? FramePlay.change(exchange.format(), (frame) -> frame.put("type", "FROBBED"))
				: (position, frame) -> Mono.just(frame));
	}

	/**
	 * Replaces all fields of the object except its metadata by texts.
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
	 * Sends the object without metadata.
	 * @return the fault
	 */
	public static Fault objectWithoutMetadata() {
		return changedObject((object) -> object.without("metadata"));
	}

	/**
	 * Adds a large field to the object.
	 * @param bytes size of the field
	 * @return the fault
	 */
	public static Fault hugeObject(int bytes) {
		return withField((format, frame) -> format.withField(frame, "padding", StringNode.valueOf("x".repeat(bytes))));
	}

	/**
	 * Adds a field with nested arrays to the object.
	 * @param depth how deep the arrays are nested
	 * @return the fault
	 */
	public static Fault deepObject(int depth) {
		return withField((format, frame) -> format.withNesting(frame, "nested", depth));
	}

	/**
	 * Sends the event twice.
	 * @return the fault
	 */
	public static Fault duplicate() {
		return Fault.ofFrames((exchange) -> FramePlay.once((frame) -> Flux.just(frame, frame)));
	}

	/**
	 * Sends a group of events in reverse order. The group is sent when its last event is
	 * due, or when the answer ends. With {@link Fault#fromEvent(int)}, each later group
	 * of this size is also sent in reverse order.
	 * @param events the number of events in a group
	 * @return the fault
	 */
	public static Fault reordered(int events) {
		return Fault.ofFrames((exchange) -> new Reordering(events, false));
	}

	/**
	 * Sends a text before the event, without any conversion. The text may be one frame of
	 * JSON, several frames, or no JSON at all. Clients that want CBOR receive the same
	 * bytes.
	 * @param text the text to send
	 * @return the fault
	 */
	public static Fault preceded(String text) {
		return preceded(text.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Sends bytes before the event, without any conversion: for example a frame of CBOR,
	 * or bytes that are no CBOR.
	 * @param bytes the bytes to send
	 * @return the fault
	 */
	public static Fault preceded(byte[] bytes) {
		byte[] copy = bytes.clone();
		return Fault.ofFrames((exchange) -> FramePlay.insert(copy));
	}

	/**
	 * Sends a bookmark before the event. The bookmark may have any kind and version.
	 * @param apiVersion API group and version of the bookmark's object
	 * @param kind kind of the bookmark's object
	 * @param resourceVersion resource version of the bookmark, or {@code null} for none
	 * @return the fault
	 */
	public static Fault bookmark(String apiVersion, String kind, @Nullable String resourceVersion) {
		ObjectNode frame = Json.object().put("type", "BOOKMARK");
		ObjectNode object = frame.putObject("object").put("kind", kind).put("apiVersion", apiVersion);
		ObjectNode metadata = object.putObject("metadata");
		if (resourceVersion != null) {
			metadata.put("resourceVersion", resourceVersion);
		}
		return Fault.ofFrames((exchange) -> FramePlay.insert(exchange.format().frame(frame)));
	}

	/**
	 * Leaves out the bookmark that marks the end of a streamed list, like a proxy that
	 * drops bookmarks. This bookmark may come after the event at which the fault is
	 * played. Later events are sent.
	 * @return the fault
	 */
	public static Fault withoutEndMarker() {
		return Fault.ofFrames((exchange) -> (position, frame) -> marksTheEnd(exchange.format(), frame) ? Mono.empty()
				: Mono.just(frame));
	}

	/**
	 * Ends the stream in place of the bookmark that marks the end of a streamed list.
	 * @return the fault
	 */
	public static Fault endInPlaceOfEndMarker() {
		return Fault.ofFrames((exchange) -> (position, frame) -> marksTheEnd(exchange.format(), frame) ? FramePlay.end()
				: Mono.just(frame));
	}

	/**
	 * Changes the value of the annotation that marks the end of a streamed list. The
	 * bookmark with this annotation may come after the event at which the fault is
	 * played. With a value other than {@code true}, the bookmark does not mark the end.
	 * @param value the value
	 * @return the fault
	 */
	public static Fault endMarkerSaying(String value) {
		return Fault.ofFrames((exchange) -> (position, frame) -> {
			WireFormat format = exchange.format();
			if (!marksTheEnd(format, frame)) {
				return Mono.just(frame);
			}
			ObjectNode tree = format.read(frame);
			Json.child(Json.child(Json.child(tree, "object"), "metadata"), "annotations")
				.put("k8s.io/initial-events-end", value);
			return Mono.just(format.frame(tree));
		});
	}

	// the frame is searched as text, because another fault may have made it unreadable
	private static boolean marksTheEnd(WireFormat format, byte[] frame) {
		String text = new String(frame, StandardCharsets.ISO_8859_1);
		boolean bookmark = (format == WireFormat.CBOR) ? text.contains("BOOKMARK")
				: text.startsWith("{\"type\":\"BOOKMARK\"");
		return bookmark && text.contains("k8s.io/initial-events-end");
	}

	private static Fault changed(UnaryOperator<ObjectNode> change) {
		return Fault.ofFrames((exchange) -> FramePlay.change(exchange.format(), change));
	}

	private static Fault changedObject(UnaryOperator<ObjectNode> change) {
		return changed((frame) -> {
			frame.set("object", change.apply(Json.child(frame, "object")));
			return frame;
		});
	}

	private static Fault withField(BiFunction<WireFormat, byte[], byte[]> change) {
		return Fault.ofFrames((exchange) -> {
			WireFormat format = exchange.format();
			return FramePlay.once((frame) -> Mono.just(change.apply(format, frame)));
		});
	}

}

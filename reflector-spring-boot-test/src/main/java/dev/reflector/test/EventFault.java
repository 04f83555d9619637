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
 * Faults of single events: the others are sent properly. They are faults of the first
 * event, or with {@link Fault#atEvent(int)} of another one, or with
 * {@link Fault#fromEvent(int)} of each event from one on. On lists they are faults of
 * items.
 *
 * @since 0.1.0
 */
public final class EventFault {

	private EventFault() {
	}

	/**
	 * The event is of a type that does not exist. Items of lists have no type and stay as
	 * they are.
	 * @return the fault
	 */
	public static Fault unknownType() {
		return Fault.ofFrames((exchange) -> exchange.received().isWatch()
				? FramePlay.change(exchange.format(), (frame) -> frame.put("type", "FROBBED"))
				: (position, frame) -> Mono.just(frame));
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
		return withField((format, frame) -> format.withField(frame, "padding", StringNode.valueOf("x".repeat(bytes))));
	}

	/**
	 * The object has another field, which nests arrays.
	 * @param depth how many arrays there are in one another
	 * @return the fault
	 */
	public static Fault deepObject(int depth) {
		return withField((format, frame) -> format.withNesting(frame, "nested", depth));
	}

	/**
	 * The event comes twice.
	 * @return the fault
	 */
	public static Fault duplicate() {
		return Fault.ofFrames((exchange) -> FramePlay.once((frame) -> Flux.just(frame, frame)));
	}

	/**
	 * Some events come in reverse order, as soon as the last of them is due or the answer
	 * ends; with {@link Fault#fromEvent(int)}, so do the next ones.
	 * @param events how many events
	 * @return the fault
	 */
	public static Fault reordered(int events) {
		return Fault.ofFrames((exchange) -> new Reordering(events, false));
	}

	/**
	 * Something else comes ahead of the event, as it is: one frame of JSON, several, or
	 * what is none. Nothing is made of it for clients that want CBOR.
	 * @param text what to send
	 * @return the fault
	 */
	public static Fault preceded(String text) {
		return preceded(text.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Something else comes ahead of the event, as it is, such as a frame of CBOR, or what
	 * is none.
	 * @param bytes what to send
	 * @return the fault
	 */
	public static Fault preceded(byte[] bytes) {
		byte[] copy = bytes.clone();
		return Fault.ofFrames((exchange) -> FramePlay.insert(copy));
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
		return Fault.ofFrames((exchange) -> FramePlay.insert(exchange.format().frame(frame)));
	}

	/**
	 * The mark at the end of a streamed list, wherever it comes, is left out, as by a
	 * proxy that drops bookmarks. What follows is sent.
	 * @return the fault
	 */
	public static Fault withoutEndMarker() {
		return Fault.ofFrames((exchange) -> (position, frame) -> marksTheEnd(exchange.format(), frame) ? Mono.empty()
				: Mono.just(frame));
	}

	/**
	 * Where the mark at the end of a streamed list should come, the stream ends.
	 * @return the fault
	 */
	public static Fault endInPlaceOfEndMarker() {
		return Fault.ofFrames((exchange) -> (position, frame) -> marksTheEnd(exchange.format(), frame) ? FramePlay.end()
				: Mono.just(frame));
	}

	/**
	 * The mark at the end of a streamed list, wherever it comes, has another value than
	 * {@code true}, which makes it an ordinary bookmark.
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

	// by its text, as some frames can no longer be read
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

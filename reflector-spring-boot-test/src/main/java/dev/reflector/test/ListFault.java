package dev.reflector.test;

import java.io.ByteArrayOutputStream;
import java.util.function.BiConsumer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import tools.jackson.databind.node.ObjectNode;

/**
 * Faults of whole lists, or of pages of them, which are no mistakes of the server: the
 * protocol allows them, and clients must be ready for them. Watches are answered
 * properly.
 *
 * @since 0.1.0
 */
public final class ListFault {

	private ListFault() {
	}

	/**
	 * The page has no items, and a {@code continue} token all the same, with which the
	 * list goes on where it was: what the page should have had comes with the next one
	 * (W-16). {@code remainingItemCount} is left out.
	 * @return the fault
	 */
	public static Fault emptyPage() {
		return changed((exchange, list) -> {
			list.putArray("items");
			goOn(exchange, list);
		});
	}

	/**
	 * As {@link #emptyPage()}, and {@code items} is {@code null} instead of an empty
	 * array.
	 * @return the fault
	 */
	public static Fault nullItems() {
		return changed((exchange, list) -> {
			list.putNull("items");
			goOn(exchange, list);
		});
	}

	/**
	 * The list says that it is of another version, such as {@code ""} or {@code "0"} as
	 * from odd aggregated servers (W-22). It is told to the client only: the server goes
	 * on counting as before, and its {@code continue} tokens stay as they are.
	 * @param resourceVersion the version, {@code null} for none at all
	 * @return the fault
	 */
	public static Fault resourceVersion(@Nullable String resourceVersion) {
		return changed((exchange, list) -> {
			ObjectNode metadata = Json.child(list, "metadata");
			if (resourceVersion != null) {
				metadata.put("resourceVersion", resourceVersion);
			}
			else {
				metadata.remove("resourceVersion");
			}
		});
	}

	private static void goOn(Exchange exchange, ObjectNode list) {
		ObjectNode metadata = Json.child(list, "metadata");
		String asked = exchange.recorded().parameters().getOrDefault("continue", "");
		metadata.put("continue",
				asked.isEmpty() ? new ContinueToken(version(metadata), "", exchange.control().now()).encode() : asked);
		metadata.remove("remainingItemCount");
	}

	private static long version(ObjectNode metadata) {
		String version = Json.text(metadata, "resourceVersion");
		// another fault may have changed it
		return version.matches("[1-9]\\d*") ? Long.parseLong(version) : Parameters.NEWEST;
	}

	private static Fault changed(BiConsumer<Exchange, ObjectNode> change) {
		return Fault.ofAnswer((exchange, proper) -> proper.answer(exchange.recorded().isList()
				? exchange.tampered((chunks) -> changed(chunks, exchange, change)) : exchange));
	}

	private static Flux<ByteBuf> changed(Flux<ByteBuf> chunks, Exchange exchange,
			BiConsumer<Exchange, ObjectNode> change) {
		WireFormat format = exchange.format();
		return chunks.collect(ByteArrayOutputStream::new, ListFault::move).map((body) -> {
			ObjectNode list = format.read(body.toByteArray());
			change.accept(exchange, list);
			return Unpooled.wrappedBuffer(format.bytes(list, 0));
		}).flux();
	}

	private static void move(ByteArrayOutputStream body, ByteBuf chunk) {
		try {
			body.writeBytes(ByteBufUtil.getBytes(chunk));
		}
		finally {
			chunk.release();
		}
	}

}

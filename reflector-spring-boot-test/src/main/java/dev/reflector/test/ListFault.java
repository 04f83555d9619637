package dev.reflector.test;

import java.io.ByteArrayOutputStream;
import java.util.function.BiConsumer;

import dev.reflector.test.internal.api.Json;
import dev.reflector.test.internal.api.Parameters;
import dev.reflector.test.internal.exchange.ServerExchange;
import dev.reflector.test.internal.format.WireFormat;
import dev.reflector.test.internal.read.ContinueToken;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import tools.jackson.databind.node.ObjectNode;

/**
 * Faults of whole lists or of their pages. The protocol allows most of these answers, so
 * clients must handle them. Watches are answered properly.
 *
 * @since 0.1.0
 */
public final class ListFault {

	private ListFault() {
	}

	/**
	 * Sends a page without items but with a {@code continue} token. The token continues
	 * the list at the beginning of this page, so the items of this page come with the
	 * next page. No token is sent twice. {@code remainingItemCount} is left out.
	 * @return the fault
	 */
	public static Fault emptyPage() {
		return changed((exchange, list) -> {
			list.putArray("items");
			goOn(exchange, list);
		});
	}

	/**
	 * Like {@link #emptyPage()}, but {@code items} is {@code null} instead of an empty
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
	 * Sends the page with its items, but with a {@code continue} token that returns the
	 * same page again, so the list has no end. A correct server never sends such a token.
	 * @return the fault
	 */
	public static Fault repeatedToken() {
		return changed((exchange, list) -> {
			ObjectNode metadata = Json.child(list, "metadata");
			String asked = asked(exchange);
			metadata.put("continue", asked.isEmpty() ? beginning(exchange, metadata).encode() : asked);
		});
	}

	/**
	 * Sends an answer without errors that is another kind of list, or not a list.
	 * @param apiVersion API version of the answer, or {@code null} for none
	 * @param kind kind of the answer, or {@code null} for none
	 * @param items whether the answer has an empty array of items
	 * @return the fault
	 */
	public static Fault anotherKind(@Nullable String apiVersion, @Nullable String kind, boolean items) {
		return changed((exchange, list) -> {
			replace(list, "apiVersion", apiVersion);
			replace(list, "kind", kind);
			list.remove("items");
			if (items) {
				list.putArray("items");
			}
		});
	}

	private static void replace(ObjectNode list, String field, @Nullable String value) {
		list.remove(field);
		if (value != null) {
			list.put(field, value);
		}
	}

	/**
	 * Sends the list with another resource version, such as {@code ""} or {@code "0"},
	 * which some aggregated servers send. Only the version in this answer changes. Later
	 * versions and {@code continue} tokens of the server do not.
	 * @param resourceVersion the version, or {@code null} for none
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

	private static void goOn(ServerExchange exchange, ObjectNode list) {
		ObjectNode metadata = Json.child(list, "metadata");
		String asked = asked(exchange);
		ContinueToken token = asked.isEmpty() ? beginning(exchange, metadata) : ContinueToken.parse(asked).another();
		metadata.put("continue", token.encode());
		metadata.remove("remainingItemCount");
	}

	private static String asked(ServerExchange exchange) {
		return exchange.received().parameters().getOrDefault("continue", "");
	}

	private static ContinueToken beginning(ServerExchange exchange, ObjectNode metadata) {
		return new ContinueToken(version(metadata), "", exchange.control().now());
	}

	private static long version(ObjectNode metadata) {
		String version = Json.text(metadata, "resourceVersion");
		// the version may not be a number, because another fault may have changed it
		return version.matches("[1-9]\\d*") ? Long.parseLong(version) : Parameters.NEWEST;
	}

	private static Fault changed(BiConsumer<ServerExchange, ObjectNode> change) {
		return Fault.ofAnswer((exchange, proper) -> proper.answer(exchange.received().isList()
				? exchange.tampered((chunks) -> changed(chunks, exchange, change)) : exchange));
	}

	private static Flux<ByteBuf> changed(Flux<ByteBuf> chunks, ServerExchange exchange,
			BiConsumer<ServerExchange, ObjectNode> change) {
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

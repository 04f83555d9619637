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
 * Faults of whole lists, or of pages of them. Most are no mistakes of the server: the
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
	 * list continues where it was: what the page should have had comes with the next one
	 * No token is sent twice. {@code remainingItemCount} is left out.
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
	 * The page has its items, and a {@code continue} token with which it comes again: the
	 * list has no end. This one is a mistake.
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
	 * The answer is a proper one, but for another kind of list, or for none.
	 * @param apiVersion what it says that its version is, {@code null} for nothing
	 * @param kind what it says that its kind is, {@code null} for nothing
	 * @param items whether it has an array of items, which is empty
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
	 * The list says that it is of another version, such as {@code ""} or {@code "0"} as
	 * from odd aggregated servers. Only the client receives it: the server continues
	 * counting as before, and its {@code continue} tokens stay as they are.
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
		// another fault may have changed it
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

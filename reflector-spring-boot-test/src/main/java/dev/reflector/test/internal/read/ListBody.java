package dev.reflector.test.internal.read;

import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;

import dev.reflector.test.internal.api.Json;
import dev.reflector.test.internal.api.ServedType;
import dev.reflector.test.internal.exchange.Gzip;
import dev.reflector.test.internal.exchange.ServerExchange;
import dev.reflector.test.internal.format.ListEnvelope;
import dev.reflector.test.internal.format.Representation;
import dev.reflector.test.internal.format.View;
import dev.reflector.test.internal.format.WireFormat;
import dev.reflector.test.internal.options.ServerFeature;
import dev.reflector.test.internal.options.ServerOptions;
import dev.reflector.test.internal.store.CollectionState;
import dev.reflector.test.internal.store.ObjectRevision;
import dev.reflector.test.internal.store.Selection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import tools.jackson.databind.node.ObjectNode;

/**
 * The body of a list. It is composed of the bytes of objects that are rendered already.
 */
public final class ListBody {

	private static final int CHUNK = 64 * 1024;

	private static final Representation UNTYPED_JSON = new Representation(WireFormat.JSON, View.ITEM, "");

	private final ListEnvelope envelope;

	private final Representation representation;

	private final List<ObjectRevision> items;

	/** The number of bytes at the beginning of each object's JSON that are left out. */
	private final int opening;

	private ListBody(ListEnvelope envelope, Representation representation, List<ObjectRevision> items, int opening) {
		this.envelope = envelope;
		this.representation = representation;
		this.items = items;
		this.opening = opening;
	}

	/**
	 * Makes the body of one page.
	 * @param options the options of the server
	 * @param type the type
	 * @param page the page
	 * @param selection the requested part of the collection. If it has a label or field
	 * selector, the remaining items are not counted (W-17)
	 * @param representation the representation of the list
	 * @param since when the first page was read
	 * @return the body
	 */
	public static ListBody of(ServerOptions options, ServedType type, CollectionState.Page page, Selection selection,
			Representation representation, Instant since) {
		ObjectNode list = Json.object();
		ObjectNode metadata = metadata(options, type, page, selection, representation, since);
		if (representation.partial()) {
			list.put("kind", View.NAME + "List").put("apiVersion", View.GROUP + "/" + representation.version());
		}
		else {
			list.put("kind", type.kind() + "List").put("apiVersion", type.apiVersion());
		}
		// W-15: in lists of built-in types and of metadata, the items come last
		if (type.builtIn() || representation.partial()) {
			list.set("metadata", metadata);
		}
		if (representation.partial() && page.items().isEmpty()) {
			// W-16: null, as real servers write it
			list.putNull("items");
		}
		else {
			list.putArray("items");
		}
		if (!list.has("metadata")) {
			list.set("metadata", metadata);
		}
		ListEnvelope envelope = representation.format().envelope(list, page.items().size(), page.resourceVersion());
		Representation items = representation.forItems(type.builtIn());
		// the JSON without kind and API version is a part of the stored JSON, so it is
		// not rendered again
		return UNTYPED_JSON.equals(items)
				? new ListBody(envelope, Representation.PLAIN, page.items(), type.opening().length)
				: new ListBody(envelope, items, page.items(), 0);
	}

	private static ObjectNode metadata(ServerOptions options, ServedType type, CollectionState.Page page,
			Selection selection, Representation representation, Instant since) {
		ObjectNode metadata = Json.object().put("resourceVersion", Long.toString(page.resourceVersion()));
		boolean typed = type.builtIn() || representation.partial();
		if (page.more()) {
			String last = page.items().get(page.items().size() - 1).key();
			metadata.put("continue", new ContinueToken(page.resourceVersion(), last, since).encode());
			if (!selection.selective()) {
				metadata.put("remainingItemCount", page.remaining());
			}
		}
		else if (!typed) {
			metadata.put("continue", "");
		}
		boolean says = type.builtIn() ? !representation.partial()
				: options.has(ServerFeature.SHARD_INFO_ON_CUSTOM_RESOURCES);
		if (says && !selection.shard().ranges().isEmpty()) {
			// W-21: other sharded lists are filtered, but do not contain shardInfo, for
			// example lists of custom resources without the option for it
			metadata.putObject("shardInfo").put("selector", selection.shard().text());
		}
		return metadata;
	}

	/**
	 * Answers with the list. A small list is sent in one piece, a large list in parts and
	 * without content length. A very large list is compressed if the client accepts gzip.
	 * @param exchange the request to answer
	 * @return the answer
	 */
	public Publisher<Void> send(ServerExchange exchange) {
		String contentType = this.representation.format().contentType();
		long length = this.items.stream().mapToLong((item) -> item.as(this.representation).length).sum();
		if (length > CHUNK) {
			// W-63: only large bodies are compressed
			Gzip gzip = (length > Gzip.WORTHWHILE && exchange.acceptsGzip()) ? Gzip.WHOLE : null;
			return exchange.stream(contentType, Flux.<ByteBuf, Assembly>generate(Assembly::new, (assembly, sink) -> {
				byte[] chunk = assembly.next();
				if (chunk.length > 0) {
					sink.next(Unpooled.wrappedBuffer(chunk));
				}
				else {
					sink.complete();
				}
				return assembly;
			}), gzip);
		}
		ByteArrayOutputStream body = new ByteArrayOutputStream();
		Assembly assembly = new Assembly();
		for (byte[] chunk = assembly.next(); chunk.length > 0; chunk = assembly.next()) {
			body.writeBytes(chunk);
		}
		return exchange.bytes(200, contentType, body.toByteArray());
	}

	/**
	 * Writes the body chunk by chunk, and keeps the position.
	 */
	private final class Assembly {

		private final Iterator<ObjectRevision> rest = ListBody.this.items.iterator();

		private final int skipped = (ListBody.this.opening > 0) ? ListBody.this.opening
				: ListBody.this.representation.format().tag();

		private boolean opened;

		private boolean closed;

		byte[] next() {
			ByteArrayOutputStream chunk = new ByteArrayOutputStream();
			if (!this.opened) {
				this.opened = true;
				chunk.writeBytes(ListBody.this.envelope.opening());
			}
			while (this.rest.hasNext() && chunk.size() < CHUNK) {
				write(chunk, this.rest.next().as(ListBody.this.representation));
				if (this.rest.hasNext()) {
					chunk.writeBytes(ListBody.this.envelope.separator());
				}
			}
			if (!this.rest.hasNext() && !this.closed) {
				this.closed = true;
				chunk.writeBytes(ListBody.this.envelope.closing());
			}
			return chunk.toByteArray();
		}

		// W-15: in lists of built-in types, items have no kind and API version
		private void write(ByteArrayOutputStream chunk, byte[] object) {
			if (ListBody.this.opening > 0) {
				chunk.write('{');
			}
			chunk.write(object, this.skipped, object.length - this.skipped);
		}

	}

}

package dev.reflector.test;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import tools.jackson.databind.node.ObjectNode;

/**
 * The body of a list response, put together from objects that are rendered already.
 */
final class ListBody {

	private static final int CHUNK = 64 * 1024;

	private final ServedType type;

	private final byte[] metadata;

	private final List<StoredObject> items;

	/**
	 * Makes the body of one page.
	 * @param type the type
	 * @param page the page
	 * @param selection what was asked for; with selectors, nobody counts what remains
	 * (W-17)
	 */
	ListBody(ServedType type, Snapshot.Page page, Selection selection) {
		this.type = type;
		this.items = page.items();
		ObjectNode metadata = Json.object().put("resourceVersion", Long.toString(page.resourceVersion()));
		if (page.remaining() > 0) {
			String last = this.items.get(this.items.size() - 1).key();
			metadata.put("continue", new ContinueToken(page.resourceVersion(), last).encode());
			if (!selection.selective()) {
				metadata.put("remainingItemCount", page.remaining());
			}
		}
		else if (!type.builtIn()) {
			metadata.put("continue", "");
		}
		if (type.builtIn() && !selection.shard().ranges().isEmpty()) {
			// W-21: lists of custom resources are filtered without a word about it
			metadata.putObject("shardInfo").put("selector", selection.shard().text());
		}
		this.metadata = Json.bytes(metadata);
	}

	/**
	 * Answers with the list. A small one goes out in one piece, a big one as it comes and
	 * without content length, a very big one compressed when the client can read that.
	 * @param exchange the request to answer
	 * @return the answer
	 */
	Publisher<Void> send(Exchange exchange) {
		long length = this.items.stream().mapToLong((item) -> item.json().length).sum();
		if (length > CHUNK) {
			Gzip gzip = (length > Gzip.WORTHWHILE && Gzip.accepted(exchange)) ? Gzip.WHOLE : null;
			return exchange.stream(Flux.<ByteBuf, Assembly>generate(Assembly::new, (assembly, sink) -> {
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
		return exchange.bytes(200, Exchange.JSON, body.toByteArray());
	}

	/**
	 * The body in the making.
	 */
	private final class Assembly {

		private final Iterator<StoredObject> rest = ListBody.this.items.iterator();

		private final int skipped = ListBody.this.type.builtIn() ? ListBody.this.type.opening().length : 0;

		private boolean opened;

		private boolean closed;

		byte[] next() {
			ByteArrayOutputStream chunk = new ByteArrayOutputStream();
			if (!this.opened) {
				this.opened = true;
				open(chunk);
			}
			while (this.rest.hasNext() && chunk.size() < CHUNK) {
				write(chunk, this.rest.next().json());
				if (this.rest.hasNext()) {
					chunk.write(',');
				}
			}
			if (!this.rest.hasNext() && !this.closed) {
				this.closed = true;
				close(chunk);
			}
			return chunk.toByteArray();
		}

		// W-15: items of built-in lists do not say what they are
		private void write(ByteArrayOutputStream chunk, byte[] json) {
			if (this.skipped > 0) {
				chunk.write('{');
			}
			chunk.write(json, this.skipped, json.length - this.skipped);
		}

		private void open(ByteArrayOutputStream chunk) {
			ServedType type = ListBody.this.type;
			write(chunk, "{\"kind\":" + ServedType.quoted(type.kind() + "List") + ",\"apiVersion\":"
					+ ServedType.quoted(type.apiVersion()));
			if (type.builtIn()) {
				write(chunk, ",\"metadata\":");
				chunk.writeBytes(ListBody.this.metadata);
			}
			write(chunk, ",\"items\":[");
		}

		private void close(ByteArrayOutputStream chunk) {
			write(chunk, "]");
			if (!ListBody.this.type.builtIn()) {
				write(chunk, ",\"metadata\":");
				chunk.writeBytes(ListBody.this.metadata);
			}
			write(chunk, "}\n");
		}

		private static void write(ByteArrayOutputStream chunk, String text) {
			chunk.writeBytes(text.getBytes(StandardCharsets.UTF_8));
		}

	}

}

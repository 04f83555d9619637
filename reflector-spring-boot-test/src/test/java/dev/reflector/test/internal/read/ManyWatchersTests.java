package dev.reflector.test.internal.read;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many watchers of many objects: each gets all events.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ManyWatchersTests {

	private static final int OBJECTS = 3_000;

	private static final int WATCHERS = 300;

	private static final int FROM_THE_BEGINNING = 20;

	private static final int CHANGES = 100;

	private final List<Watcher> watchers = new ArrayList<>();

	@Test
	void everyWatcherSeesEveryEventInOrder() throws Exception {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.start(); Selector selector = Selector.open()) {
			ResourceCollection widgets = server.resources("widgets");
			IntStream.range(0, OBJECTS).forEach((i) -> widgets.create(Map.of("metadata", Map.of("name", "w" + i))));
			long before = Long.parseLong(server.resourceVersion());
			for (int i = 0; i < WATCHERS; i++) {
				String from = (i < FROM_THE_BEGINNING) ? "" : "&resourceVersion=" + before;
				this.watchers.add(Watcher.open(server.port(), selector, from));
			}
			Awaitility.await().until(() -> server.activeWatches() == WATCHERS);
			CompletableFuture<Void> reading = CompletableFuture.runAsync(() -> read(selector));
			for (int i = 0; i < CHANGES; i++) {
				widgets.mergePatch("default", "w" + i, Map.of("spec", Map.of("size", i)));
			}
			reading.join();
			assertThat(server.activeWatches()).isEqualTo(WATCHERS);
			List<Long> changes = IntStream.rangeClosed(1, CHANGES).mapToObj((i) -> before + i).toList();
			assertThat(this.watchers).allSatisfy((watcher) -> assertThat(watcher.modified).isEqualTo(changes));
			assertThat(this.watchers.subList(0, FROM_THE_BEGINNING))
				.allSatisfy((watcher) -> assertThat(watcher.added).isEqualTo(OBJECTS));
			assertThat(this.watchers.subList(FROM_THE_BEGINNING, WATCHERS))
				.allSatisfy((watcher) -> assertThat(watcher.added).isZero());
		}
		finally {
			for (Watcher watcher : this.watchers) {
				watcher.channel.close();
			}
		}
	}

	/** Reads until every watcher has seen as much as there is, or one was cut off. */
	private void read(Selector selector) {
		ByteBuffer buffer = ByteBuffer.allocate(256 * 1024);
		try {
			long waiting = this.watchers.size();
			while (waiting > 0) {
				selector.select();
				for (SelectionKey key : selector.selectedKeys()) {
					Watcher watcher = (Watcher) key.attachment();
					buffer.clear();
					if (watcher.channel.read(buffer) < 0) {
						throw new IllegalStateException("A watcher was cut off after " + watcher.modified);
					}
					boolean waited = watcher.modified.size() < CHANGES;
					watcher.take(StandardCharsets.US_ASCII.decode(buffer.flip()).toString());
					waiting -= (waited && watcher.modified.size() >= CHANGES) ? 1 : 0;
				}
				selector.selectedKeys().clear();
			}
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * One watcher and what it has seen. Lines are taken for frames; what HTTP writes
	 * between them is of no interest.
	 */
	private static final class Watcher {

		private static final String VERSION = "\"resourceVersion\":\"";

		private final SocketChannel channel;

		private final StringBuilder rest = new StringBuilder();

		private final List<Long> modified = new ArrayList<>();

		private int added;

		private Watcher(SocketChannel channel) {
			this.channel = channel;
		}

		static Watcher open(int port, Selector selector, String parameters) throws IOException {
			SocketChannel channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
			Watcher watcher = new Watcher(channel);
			channel.write(ByteBuffer
				.wrap(("GET /apis/example.com/v1/widgets?watch=true" + parameters + " HTTP/1.1\r\nHost: test\r\n\r\n")
					.getBytes(StandardCharsets.US_ASCII)));
			channel.configureBlocking(false);
			channel.register(selector, SelectionKey.OP_READ, watcher);
			return watcher;
		}

		void take(String text) {
			this.rest.append(text);
			int from = 0;
			for (int end = this.rest.indexOf("\n"); end >= 0; end = this.rest.indexOf("\n", from)) {
				line(this.rest.substring(from, end));
				from = end + 1;
			}
			this.rest.delete(0, from);
		}

		private void line(String line) {
			if (line.startsWith("{\"type\":\"ADDED\"")) {
				this.added++;
			}
			else if (line.startsWith("{\"type\":\"MODIFIED\"")) {
				int begin = line.indexOf(VERSION) + VERSION.length();
				this.modified.add(Long.parseLong(line.substring(begin, line.indexOf('"', begin))));
			}
		}

	}

}

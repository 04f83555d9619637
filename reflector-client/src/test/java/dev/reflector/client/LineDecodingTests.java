package dev.reflector.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

import dev.reflector.cache.source.CachedObjects;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.Clients.Widget;
import dev.reflector.client.internal.bind.ObjectBinder;
import dev.reflector.client.internal.bind.ServerObjectModule;
import dev.reflector.client.internal.decode.DecodedBody;
import dev.reflector.client.internal.decode.ExpectedType;
import dev.reflector.client.internal.decode.InitialEventsDecoder;
import dev.reflector.client.internal.decode.ObjectDecoder;
import dev.reflector.client.internal.decode.WatchDecoder;
import dev.reflector.client.internal.frame.Chunk;
import dev.reflector.client.internal.frame.Frame;
import dev.reflector.client.internal.frame.FrameDecoder;
import dev.reflector.client.internal.frame.Gunzip;
import dev.reflector.client.internal.frame.MalformedResponseException;
import dev.reflector.client.internal.frame.StreamFramer;
import dev.reflector.client.internal.frame.Unpacking;
import dev.reflector.client.internal.frame.WatchFramer;
import dev.reflector.fixture.LongForm;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that decoding a frame before its end is known has the same result as cutting the
 * bytes into frames first, for any bytes.
 */
class LineDecodingTests {

	private static final int LIMIT = 3000;

	private static final String START = "{\"kind\":\"Widget\",\"apiVersion\":\"example.com/v1\",";

	private static final String METADATA = "\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"7\"}";

	private static final String PLAIN = START + METADATA + ",\"other\":{\"deep\":[1,{\"a\":\"\\u0041\"},null,-1.5e3]}}";

	/** Lines that are frames, lines that look like frames, and other lines. */
	private static final List<String> LINES = List.of(event("ADDED", PLAIN) + "\n", event("MODIFIED", PLAIN) + "\n",
			event("DELETED", PLAIN) + "\n", event("MODIFIED", PLAIN) + "\r\n", event("MODIFIED", PLAIN),
			event("MODIFIED", PLAIN) + " \n", event("MODIFIED", PLAIN) + "\n\n" + event("ADDED", PLAIN) + "\n",
			event("MODIFIED", PLAIN) + event("DELETED", PLAIN) + "\n", event("MODIFIED", PLAIN + " ") + "\n",
			event("MODIFIED", START + METADATA + ",\n\"spec\":{}\n}") + "\n",
			event("MODIFIED", START + METADATA + "\n}") + "\n", event("MODIFIED", START + METADATA + "}}") + "\n",
			event("MODIFIED", START + METADATA) + "\n", event("MODIFIED", START + METADATA + ",\"other\":[}}") + "\n",
			event("MODIFIED", START + METADATA + ",\"other\":{\"a\" 1}}") + "\n",
			event("MODIFIED", START + METADATA + ",\"other\":01}") + "\n",
			event("MODIFIED", START + METADATA + ",\"other\":\"\u0001\"}") + "\n",
			event("MODIFIED", START + METADATA + ",\"other\":\"\u00e4\u20ac\ud83d\ude00\"}") + "\n",
			event("MODIFIED", START + METADATA + ",\"other\":\"" + "x".repeat(2 * LIMIT) + "\"}") + "\n",
			event("MODIFIED", START + METADATA + ",\"other\":" + "[".repeat(100) + "]".repeat(100) + "}") + "\n",
			event("MODIFIED", START + "\"metadata\":{\"name\":\"\"}}") + "\n",
			event("MODIFIED", START + "\"metadata\":null}") + "\n",
			event("MODIFIED", START + METADATA + ",\"spec\":[]}") + "\n",
			event("MODIFIED", PLAIN.replace("Widget", "Gadget")) + "\n", event("MODIFIED", "null") + "\n",
			event("MODIFIED", PLAIN + ",\"type\":\"DELETED\"") + "\n",
			event("MODIFIED", START + METADATA + "," + METADATA.replace("\"a\"", "\"b\"") + "}") + "\n",
			event("BOOKMARK", START + METADATA + "}") + "\n", event("OTHER", PLAIN) + "\n", "{}\n", "}\n", "[]}\n",
			"\n", "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"code\":410}}\n");

	private final WatchDecoder<Widget> decoder = new WatchDecoder<>(
			new ObjectDecoder<>(
					new ObjectBinder<>(ServerObjectModule.mapper(JsonMapper.builder().build()).readerFor(Widget.class),
							Widget.class),
					MetadataAccessor.forType(Widget.class), new ExpectedType(Clients.WIDGETS, false)));

	private static String event(String type, String object) {
		return "{\"type\":\"" + type + "\",\"object\":" + object + "}";
	}

	private static Frame frame(String text) {
		byte[] bytes = text.getBytes(UTF_8);
		return new Frame(bytes, 0, bytes.length, bytes.length, false);
	}

	@Test
	void everyLineMeansTheSameBeforeAndAfterCutting() {
		for (String line : LINES) {
			for (String text : List.of(line, event("ADDED", PLAIN) + "\n" + line + event("DELETED", PLAIN) + "\n")) {
				assertSame(text.getBytes(UTF_8), new Random(1), null);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8 })
	void streamsMeanTheSameWhenCutAndDamagedAnywhere(long seed) {
		Random random = new Random(seed);
		Widget held = ((WatchEvent.Added<Widget>) this.decoder.decode(frame(event("ADDED", PLAIN)), null)).object();
		for (int i = 0; i < LongForm.times(60, 40); i++) {
			ByteArrayOutputStream text = new ByteArrayOutputStream();
			for (int line = random.nextInt(6); line >= 0; line--) {
				text.writeBytes(LINES.get(random.nextInt(LINES.size())).getBytes(UTF_8));
			}
			byte[] bytes = text.toByteArray();
			if (random.nextBoolean()) {
				bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
			}
			assertSame(bytes, random, random.nextBoolean() ? (key, uid, version) -> held : null);
		}
	}

	private void assertSame(byte[] bytes, Random random, @Nullable CachedObjects<Widget> known) {
		assertSame(LIMIT, bytes, random, known, 200);
	}

	private void assertSame(int limit, byte[] bytes, Random random, @Nullable CachedObjects<Widget> known, int most) {
		InitialEventsDecoder<Widget> frames = new InitialEventsDecoder<>(this.decoder, known);
		List<Object> expected = read(limit, cut(bytes, random, bytes.length), Unpacking.NONE, frames::decode);
		for (List<DataBuffer> buffers : List.of(cut(bytes, random, bytes.length), cut(bytes, random, most))) {
			assertThat(read(limit, buffers, Unpacking.NONE, new InitialEventsDecoder<>(this.decoder, known)))
				.as(new String(bytes, StandardCharsets.ISO_8859_1))
				.usingRecursiveComparison()
				.isEqualTo(expected);
		}
		byte[] packed = gzip(bytes);
		assertThat(read(limit, cut(packed, random, 1 + packed.length / 5), new Gunzip(Integer.MAX_VALUE, true),
				new InitialEventsDecoder<>(this.decoder, known)))
			.as(new String(bytes, StandardCharsets.ISO_8859_1))
			.usingRecursiveComparison()
			.isEqualTo(expected);
	}

	private static byte[] gzip(byte[] bytes) {
		ByteArrayOutputStream packed = new ByteArrayOutputStream();
		try (GZIPOutputStream gzip = new GZIPOutputStream(packed, true)) {
			for (int from = 0; from < bytes.length; from += 150) {
				gzip.write(bytes, from, Math.min(150, bytes.length - from));
				gzip.flush();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return packed.toByteArray();
	}

	@Test
	void aFrameOfTheSizeThatIsAllowedMeansTheSame() {
		int most = LIMIT + StreamFramer.ENVELOPE;
		int rest = event("ADDED", START + METADATA + ",\"other\":\"\"}").length();
		for (int length = most - 2; length <= most + 2; length++) {
			String other = ",\"other\":\"" + "x".repeat(length - rest) + "\"}";
			assertSame((event("ADDED", START + METADATA + other) + "\n").getBytes(UTF_8), new Random(2), null);
		}
	}

	@Test
	void streamsMeanTheSameWithAnyDemand() {
		InitialEventsDecoder<Widget> decoder = new InitialEventsDecoder<>(this.decoder, null);
		byte[] bytes = (event("ADDED", PLAIN) + "\n" + event("DELETED", PLAIN) + event("MODIFIED", PLAIN) + "\n\n"
				+ event("MODIFIED", PLAIN) + "\n")
			.getBytes(UTF_8);
		Flux<WatchEvent<Widget>> events = new DecodedBody<>(Flux.fromIterable(cut(bytes, new Random(3), 100)),
				() -> Unpacking.NONE, new WatchFramer(LIMIT), decoder, Schedulers.immediate());
		assertThat(events.limitRate(1).map(WatchEvent::getClass).map(Class::getSimpleName).collectList().block())
			.containsExactly("Added", "Deleted", "Modified", "Modified");
	}

	@Test
	void aBodyThatEndsAnywhereMeansTheSame() {
		String line = event("ADDED", PLAIN) + "\n";
		for (String text : List.of(line + event("MODIFIED", PLAIN) + "\n" + event("DELETED", PLAIN),
				line + event("MODIFIED", PLAIN) + event("DELETED", PLAIN))) {
			byte[] bytes = text.getBytes(UTF_8);
			for (int length = line.length(); length <= bytes.length; length += LongForm.times(1, 3)) {
				byte[] beginning = Arrays.copyOf(bytes, length);
				InitialEventsDecoder<Widget> decoder = new InitialEventsDecoder<>(this.decoder, null);
				List<Object> expected = read(cut(beginning, new Random(4), length), decoder::decode);
				// before the first complete line, the server may not write lines at all
				List<DataBuffer> buffers = cut(line.getBytes(UTF_8), new Random(4), line.length());
				buffers.addAll(cut(Arrays.copyOfRange(bytes, line.length(), length), new Random(4), 150));
				assertThat(read(LIMIT, Flux.fromIterable(buffers), Unpacking.NONE, decoder)).usingRecursiveComparison()
					.isEqualTo(expected);
				Flux<DataBuffer> failing = Flux.fromIterable(cut(beginning, new Random(4), length))
					.concatWith(Flux.error(new IllegalStateException("lost")));
				assertThat(read(LIMIT, failing, Unpacking.NONE, decoder)).usingRecursiveComparison()
					.isEqualTo(lost(expected));
			}
		}
	}

	/** Returns the same result with another end: the connection is lost. */
	private static List<Object> lost(List<Object> read) {
		List<Object> lost = new ArrayList<>(read.subList(0, read.size() - 1));
		lost.addAll(List.of(IllegalStateException.class, "lost", read.get(read.size() - 1)));
		return lost;
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "\t", "\r\n" })
	void framesThatNoLongerEndWithALineWaitForTheEndOfABuffer(String end) {
		String frame = event("ADDED", PLAIN);
		String half = frame.substring(0, 90);
		String rest = frame.substring(90);
		List<WatchEvent<Widget>> events = new ArrayList<>();
		Sinks.Many<DataBuffer> body = subscribed(events);
		emit(body, frame + "\n" + frame + end + half);
		emit(body, rest + end + frame + end + half);
		emit(body, rest);
		assertThat(events).hasSize(5);
		emit(body, end + frame + end + half);
		assertThat(events).hasSize(6);
	}

	@Test
	void textThatBeginsNoFrameIsRefusedAtOnce() {
		List<WatchEvent<Widget>> events = new ArrayList<>();
		List<Throwable> failures = new ArrayList<>();
		Sinks.Many<DataBuffer> body = Sinks.many().unicast().onBackpressureBuffer();
		read(body).subscribe(events::add, failures::add);
		emit(body, event("ADDED", PLAIN) + "\noops");
		assertThat(events).hasSize(1);
		assertThat(failures).singleElement()
			.isInstanceOf(MalformedResponseException.class)
			.hasToString(new MalformedResponseException("a watch frame that is not a JSON object").toString());
	}

	private Flux<WatchEvent<Widget>> read(Sinks.Many<DataBuffer> body) {
		return new DecodedBody<>(body.asFlux(), () -> Unpacking.NONE, new WatchFramer(LIMIT),
				new InitialEventsDecoder<>(this.decoder, null), Schedulers.immediate());
	}

	private Sinks.Many<DataBuffer> subscribed(List<WatchEvent<Widget>> events) {
		Sinks.Many<DataBuffer> body = Sinks.many().unicast().onBackpressureBuffer();
		read(body).subscribe(events::add);
		return body;
	}

	private static void emit(Sinks.Many<DataBuffer> body, String text) {
		body.tryEmitNext(DefaultDataBufferFactory.sharedInstance.wrap(text.getBytes(UTF_8))).orThrow();
	}

	@Test
	void linesThatFillAChunkMeanTheSame() {
		int rest = event("ADDED", START + METADATA + ",\"other\":\"\"}").length();
		for (int length : new int[] { 5000, Chunk.CAPACITY - 2, Chunk.CAPACITY - 1, Chunk.CAPACITY, Chunk.CAPACITY + 1,
				2 * Chunk.CAPACITY, 3 * Chunk.CAPACITY + 5 }) {
			String other = ",\"other\":\"" + "x".repeat(length - rest) + "\"}";
			String line = event("ADDED", START + METADATA + other) + "\n";
			byte[] bytes = (event("ADDED", PLAIN) + "\n" + line + line + event("DELETED", PLAIN) + "\n")
				.getBytes(UTF_8);
			for (int most : new int[] { 100, 6000, 2 * Chunk.CAPACITY }) {
				assertSame(100_000, bytes, new Random(length), null, most);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "\n", "\r\n", " \n" })
	void aCompleteFrameIsDeliveredBeforeMoreBytesCome(String end) {
		List<WatchEvent<Widget>> events = new ArrayList<>();
		Sinks.Many<DataBuffer> body = subscribed(events);
		String line = event("ADDED", PLAIN) + "\n";
		String last = event("MODIFIED", PLAIN);
		emit(body, line + line);
		emit(body, last.substring(0, 90));
		emit(body, last.substring(90) + end);
		assertThat(events).hasSize(3);
		emit(body, last + last + end);
		assertThat(events).hasSize(5);
	}

	private static List<Object> read(List<DataBuffer> buffers, FrameDecoder<WatchEvent<Widget>> decoder) {
		return read(LIMIT, buffers, Unpacking.NONE, decoder);
	}

	private static List<Object> read(int limit, List<DataBuffer> buffers, Unpacking unpacking,
			FrameDecoder<WatchEvent<Widget>> decoder) {
		return read(limit, Flux.fromIterable(buffers), unpacking, decoder);
	}

	/**
	 * The events, the failure if there is one, and whether a frame is open at the end.
	 */
	private static List<Object> read(int limit, Flux<DataBuffer> body, Unpacking unpacking,
			FrameDecoder<WatchEvent<Widget>> decoder) {
		WatchFramer framer = new WatchFramer(limit);
		List<Object> read = new DecodedBody<>(body, () -> unpacking, framer, decoder, Schedulers.immediate())
			.cast(Object.class)
			.onErrorResume((ex) -> Flux.just(ex.getClass(), String.valueOf(ex.getMessage())))
			.collectList()
			.block();
		assertThat(read).isNotNull();
		List<Object> all = new ArrayList<>(read);
		all.add(framer.isInFrame());
		return all;
	}

	private static List<DataBuffer> cut(byte[] bytes, Random random, int most) {
		List<DataBuffer> buffers = new ArrayList<>();
		for (int from = 0; from < bytes.length;) {
			int to = Math.min(bytes.length, from + ((most == bytes.length) ? most : 1 + random.nextInt(most)));
			buffers.add(DefaultDataBufferFactory.sharedInstance.wrap(Arrays.copyOfRange(bytes, from, to)));
			from = to;
		}
		return buffers;
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void mostLinesOfServersAreDecodedAtOnceWhereverABufferEnds(boolean known) {
		Widget held = ((WatchEvent.Added<Widget>) this.decoder.decode(frame(event("ADDED", PLAIN)), null)).object();
		String first = event("ADDED", PLAIN) + "\n";
		byte[] bytes = (first + event("MODIFIED", PLAIN) + "\n" + event("DELETED", PLAIN) + "\n").getBytes(UTF_8);
		// before the first line, the server may not write lines at all
		for (int cut = first.length(); cut <= bytes.length; cut++) {
			if (bytes[cut - 1] == '}') {
				continue;
			}
			List<String> frames = new ArrayList<>();
			InitialEventsDecoder<Widget> decoder = new InitialEventsDecoder<>(this.decoder,
					known ? (key, uid, version) -> held : null);
			List<DataBuffer> buffers = Stream
				.of(Arrays.copyOf(bytes, cut), Arrays.copyOfRange(bytes, cut, bytes.length))
				.<DataBuffer>map(DefaultDataBufferFactory.sharedInstance::wrap)
				.toList();
			List<Object> events = read(buffers, new FrameDecoder<>() {

				@Override
				public WatchEvent<Widget> decode(Frame frame) {
					frames.add("cut");
					return decoder.decode(frame);
				}

				@Override
				public @Nullable WatchEvent<Widget> decodeAhead(Frame ahead) {
					return decoder.decodeAhead(ahead);
				}

			});
			assertThat(events).hasSize(4);
			assertThat(((WatchEvent.Modified<?>) events.get(1)).object() == held).isEqualTo(known);
			assertThat(frames).isEmpty();
		}
	}

}

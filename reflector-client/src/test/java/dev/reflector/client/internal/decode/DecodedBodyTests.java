package dev.reflector.client.internal.decode;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.reflector.cache.source.JvmFailureException;
import dev.reflector.cache.source.RequestListener;
import dev.reflector.client.fixture.Gzip;
import dev.reflector.client.internal.frame.Chunk;
import dev.reflector.client.internal.frame.Frame;
import dev.reflector.client.internal.frame.FrameDecoder;
import dev.reflector.client.internal.frame.Gunzip;
import dev.reflector.client.internal.frame.MalformedResponseException;
import dev.reflector.client.internal.frame.Unpacking;
import dev.reflector.client.internal.frame.WatchFramer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.publisher.TestPublisher;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.NettyDataBufferFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link DecodedBody}.
 */
class DecodedBodyTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private final Scheduler scheduler = Schedulers.newParallel("decode", 2);

	private final NettyDataBufferFactory factory = new NettyDataBufferFactory(Unpooled.buffer().alloc());

	/** The number of buffers in use. */
	private final AtomicInteger unpackings = new AtomicInteger();

	private final List<ByteBuf> buffers = Collections.synchronizedList(new ArrayList<>());

	@AfterEach
	void dispose() {
		this.scheduler.dispose();
	}

	@Test
	void decodesOneFrameAfterTheOtherWhereverBuffersEnd() {
		String text = IntStream.range(0, 2000).mapToObj(DecodedBodyTests::frame).collect(Collectors.joining());
		for (int size : new int[] { 1, 10, 1000, 100_000 }) {
			List<String> decoded = read(cut(text, size)).collectList().block(LIMIT);
			assertThat(decoded).hasSize(2000).endsWith(frame(1999));
			assertThat(String.join("", decoded)).isEqualTo(text);
			assertAllReleased();
		}
	}

	@Test
	void alwaysDecodesOnAThreadOfTheScheduler() {
		List<String> threads = new ArrayList<>();
		Flux<DataBuffer> body = cut(frame(1).repeat(300), 40);
		FrameDecoder<String> decoder = (frame) -> {
			threads.add(Thread.currentThread().getName());
			return text(frame);
		};
		read(body, Unpacking.NONE, decoder).limitRate(7).blockLast(LIMIT);
		assertThat(threads).hasSize(300).allMatch((name) -> name.startsWith("decode-"));
	}

	@Test
	void takesNoMoreBuffersThanItHasRoomForAndDecodesNoMoreThanIsAskedFor() {
		TestPublisher<DataBuffer> body = TestPublisher.create();
		List<String> received = new CopyOnWriteArrayList<>();
		BaseSubscriber<String> subscriber = subscriber(received);
		read(body.flux()).subscribe(subscriber);
		body.assertMinRequested(DecodedBody.PREFETCH);
		for (int i = 0; i < DecodedBody.PREFETCH; i++) {
			body.next(buffer(frame(i)));
		}
		subscriber.request(3);
		Awaitility.await().atMost(LIMIT).until(() -> received.size() == 3);
		subscriber.request(DecodedBody.PREFETCH);
		Awaitility.await().atMost(LIMIT).until(() -> received.size() == DecodedBody.PREFETCH);
		assertThat(received).containsExactlyElementsOf(
				IntStream.range(0, DecodedBody.PREFETCH).mapToObj(DecodedBodyTests::frame).toList());
		Awaitility.await().atMost(LIMIT).untilAsserted(this::assertAllReleased);
		subscriber.cancel();
		body.assertCancelled();
	}

	@Test
	void theListenerIsCalledAtBeginAndEndOfABurst() {
		AtomicInteger open = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		RequestListener burst = new RequestListener() {

			@Override
			public void burstBegins() {
				open.incrementAndGet();
			}

			@Override
			public void burstEnds() {
				open.decrementAndGet();
			}

		};
		List<Integer> within = new CopyOnWriteArrayList<>();
		TestPublisher<DataBuffer> body = TestPublisher.create();
		Disposable reading = read(body.flux()).doOnNext((frame) -> {
			within.add(open.get());
			most.accumulateAndGet(open.get(), Math::max);
			if (frame.equals(frame(7))) {
				throw new IllegalStateException("no such frame");
			}
		}).contextWrite((context) -> RequestListener.in(context, burst)).subscribe((next) -> {
		}, (failure) -> {
		});
		body.next(buffer(frame(1) + frame(2) + "{"));
		Awaitility.await().atMost(LIMIT).until(() -> within.size() == 2 && open.get() == 0);
		body.next(buffer("}" + frame(7)));
		Awaitility.await().atMost(LIMIT).until(() -> reading.isDisposed() && open.get() == 0);
		assertThat(within).containsOnly(1).hasSize(4);
		assertThat(most).hasValue(1);
	}

	@Test
	void deliversFramesThatCameBeforeAFailure() {
		Flux<DataBuffer> body = cut(frame(1) + frame(2), 5).concatWith(Flux.error(new IllegalStateException("lost")));
		List<String> received = new CopyOnWriteArrayList<>();
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> read(body).doOnNext(received::add).blockLast(LIMIT))
			.withMessage("lost");
		assertThat(received).containsExactly(frame(1), frame(2));
		assertAllReleased();
	}

	@Test
	void endsWithAnErrorAtInvalidBytes() {
		TestPublisher<DataBuffer> body = TestPublisher.create();
		List<String> received = new CopyOnWriteArrayList<>();
		Flux<String> decoded = read(body.flux()).doOnNext(received::add);
		Sinks.One<Throwable> failure = Sinks.one();
		decoded.subscribe((next) -> {
		}, failure::tryEmitValue);
		body.next(buffer(frame(1) + "nonsense" + frame(2)));
		assertThat(failure.asMono().block(LIMIT)).isInstanceOf(MalformedResponseException.class);
		body.assertCancelled();
		assertThat(received).containsExactly(frame(1));
		Awaitility.await().atMost(LIMIT).untilAsserted(this::assertAllReleased);
	}

	@Test
	void endsWithTheExceptionOfTheDecoder() {
		Flux<DataBuffer> body = cut(frame(1).repeat(50), 100);
		FrameDecoder<String> decoder = (frame) -> {
			throw new OutOfMemoryError("made up");
		};
		Sinks.One<Throwable> failure = Sinks.one();
		read(body, Unpacking.NONE, decoder).subscribe((next) -> {
		}, failure::tryEmitValue);
		// Reactor would throw such an error instead of passing it on
		assertThat(failure.asMono().block(LIMIT)).isInstanceOf(JvmFailureException.class)
			.hasCauseInstanceOf(OutOfMemoryError.class);
		Awaitility.await().atMost(LIMIT).untilAsserted(this::assertAllReleased);
	}

	@Test
	void refusesBuffersThatWereNotRequested() {
		TestPublisher<DataBuffer> body = TestPublisher.createNoncompliant(TestPublisher.Violation.REQUEST_OVERFLOW);
		Sinks.One<Throwable> failure = Sinks.one();
		List<String> received = new CopyOnWriteArrayList<>();
		BaseSubscriber<String> subscriber = subscriber(received);
		AtomicBoolean cancelled = new AtomicBoolean();
		read(body.flux().doOnCancel(() -> cancelled.set(true))).doOnError(failure::tryEmitValue).subscribe(subscriber);
		for (int i = 0; !cancelled.get(); i++) {
			// the decoder may already have taken one
			assertThat(i).isLessThan(DecodedBody.PREFETCH + 2);
			body.next(buffer(frame(i)));
		}
		subscriber.request(Long.MAX_VALUE);
		assertThat(failure.asMono().block(LIMIT)).hasMessageContaining("more buffers than were requested");
		Awaitility.await().atMost(LIMIT).untilAsserted(this::assertAllReleased);
	}

	@Test
	void failsWhenTheSchedulerRejectsTheTask() {
		TestPublisher<DataBuffer> body = TestPublisher.create();
		Sinks.One<Throwable> failure = Sinks.one();
		read(body.flux()).doOnError(failure::tryEmitValue).subscribe(subscriber(new ArrayList<>()));
		this.scheduler.dispose();
		body.next(buffer(frame(1)));
		assertThat(failure.asMono().block(LIMIT)).isInstanceOf(RejectedExecutionException.class);
		body.assertCancelled();
		assertAllReleased();
	}

	@Test
	void releasesAllWheneverItIsCancelled() {
		Random random = new Random(7);
		byte[] text = frame(1).repeat(2000).getBytes(StandardCharsets.UTF_8);
		byte[] members = gzip(500);
		for (int i = 0; i < 300; i++) {
			boolean compressed = i % 2 == 0;
			Flux<DataBuffer> body = cut(compressed ? members : text, 1 + random.nextInt(200))
				.subscribeOn(Schedulers.boundedElastic());
			Disposable reading = (compressed ? inflate(body) : read(body)).subscribe();
			// cancelled at a random time
			LockSupport.parkNanos(random.nextInt(300_000));
			reading.dispose();
		}
		awaitAllGivenBack();
	}

	@Test
	void inflatesWhereverBuffersEnd() {
		String text = IntStream.range(0, 300).mapToObj(DecodedBodyTests::frame).collect(Collectors.joining());
		for (byte[] body : List.of(gzip(300), Gzip.of(text))) {
			for (int size : new int[] { 1, 10, 1000, 100_000 }) {
				List<String> decoded = inflate(cut(body, size)).collectList().block(LIMIT);
				assertThat(decoded).hasSize(300);
				assertThat(String.join("", decoded)).isEqualTo(text);
				awaitAllGivenBack();
			}
		}
	}

	@Test
	void deliversInflatedFramesBeforeAnIncompleteOrInvalidEnd() {
		byte[] good = gzip(2);
		byte[] damaged = Arrays.copyOf(good, good.length + 10);
		for (byte[] body : List.of(damaged, Arrays.copyOf(good, good.length - 1))) {
			List<String> received = new CopyOnWriteArrayList<>();
			assertThatExceptionOfType(MalformedResponseException.class)
				.isThrownBy(() -> inflate(cut(body, 1000)).doOnNext(received::add).blockLast(LIMIT))
				.withMessageContaining("compressed body");
			assertThat(received).containsExactly(frame(0), frame(1));
			awaitAllGivenBack();
		}
	}

	@Test
	void aFailureTakesPrecedenceOverAnIncompleteBody() {
		Flux<DataBuffer> body = cut(Arrays.copyOf(gzip(1), 12), 5)
			.concatWith(Flux.error(new IllegalStateException("lost")));
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> inflate(body).blockLast(LIMIT))
			.withMessage("lost");
		awaitAllGivenBack();
	}

	@Test
	void stopsUnpackingWithinABufferWhenCancelled() {
		CountDownLatch begun = new CountDownLatch(1);
		Unpacking endless = (chunk, buffer) -> {
			begun.countDown();
			chunk.makeRoom();
			Arrays.fill(chunk.bytes, (byte) ' ');
			chunk.end = chunk.bytes.length;
			return false;
		};
		Disposable reading = read(cut(frame(1), 1000), endless, DecodedBodyTests::text)
			.subscribeOn(Schedulers.boundedElastic())
			.subscribe();
		assertThat(await(begun)).isTrue();
		reading.dispose();
		awaitAllGivenBack();
	}

	@Test
	void leavesTheBodyWhenThereIsNoWorker() {
		Scheduler full = new Scheduler() {

			@Override
			public Disposable schedule(Runnable task) {
				throw new RejectedExecutionException("full");
			}

			@Override
			public Worker createWorker() {
				throw new RejectedExecutionException("full");
			}

		};
		TestPublisher<DataBuffer> body = TestPublisher.create();
		assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> new DecodedBody<>(body.flux(),
				() -> counted(Unpacking.NONE), new WatchFramer(1000), DecodedBodyTests::text, full)
			.blockLast(LIMIT));
		body.assertCancelled();
		assertThat(this.unpackings).hasValue(0);
	}

	private static boolean await(CountDownLatch latch) {
		try {
			return latch.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private Flux<String> read(Flux<DataBuffer> body) {
		return read(body, Unpacking.NONE, DecodedBodyTests::text);
	}

	private Flux<String> inflate(Flux<DataBuffer> body) {
		return read(body, new Gunzip(1024 * 1024, false), DecodedBodyTests::text);
	}

	private <R> Flux<R> read(Flux<DataBuffer> body, Unpacking unpacking, FrameDecoder<R> decoder) {
		return new DecodedBody<>(body, () -> counted(unpacking), new WatchFramer(1000), decoder, this.scheduler);
	}

	private Unpacking counted(Unpacking unpacking) {
		this.unpackings.incrementAndGet();
		AtomicBoolean closed = new AtomicBoolean();
		return new Unpacking() {

			@Override
			public boolean fill(Chunk chunk, DataBuffer buffer) {
				assertThat(closed).isFalse();
				assertThat(Thread.currentThread().getName()).startsWith("decode-");
				return unpacking.fill(chunk, buffer);
			}

			@Override
			public void finish() {
				unpacking.finish();
			}

			@Override
			public void close() {
				unpacking.close();
				if (closed.compareAndSet(false, true)) {
					DecodedBodyTests.this.unpackings.decrementAndGet();
				}
			}

		};
	}

	private static byte[] gzip(int frames) {
		ByteArrayOutputStream members = new ByteArrayOutputStream();
		for (int i = 0; i < frames; i++) {
			members.writeBytes(Gzip.of(frame(i)));
		}
		return members.toByteArray();
	}

	/** Makes buffers only on request, so that all existing ones were delivered. */
	private Flux<DataBuffer> cut(String text, int size) {
		return cut(text.getBytes(StandardCharsets.UTF_8), size);
	}

	private Flux<DataBuffer> cut(byte[] bytes, int size) {
		return Flux.range(0, (bytes.length + size - 1) / size)
			.map((i) -> buffer(Arrays.copyOfRange(bytes, i * size, Math.min(bytes.length, (i + 1) * size))));
	}

	private DataBuffer buffer(String text) {
		return buffer(text.getBytes(StandardCharsets.UTF_8));
	}

	private DataBuffer buffer(byte[] bytes) {
		ByteBuf buffer = Unpooled.directBuffer().writeBytes(bytes);
		this.buffers.add(buffer);
		return this.factory.wrap(buffer);
	}

	private void awaitAllGivenBack() {
		Awaitility.await().atMost(LIMIT).untilAsserted(() -> {
			assertAllReleased();
			assertThat(this.unpackings).hasValue(0);
		});
	}

	private void assertAllReleased() {
		assertThat(List.copyOf(this.buffers)).extracting(ByteBuf::refCnt).containsOnly(0);
	}

	private static BaseSubscriber<String> subscriber(List<String> received) {
		return new BaseSubscriber<>() {

			@Override
			protected void hookOnSubscribe(Subscription subscription) {
				// requested by the test
			}

			@Override
			protected void hookOnNext(String next) {
				received.add(next);
			}

			@Override
			protected void hookOnError(Throwable failure) {
				// checked by the test
			}

		};
	}

	private static String frame(int number) {
		return "{\"number\":" + number + "}";
	}

	private static String text(Frame frame) {
		return new String(frame.bytes(), frame.offset(), frame.length(), StandardCharsets.UTF_8);
	}

}

package dev.reflector.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.IntStream;

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

	private final List<ByteBuf> buffers = Collections.synchronizedList(new ArrayList<>());

	@AfterEach
	void dispose() {
		this.scheduler.dispose();
	}

	@Test
	void decodesOneFrameAfterTheOtherWhereverBuffersEnd() {
		String text = IntStream.range(0, 2000).mapToObj(DecodedBodyTests::frame).reduce("", String::concat);
		for (int size : new int[] { 1, 10, 1000, 100_000 }) {
			List<String> decoded = read(cut(text, size)).collectList().block(LIMIT);
			assertThat(decoded).hasSize(2000).endsWith(frame(1999));
			assertThat(String.join("", decoded)).isEqualTo(text);
			assertAllReleased();
		}
	}

	@Test
	void decodesOnAThreadOfTheSchedulerWhoeverAsks() {
		List<String> threads = new ArrayList<>();
		Flux<DataBuffer> body = cut(frame(1).repeat(300), 40);
		Function<Frame, String> decoder = (frame) -> {
			threads.add(Thread.currentThread().getName());
			return text(frame);
		};
		new DecodedBody<>(body, new WatchFramer(1000), decoder, this.scheduler).limitRate(7).blockLast(LIMIT);
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
	void deliversWhatCameBeforeAFailure() {
		Flux<DataBuffer> body = cut(frame(1) + frame(2), 5).concatWith(Flux.error(new IllegalStateException("lost")));
		List<String> received = new CopyOnWriteArrayList<>();
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> read(body).doOnNext(received::add).blockLast(LIMIT))
			.withMessage("lost");
		assertThat(received).containsExactly(frame(1), frame(2));
		assertAllReleased();
	}

	@Test
	void endsWithWhatMakesNoSense() {
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
	void endsWithWhatTheDecoderThrows() {
		Flux<DataBuffer> body = cut(frame(1).repeat(50), 100);
		Function<Frame, String> decoder = (frame) -> {
			throw new OutOfMemoryError("made up");
		};
		Sinks.One<Throwable> failure = Sinks.one();
		new DecodedBody<>(body, new WatchFramer(1000), decoder, this.scheduler).subscribe((next) -> {
		}, failure::tryEmitValue);
		assertThat(failure.asMono().block(LIMIT)).isInstanceOf(OutOfMemoryError.class);
		Awaitility.await().atMost(LIMIT).untilAsserted(this::assertAllReleased);
	}

	@Test
	void refusesWhatItHasNotAskedFor() {
		TestPublisher<DataBuffer> body = TestPublisher.createNoncompliant(TestPublisher.Violation.REQUEST_OVERFLOW);
		Sinks.One<Throwable> failure = Sinks.one();
		List<String> received = new CopyOnWriteArrayList<>();
		BaseSubscriber<String> subscriber = subscriber(received);
		AtomicBoolean cancelled = new AtomicBoolean();
		read(body.flux().doOnCancel(() -> cancelled.set(true))).doOnError(failure::tryEmitValue).subscribe(subscriber);
		for (int i = 0; !cancelled.get(); i++) {
			// the decoder may have taken one
			assertThat(i).isLessThan(DecodedBody.PREFETCH + 2);
			body.next(buffer(frame(i)));
		}
		subscriber.request(Long.MAX_VALUE);
		assertThat(failure.asMono().block(LIMIT)).hasMessageContaining("more buffers than were asked for");
		Awaitility.await().atMost(LIMIT).untilAsserted(this::assertAllReleased);
	}

	@Test
	void failsWhenThereIsNoThreadAnyMore() {
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
		String text = frame(1).repeat(2000);
		for (int i = 0; i < 300; i++) {
			Disposable reading = read(cut(text, 1 + random.nextInt(200)).subscribeOn(Schedulers.boundedElastic()))
				.subscribe();
			// any moment of its life
			LockSupport.parkNanos(random.nextInt(300_000));
			reading.dispose();
		}
		Awaitility.await().atMost(LIMIT).untilAsserted(this::assertAllReleased);
	}

	private Flux<String> read(Flux<DataBuffer> body) {
		return new DecodedBody<>(body, new WatchFramer(1000), DecodedBodyTests::text, this.scheduler);
	}

	/** Makes its buffers as they are asked for, so that all that exist were delivered. */
	private Flux<DataBuffer> cut(String text, int size) {
		return Flux.range(0, (text.length() + size - 1) / size)
			.map((i) -> buffer(text.substring(i * size, Math.min(text.length(), (i + 1) * size))));
	}

	private DataBuffer buffer(String text) {
		ByteBuf buffer = Unpooled.directBuffer().writeBytes(text.getBytes(StandardCharsets.UTF_8));
		this.buffers.add(buffer);
		return this.factory.wrap(buffer);
	}

	private void assertAllReleased() {
		assertThat(List.copyOf(this.buffers)).extracting(ByteBuf::refCnt).containsOnly(0);
	}

	private static BaseSubscriber<String> subscriber(List<String> received) {
		return new BaseSubscriber<>() {

			@Override
			protected void hookOnSubscribe(Subscription subscription) {
				// asked for by the test
			}

			@Override
			protected void hookOnNext(String next) {
				received.add(next);
			}

			@Override
			protected void hookOnError(Throwable failure) {
				// looked at by the test
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

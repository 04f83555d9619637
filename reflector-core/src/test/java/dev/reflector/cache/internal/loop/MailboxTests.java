package dev.reflector.cache.internal.loop;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.RequestObserver;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.fixture.ManualTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The thread that waits for messages is woken when there are some, and once for all
 * messages of a burst.
 */
@Timeout(60)
class MailboxTests {

	private static final ResourceAccessor<String> NO_METADATA = new ResourceAccessor<>() {

		@Override
		public ResourceKey key(String object) {
			throw new UnsupportedOperationException();
		}

		@Override
		public String resourceVersion(String object) {
			throw new UnsupportedOperationException();
		}

	};

	/** Whether a frame is handled by the thread that brings it. */
	private volatile Predicate<LoopMessage.ReceivedFrame<String>> direct = (frame) -> false;

	private final Mailbox<String> mailbox = new Mailbox<>(handling((frame) -> this.direct.test(frame)));

	private final BlockingQueue<Long> taken = new LinkedBlockingQueue<>();

	private final Thread loop = new Thread(this::take);

	private final Mailbox.WatchSubscriber<String> source = source();

	private volatile boolean interrupted;

	private Mailbox.WatchSubscriber<String> source() {
		Mailbox.WatchSubscriber<String> source = new Mailbox.WatchSubscriber<>(this.mailbox, 0, RequestObserver.NONE,
				NO_METADATA, new ManualTime());
		Flux.<WatchEvent<String>>never().subscribe(source);
		return source;
	}

	@BeforeEach
	void start() {
		this.loop.start();
		awaitRest();
	}

	@AfterEach
	void end() throws InterruptedException {
		this.loop.interrupt();
		this.loop.join();
		assertThat(this.interrupted).isTrue();
	}

	static <T> Mailbox.Direct<T> handling(Predicate<LoopMessage.ReceivedFrame<T>> frames) {
		return new Mailbox.Direct<>() {

			@Override
			public boolean receiveDirectly(LoopMessage.ReceivedFrame<T> frame) {
				return frames.test(frame);
			}

			@Override
			public void handOver() {
				// nothing follows here
			}

		};
	}

	private void take() {
		this.mailbox.enter();
		try {
			while (true) {
				this.taken.add(number(this.mailbox.take()));
			}
		}
		catch (InterruptedException ex) {
			this.interrupted = true;
		}
		finally {
			this.mailbox.leave();
		}
	}

	private static long number(LoopMessage<String> message) {
		return (message instanceof LoopMessage.ReceivedFrame<String> frame
				&& frame.event() instanceof WatchEvent.Bookmark<String> bookmark)
						? Long.parseLong(bookmark.resourceVersion())
						: ((LoopMessage.Result<String>) message).activity();
	}

	private void awaitRest() {
		await().until(() -> this.loop.getState() == Thread.State.WAITING);
	}

	private void frame(long number) {
		frame(this.source, number);
	}

	private static void frame(Mailbox.WatchSubscriber<String> source, long number) {
		source.onNext(new WatchEvent.Bookmark<>(Long.toString(number), false));
	}

	private void assertTaken(long... numbers) throws InterruptedException {
		for (long number : numbers) {
			assertThat(this.taken.poll(30, TimeUnit.SECONDS)).isEqualTo(number);
		}
		assertThat(this.taken).isEmpty();
		// otherwise the thread could take the next message without being woken
		awaitRest();
	}

	@Test
	void aSingleFrameIsTakenAtOnce() throws InterruptedException {
		frame(1);
		assertTaken(1);
	}

	@Test
	void theFramesOfABurstAreTakenWhenItHasEnded() throws InterruptedException {
		this.source.burstBegins();
		frame(1);
		frame(2);
		awaitRest();
		assertThat(this.taken).isEmpty();
		this.source.burstEnds();
		assertTaken(1, 2);
	}

	@Test
	void otherMessagesDoNotWaitForABurst() throws InterruptedException {
		this.source.burstBegins();
		frame(1);
		this.mailbox.post(new LoopMessage.Closed<>(2, false));
		assertTaken(1, 2);
		this.source.burstEnds();
	}

	@Test
	void theBurstOfOneWatchDoesNotDelayAnother() throws InterruptedException {
		Mailbox.WatchSubscriber<String> other = source();
		other.burstBegins();
		frame(1);
		assertTaken(1);
		frame(other, 2);
		awaitRest();
		assertThat(this.taken).isEmpty();
		frame(3);
		assertTaken(2, 3);
		other.burstEnds();
	}

	@Test
	void disposingAWatchEndsItsBurst() throws InterruptedException {
		this.source.burstBegins();
		frame(1);
		awaitRest();
		assertThat(this.taken).isEmpty();
		this.source.dispose();
		assertTaken(1);
	}

	@Test
	void surplusEndsOfABurstAreIgnored() throws InterruptedException {
		this.source.burstEnds();
		this.source.burstBegins();
		this.source.burstEnds();
		this.source.burstEnds();
		frame(1);
		assertTaken(1);
		this.source.burstBegins();
		frame(2);
		awaitRest();
		assertThat(this.taken).isEmpty();
		this.source.burstEnds();
		assertTaken(2);
	}

	@Test
	void theFramesOfAShortBurstAreHandledByTheThreadThatBringsThem() throws InterruptedException {
		List<Long> handled = new ArrayList<>();
		this.direct = (frame) -> {
			assertThat(Thread.currentThread()).isNotEqualTo(this.loop);
			return handled.add(number(frame));
		};
		this.source.burstBegins();
		frame(1);
		frame(2);
		assertThat(handled).isEmpty();
		this.source.burstEnds();
		assertThat(handled).containsExactly(1L, 2L);
		assertTaken();
	}

	@Test
	void aFrameWithoutABurstIsLeftToTheLoop() throws InterruptedException {
		this.direct = (frame) -> true;
		frame(1);
		assertTaken(1);
	}

	@Test
	void whatIsNotHandledDirectlyIsTakenInOrder() throws InterruptedException {
		this.direct = (frame) -> number(frame) < 3;
		this.source.burstBegins();
		frame(1);
		frame(3);
		frame(2);
		this.source.burstEnds();
		assertTaken(3, 2);
	}

	@Test
	void theLoopTakesTheFramesOfALongBurst() throws InterruptedException {
		List<Long> handled = new ArrayList<>();
		this.direct = (frame) -> handled.add(number(frame));
		for (int frames : new int[] { 15, 16 }) {
			this.source.burstBegins();
			for (int i = 1; i <= frames; i++) {
				frame(i);
			}
			this.source.burstEnds();
		}
		assertThat(handled).hasSize(15);
		assertTaken(LongStream.rangeClosed(1, 16).toArray());
	}

	@Test
	void whatAFrameLeavesBehindComesBeforeTheFramesAfterIt() throws InterruptedException {
		this.direct = (frame) -> {
			this.mailbox.putFirst(new LoopMessage.Closed<>(9, false));
			return true;
		};
		this.source.burstBegins();
		frame(1);
		frame(2);
		this.source.burstEnds();
		assertTaken(9, 2);
	}

	@Test
	void allFramesOfOverlappingBurstsAreTaken() throws Exception {
		Thread[] sources = new Thread[2];
		for (int source = 0; source < sources.length; source++) {
			Mailbox.WatchSubscriber<String> subscriber = source();
			sources[source] = new Thread(() -> {
				for (int i = 0; i < 20_000; i++) {
					subscriber.burstBegins();
					for (int frame = i % 4; frame > 0; frame--) {
						frame(subscriber, i);
					}
					subscriber.burstEnds();
				}
			});
			sources[source].start();
		}
		for (Thread source : sources) {
			source.join();
		}
		await().until(() -> this.taken.size() == 2 * 30_000);
	}

	@Test
	void theFramesOfEachSourceAreHandledOnceAndInOrderOnWhicheverThread() throws Exception {
		AtomicInteger inside = new AtomicInteger();
		List<Long> handled = new ArrayList<>();
		List<String> overlaps = new CopyOnWriteArrayList<>();
		this.direct = (frame) -> {
			if (inside.incrementAndGet() != 1) {
				overlaps.add("two at once");
			}
			// not safe for several threads at once
			boolean direct = handled.size() % 100 < 99 || frame.hashCode() % 2 == 0;
			if (direct) {
				handled.add(number(frame));
			}
			inside.decrementAndGet();
			return direct;
		};
		for (int i = 1; i <= 20_000; i++) {
			this.source.burstBegins();
			frame(i);
			this.source.burstEnds();
		}
		await().until(() -> this.taken.size() + handled.size() == 20_000);
		assertThat(overlaps).isEmpty();
		List<Long> taken = List.copyOf(this.taken);
		assertThat(handled).isSorted().isNotEmpty();
		assertThat(taken).isSorted();
		assertThat(Stream.concat(handled.stream(), taken.stream()).sorted().toList())
			.isEqualTo(LongStream.rangeClosed(1, 20_000).boxed().toList());
	}

}

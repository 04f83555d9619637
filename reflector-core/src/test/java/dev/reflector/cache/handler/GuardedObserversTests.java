package dev.reflector.cache.handler;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import com.sun.management.ThreadMXBean;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.WatchEvent;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link GuardedObservers}.
 */
class GuardedObserversTests {

	private static final ReflectorRequest WATCH = new ReflectorRequest(ReflectorRequest.Kind.WATCH, null, "1", null);

	private static final ResourceAccessor<Thing> ACCESSOR = MetadataAccessor.forType(Thing.class);

	private static final WatchEvent<Thing> EVENT = new WatchEvent.Added<>(Thing.of("a", "1"));

	private static final Change<Thing> CHANGE = new Change<>(Change.Type.ADDED, ACCESSOR.key(Thing.of("a", "1")),
			Thing.of("a", "1"), null, "1", false, false, Change.Cause.WATCH);

	@Test
	void withoutObserversNothingIsObserved() {
		assertThat(ReflectorObserver.composite(List.of())).isSameAs(ReflectorObserver.NONE);
		assertThat(ReflectorObserver.composite(List.of(ReflectorObserver.NONE, ReflectorObserver.NONE)))
			.isSameAs(ReflectorObserver.NONE);
		ReflectorObserver ofNoRequests = new ReflectorObserver() {
		};
		assertThat(ReflectorObserver.composite(List.of(ofNoRequests, ofNoRequests)).requested(WATCH))
			.isSameAs(RequestObserver.NONE);
	}

	@Test
	void anObserverOfARequestThatThrowsDoesNotAffectTheOthers() {
		List<String> told = new ArrayList<>();
		RequestObserver broken = new RequestObserver() {

			@Override
			public void received(long bytes) {
				throw new IllegalStateException("broken");
			}

			@Override
			public <T> void arrived(WatchEvent<T> event, ResourceAccessor<T> accessor) {
				throw new IllegalStateException("broken");
			}

			@Override
			public void ended(RequestEnd end) {
				throw new IllegalStateException("broken");
			}

		};
		RequestObserver noting = new RequestObserver() {

			@Override
			public void received(long bytes) {
				told.add("received");
			}

			@Override
			public <T> void arrived(WatchEvent<T> event, ResourceAccessor<T> accessor) {
				told.add("arrived");
			}

			@Override
			public void ended(RequestEnd end) {
				told.add("ended");
			}

		};
		RequestObserver request = ReflectorObserver.composite(List.of(of(broken), of(noting))).requested(WATCH);
		request.received(1);
		request.arrived(EVENT, ACCESSOR);
		request.ended(new RequestEnd(RequestEnd.Reason.ENDED, null, Duration.ZERO, 1, 0, 1));
		assertThat(told).containsExactly("received", "arrived", "ended");
	}

	private static ReflectorObserver of(RequestObserver requests) {
		return new ReflectorObserver() {

			@Override
			public RequestObserver requested(ReflectorRequest request) {
				return requests;
			}

		};
	}

	@Test
	void whatIsCalledForEachEventAllocatesNothing() {
		ReflectorObserver observer = ReflectorObserver.composite(List.of(of(new RequestObserver() {
		}), of(new RequestObserver() {
		})));
		RequestObserver request = observer.requested(WATCH);
		Runnable event = () -> {
			request.received(1);
			request.arrived(EVENT, ACCESSOR);
			observer.delivering("handler", CHANGE, ACCESSOR);
			observer.handled("handler", Duration.ZERO, false);
		};
		event.run();
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		long before = threads.getCurrentThreadAllocatedBytes();
		for (int i = 0; i < 10_000; i++) {
			event.run();
		}
		// less than a byte for each: what the measurement itself needs
		assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000);
	}

}

package dev.reflector.cache.internal.delivery;

import java.time.Duration;
import java.util.concurrent.Semaphore;

import dev.reflector.ReflectorStatus.BusyListener;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.TestInformer;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.handler.CalledListener;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.ResourceEventHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests what is logged about listeners that do not return, and about those that fail
 * again and again.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BusyListenersTests {

	private static final Duration THRESHOLD = Duration.ofSeconds(1);

	private final Semaphore called = new Semaphore(0);

	private final Semaphore go = new Semaphore(0);

	private TestInformer things = TestInformer.with(TestInformer.listing().slowListenerThreshold(THRESHOLD).build());

	@AfterEach
	void close() throws Exception {
		this.go.release(10);
		this.things.close();
	}

	private void block() {
		this.called.release();
		this.go.acquireUninterruptibly();
	}

	private static int times(CapturedOutput output, String text) {
		return output.getOut().split(text, -1).length - 1;
	}

	@Test
	void busyListenersAreLoggedAndShownInTheStatus(CapturedOutput output) throws Exception {
		this.things.informer.addEventHandler((change) -> block());
		this.things.startWith("1", Thing.of("a", "1"));
		this.called.acquire();
		assertThat(this.things.informer.status().busyListener()).isNull();
		this.things.time.advance(THRESHOLD);
		String busy = "is still busy with ADDED default/a of the initial list after";
		assertThat(output).contains("the listener " + getClass().getName()).contains(busy + " 1.0 s; later events");
		BusyListener shown = this.things.informer.status().busyListener();
		assertThat(shown).isNotNull();
		assertThat(shown.name()).startsWith(getClass().getName());
		assertThat(shown.subject()).isEqualTo("ADDED default/a of the initial list");
		assertThat(shown.since()).isEqualTo(this.things.time.now().minus(THRESHOLD));
		assertThat(this.things.informer.busyListeners(THRESHOLD)).containsExactly(shown.name());
		assertThat(this.things.informer.busyListeners(Duration.ofSeconds(Long.MAX_VALUE))).isEmpty();
		for (int second = 1; second < 60; second++) {
			this.things.time.advance(Duration.ofSeconds(1));
		}
		assertThat(times(output, busy)).isOne();
		this.things.time.advance(Duration.ofSeconds(1));
		assertThat(output).contains(busy + " 61.0 s");
		this.go.release();
		await().until(() -> this.things.informer.status().busyListener() == null);
	}

	@Test
	void aListenerCalledByAHandlerIsNamed(CapturedOutput output) throws Exception {
		this.things.informer.addEventHandler((change) -> {
			CalledListener.enter("one of several");
			block();
			CalledListener.leave();
			block();
		});
		this.things.startWith("1", Thing.of("a", "1"));
		this.called.acquire();
		this.things.time.advance(THRESHOLD);
		assertThat(output).contains("the listener one of several is still busy");
		this.go.release();
		this.called.acquire();
		this.things.time.advance(THRESHOLD);
		assertThat(this.things.informer.status().busyListener()).isNull();
	}

	@Test
	void thereIsNoCheckWithoutAThresholdOrARunningCall() throws Exception {
		this.things.informer.addEventHandler((change) -> {
		});
		this.things.startWith("1", Thing.of("a", "1"));
		await().until(() -> this.things.informer.hasSynced() && this.things.informer.status().queueDepth() == 0);
		await().until(() -> {
			this.things.time.advance(THRESHOLD);
			return !this.things.time.waiting().contains(THRESHOLD);
		});
		close();
		this.things = TestInformer.with(TestInformer.options());
		this.things.informer.addEventHandler((change) -> block());
		this.things.startWith("1", Thing.of("a", "1"));
		this.called.acquire();
		this.things.time.advance(Duration.ofDays(1));
		assertThat(this.things.informer.status().busyListener()).isNull();
	}

	@Test
	void repeatedFailuresAreSummedUpOnceAMinute(CapturedOutput output) throws Exception {
		String line = "Failing: java.lang.IllegalStateException: out of order ";
		this.things.informer.addEventHandler(new Failing());
		ScriptedSource.Stream watch = this.things.startWith("1", InformerFixture.things(20, "1"));
		awaitFailures(20);
		assertThat(times(output, line)).isEqualTo(3);
		assertThat(traces(output)).isOne();
		this.things.time.advance(Duration.ofMinutes(1));
		await().until(() -> output.getOut().contains("(17 such failures within a minute, of which this is the last)"));
		assertThat(traces(output)).isEqualTo(2);
		watch.added(Thing.of("b", "2"));
		awaitFailures(21);
		assertThat(times(output, line)).as("the next minute has its line at its end, too").isEqualTo(4);
		this.things.time.advance(Duration.ofMinutes(1));
		await().until(() -> output.getOut().lines().anyMatch((last) -> last.endsWith(line + "b")));
		this.things.time.advance(Duration.ofMinutes(2));
		watch.added(Thing.of("c", "3"));
		await().until(() -> output.getOut().lines().anyMatch((last) -> last.endsWith(line + "c")));
		assertThat(traces(output)).isEqualTo(4);
	}

	@Test
	void theEndOfAReflectorDoesNotHideFailures(CapturedOutput output) throws Exception {
		this.things.informer.addEventHandler(new Failing());
		this.things.startWith("1", InformerFixture.things(20, "1"));
		awaitFailures(20);
		this.things.informer.close();
		await().until(() -> output.getOut().contains("(17 such failures within a minute, of which this is the last)"));
	}

	/** A call is in progress until its failure has been logged. */
	private void awaitFailures(int number) {
		await().until(() -> this.things.informer.status().counts().errors() == number
				&& this.things.informer.busyListeners(Duration.ZERO).isEmpty());
	}

	private static int traces(CapturedOutput output) {
		return times(output, "\tat " + Failing.class.getName().replace("$", "\\$"));
	}

	private static final class Failing implements ResourceEventHandler<Thing> {

		@Override
		public void onChange(Change<Thing> change) {
			throw new IllegalStateException("out of order " + change.key().name());
		}

	}

}

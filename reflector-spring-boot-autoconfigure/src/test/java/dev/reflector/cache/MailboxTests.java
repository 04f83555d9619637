package dev.reflector.cache;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Who waits for messages is woken when there are some, and once for those of a burst.
 */
@Timeout(60)
class MailboxTests {

	private final Mailbox<String> mailbox = new Mailbox<>();

	private final BlockingQueue<Long> taken = new LinkedBlockingQueue<>();

	private final Thread loop = new Thread(this::take);

	private volatile boolean interrupted;

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

	private void take() {
		try {
			while (true) {
				this.taken.add(((Mailbox.Result<String>) this.mailbox.take()).activity());
			}
		}
		catch (InterruptedException ex) {
			this.interrupted = true;
		}
	}

	private void awaitRest() {
		await().until(() -> this.loop.getState() == Thread.State.WAITING);
	}

	private void frame(long number) {
		this.mailbox.post(new Mailbox.Frame<>(number, new WatchEvent.Added<>("a")));
	}

	private void assertTaken(long... numbers) throws InterruptedException {
		for (long number : numbers) {
			assertThat(this.taken.poll(30, TimeUnit.SECONDS)).isEqualTo(number);
		}
		assertThat(this.taken).isEmpty();
	}

	@Test
	void aFrameOnItsOwnIsTakenAtOnce() throws InterruptedException {
		frame(1);
		assertTaken(1);
	}

	@Test
	void theFramesOfABurstAreTakenWhenItHasEnded() throws InterruptedException {
		this.mailbox.begins();
		frame(1);
		frame(2);
		awaitRest();
		assertThat(this.taken).isEmpty();
		this.mailbox.ends();
		assertTaken(1, 2);
	}

	@Test
	void anythingElseWaitsForNoBurst() throws InterruptedException {
		this.mailbox.begins();
		frame(1);
		this.mailbox.post(new Mailbox.Closed<>(2));
		assertTaken(1, 2);
		this.mailbox.ends();
	}

	@Test
	void ofTwoBurstsTheLastToEndWakes() throws InterruptedException {
		this.mailbox.begins();
		this.mailbox.begins();
		frame(1);
		this.mailbox.ends();
		awaitRest();
		this.mailbox.ends();
		assertTaken(1);
	}

	@Test
	void nothingIsForgottenHoweverBurstsOverlap() throws Exception {
		Thread[] sources = new Thread[2];
		for (int source = 0; source < sources.length; source++) {
			sources[source] = new Thread(() -> {
				for (int i = 0; i < 20_000; i++) {
					this.mailbox.begins();
					for (int frame = i % 4; frame > 0; frame--) {
						frame(i);
					}
					this.mailbox.ends();
				}
			});
			sources[source].start();
		}
		for (Thread source : sources) {
			source.join();
		}
		await().until(() -> this.taken.size() == 2 * 30_000);
	}

}

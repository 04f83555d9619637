package dev.reflector.benchmark.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * An open watch, served by the thread of its connection.
 */
final class Watch {

	private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	/** Quiet streams are not left without a sign of life. */
	private static final long BOOKMARK_SECONDS = 20;

	private final Dataset dataset;

	private final Output output;

	private final BlockingQueue<Plan> plans = new LinkedBlockingQueue<>();

	private int next;

	Watch(Dataset dataset, Output output) {
		this.dataset = dataset;
		this.output = output;
	}

	void add(Plan plan) {
		this.plans.add(plan);
	}

	void sendInitialEvents(int objects) throws IOException {
		for (int i = 0; i < objects; i++) {
			event(i, true, 0);
		}
		bookmark(",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}");
	}

	/**
	 * Sends what is planned until the watch ends.
	 * @return whether it ended in an orderly way
	 */
	boolean serve() throws IOException, InterruptedException {
		while (true) {
			Plan plan = this.plans.poll(BOOKMARK_SECONDS, TimeUnit.SECONDS);
			if (plan == null) {
				bookmark("");
			}
			else if (plan instanceof Plan.Burst burst) {
				burst(burst.events());
			}
			else if (plan instanceof Plan.Paced paced) {
				paced(paced);
			}
			else if (plan instanceof Plan.Expire) {
				expire();
				return true;
			}
			else {
				return false;
			}
		}
	}

	private void burst(int events) throws IOException {
		for (int i = 0; i < events; i++) {
			change(0);
		}
		this.output.flush();
	}

	private void paced(Plan.Paced paced) throws IOException {
		long interval = TimeUnit.SECONDS.toNanos(1) / paced.rate();
		long start = System.nanoTime() + TICK_NANOS;
		for (int i = 0; i < paced.events(); i++) {
			// events of one tick are due together: a sleep for each would cost more than
			// the event
			long due = start + i * interval / TICK_NANOS * TICK_NANOS;
			if (System.nanoTime() < due) {
				this.output.flush();
				for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
					LockSupport.parkNanos(left);
				}
			}
			change(due);
		}
		this.output.flush();
	}

	private void change(long stamp) throws IOException {
		this.next = (this.next + 1) % this.dataset.size();
		this.dataset.versions().change(this.next);
		event(this.next, false, stamp);
	}

	private void event(int index, boolean added, long stamp) throws IOException {
		ByteBuffer out = this.output.beginFrame(this.dataset.frameLength(index, added));
		this.dataset.frame(out, index, added, stamp);
		this.output.endFrame();
	}

	private void bookmark(String annotations) throws IOException {
		Kind kind = this.dataset.kind();
		frame(this.dataset.encoding()
			.frame("BOOKMARK", kind.apiVersion(), kind.kind(), "\"metadata\":{\"resourceVersion\":\""
					+ this.dataset.versions().newest() + "\",\"creationTimestamp\":null" + annotations + "}}"));
	}

	private void expire() throws IOException {
		frame(Statuses.frame(this.dataset.encoding(), Statuses.EXPIRED));
		this.output.end();
	}

	private void frame(byte[] bytes) throws IOException {
		this.output.beginFrame(bytes.length).put(bytes);
		this.output.endFrame();
		this.output.flush();
	}

}

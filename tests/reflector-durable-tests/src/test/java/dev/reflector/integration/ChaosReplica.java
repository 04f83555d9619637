package dev.reflector.integration;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Random;

import dev.reflector.snapshot.jdbc.fixture.TcpProxy;

/**
 * A place for a replica: one process after the other, with a proxy before the server, and
 * what befalls it at present.
 */
final class ChaosReplica implements AutoCloseable {

	/** A replica that is asked to end has so many seconds, when nothing disturbs it. */
	private static final int END_SECONDS = 60;

	private final ChaosLedger ledger;

	private final TcpProxy proxy;

	private ChaosFault fault;

	private long since;

	private ChaosProcess process;

	ChaosReplica(int server, ChaosLedger ledger) {
		this.proxy = new TcpProxy(server);
		this.ledger = ledger;
	}

	void start(String name, int table, Class<?> example, List<String> arguments) throws Exception {
		this.process = ChaosProcess.start(name, URI.create("http://localhost:" + this.proxy.port()), table, example,
				arguments);
	}

	ChaosProcess process() {
		return this.process;
	}

	boolean isDisturbed() {
		return this.fault != null;
	}

	void begin(ChaosFault fault, Random random) throws Exception {
		this.fault = fault;
		this.since = System.nanoTime();
		switch (fault) {
			case KILL -> this.process.kill();
			case TERMINATE -> this.process.terminate();
			case STOP -> this.process.signal("STOP");
			case CUT -> this.proxy.goAway();
			case DELAY -> this.proxy.delay(Duration.ofMillis(20 + random.nextInt(700)));
			case SILENCE -> this.proxy.fallSilent();
			default -> this.proxy.holdAnswers();
		}
	}

	/**
	 * Ends what befalls it.
	 * @return whether another process is needed
	 */
	boolean end() throws Exception {
		ChaosFault fault = this.fault;
		this.fault = null;
		if (fault == null) {
			return false;
		}
		switch (fault) {
			case KILL -> {
				return true;
			}
			case TERMINATE -> {
				if (!this.process.awaitEnd(END_SECONDS)) {
					this.ledger.mistake(this.process + " does not end");
					this.process.kill();
				}
				return true;
			}
			case STOP -> {
				this.process.signal("CONT");
				this.ledger.paused(this.process.name, this.since, System.nanoTime());
			}
			case CUT -> this.proxy.resume();
			case DELAY -> this.proxy.delay(Duration.ZERO);
			case LOST_ANSWERS -> {
				this.proxy.goAway();
				this.proxy.resume();
			}
			default -> this.proxy.answer();
		}
		return false;
	}

	@Override
	public void close() throws IOException {
		if (this.process != null) {
			this.process.close();
		}
		this.proxy.close();
	}

	@Override
	public String toString() {
		return this.process.toString();
	}

}

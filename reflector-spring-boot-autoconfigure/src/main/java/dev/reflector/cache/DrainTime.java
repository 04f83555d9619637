package dev.reflector.cache;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long a listener that ends may still hear what waits for it (E-33). Used under the
 * lock of the listener.
 */
final class DrainTime {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.Reflector");

	private final DeliverySetup<?> setup;

	private long deadline;

	DrainTime(DeliverySetup<?> setup) {
		this.setup = setup;
	}

	void begin() {
		this.deadline = this.setup.time().nanoTime() + this.setup.options().drainTimeout().toNanos();
	}

	/** Whether it is over, which is told when there are changes left. */
	boolean isOver(int left) {
		boolean over = this.setup.time().nanoTime() - this.deadline > 0;
		if (over && left > 0) {
			logger.atWarn()
				.addKeyValue("reflector", this.setup.name())
				.log("Reflector '{}': ended with {} changes not delivered to a listener that is too slow",
						this.setup.name(), left);
		}
		return over;
	}

}

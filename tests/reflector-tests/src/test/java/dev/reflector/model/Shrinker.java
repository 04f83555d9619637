package dev.reflector.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Makes a failing history shorter: leaves out smaller and smaller parts as long as the
 * rest still fails. A failure may depend on timing, so each try is repeated.
 *
 * @param fails whether a history fails
 * @param attempts how often a history is run before it counts as one that does not fail
 * @param atMost how long to try
 */
record Shrinker(Predicate<History> fails, int attempts, Duration atMost) {

	History shrink(History history) {
		long from = System.nanoTime();
		List<Integer> kept = history.kept();
		int part = Math.max(1, kept.size() / 2);
		while (true) {
			boolean shorter = false;
			for (int start = 0; start < kept.size();) {
				List<Integer> fewer = new ArrayList<>(kept.subList(0, start));
				fewer.addAll(kept.subList(Math.min(start + part, kept.size()), kept.size()));
				if (System.nanoTime() - from > this.atMost.toNanos()) {
					return history.only(kept);
				}
				if (stillFails(history.only(fewer))) {
					kept = fewer;
					shorter = true;
				}
				else {
					start += part;
				}
			}
			if (part == 1 && !shorter) {
				return history.only(kept);
			}
			part = Math.max(1, part / 2);
		}
	}

	private boolean stillFails(History history) {
		for (int i = 0; i < this.attempts; i++) {
			if (this.fails.test(history)) {
				return true;
			}
		}
		return false;
	}

}

package dev.reflector.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Runs histories, and reports those that fail in a shortened form. The search for leaks
 * takes a while, so it is done for several histories together. When it finds one, each of
 * these histories runs once more on its own.
 */
final class Judge {

	private static final int FAILURES_AT_MOST = 3;

	private final Function<History, List<String>> play;

	private final LeakWatch leaks;

	private final int attempts;

	private final List<String> failures = new ArrayList<>();

	/**
	 * Makes a judge.
	 * @param play runs a history, and returns the errors that were found
	 * @param leaks finds lost buffers
	 * @param attempts how often a shortened history is run before it counts as one that
	 * does not fail
	 */
	Judge(Function<History, List<String>> play, LeakWatch leaks, int attempts) {
		this.play = play;
		this.leaks = leaks;
		this.attempts = attempts;
	}

	/** The reported failures. */
	List<String> failures() {
		return this.failures;
	}

	/** Whether fewer failures were reported than the limit. */
	boolean takesMore() {
		return this.failures.size() < FAILURES_AT_MOST;
	}

	/** Runs some histories. */
	void judge(List<History> some) {
		List<String> lost = new ArrayList<>();
		for (History history : some) {
			List<String> findings = this.play.apply(history);
			if (!findings.isEmpty() && takesMore()) {
				// takes the leaks so far, so that they do not count for the shortened
				// history
				lost.addAll(this.leaks.found());
				report(history, findings, (candidate) -> !this.play.apply(candidate).isEmpty());
			}
		}
		lost.addAll(this.leaks.found());
		if (!lost.isEmpty() && !some.stream().map(this::loses).reduce(false, Boolean::logicalOr)) {
			this.failures.add("One of " + some + " has lost " + lost);
		}
	}

	private boolean loses(History history) {
		if (!takesMore()) {
			return false;
		}
		this.play.apply(history);
		List<String> lost = this.leaks.found();
		if (lost.isEmpty()) {
			return false;
		}
		report(history, List.of("it has lost " + lost), (candidate) -> {
			this.play.apply(candidate);
			return !this.leaks.found().isEmpty();
		});
		return true;
	}

	private void report(History history, List<String> findings, Predicate<History> fails) {
		History shortest = new Shrinker(fails, this.attempts,
				Duration.ofSeconds(Integer.getInteger("reflector.model.shrink", 20)))
			.shrink(history);
		this.failures.add("\n" + String.join("\n", findings) + "\nIn short: " + shortest + "\nIn full: "
				+ history.replay() + "\n");
	}

}

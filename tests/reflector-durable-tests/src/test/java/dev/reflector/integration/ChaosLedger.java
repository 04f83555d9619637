package dev.reflector.integration;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The reports of all replicas: which slots they own, sampled again and again, and the
 * calls of their listeners, by the clock that all processes of a machine share. The
 * checks do not depend on the speed of a process: a replica certainly was the owner only
 * between two samples with the same epoch.
 */
final class ChaosLedger {

	private static final double SECOND = 1e9;

	/**
	 * The minimum time, in nanoseconds, from the beginning of a call to the beginning of
	 * a call by the next owner that overtakes it.
	 */
	private final long margin;

	private final Map<Integer, List<Hold>> holds = new TreeMap<>();

	private final Map<Integer, List<Call>> calls = new TreeMap<>();

	private final Map<String, Map<Integer, Hold>> present = new HashMap<>();

	private final Map<String, Long> lookedAt = new HashMap<>();

	private final Map<Term, String> owners = new HashMap<>();

	/** Terms that have ended otherwise than by being handed over. */
	private final Set<Term> lapsed = new HashSet<>();

	private final Map<String, List<long[]>> pauses = new HashMap<>();

	private final List<String> mistakes = new ArrayList<>();

	private final List<String> known = new ArrayList<>();

	private int overtaken;

	private double longestGap;

	private double longestOverlap = Double.NEGATIVE_INFINITY;

	private String widest = "";

	/**
	 * Creates an empty ledger.
	 * @param marginNanos the lease duration minus the renew deadline
	 */
	ChaosLedger(long marginNanos) {
		this.margin = marginNanos;
	}

	/**
	 * A replica has looked at what it owns.
	 * @param from before it has looked
	 * @param until after it has looked
	 * @param member whether it has seen the server, and who else is there
	 * @param epochs the slots that it owns
	 */
	synchronized void owns(String process, long from, long until, boolean member, Map<Integer, Long> epochs) {
		if (member) {
			this.lookedAt.put(process, from);
		}
		Map<Integer, Hold> present = this.present.computeIfAbsent(process, (any) -> new TreeMap<>());
		present.values().removeIf((hold) -> !Long.valueOf(hold.epoch).equals(epochs.get(hold.slot)));
		epochs.forEach((slot, epoch) -> {
			Hold hold = present.get(slot);
			if (hold == null) {
				hold = new Hold(process, slot, epoch, until, from);
				present.put(slot, hold);
				this.holds.computeIfAbsent(slot, (any) -> new ArrayList<>()).add(hold);
				own(process, slot, epoch);
			}
			hold.last = Math.max(hold.last, from);
		});
	}

	synchronized void acquired(String process, int slot, long epoch) {
		own(process, slot, epoch);
	}

	private void own(String process, int slot, long epoch) {
		String other = this.owners.putIfAbsent(new Term(slot, epoch), process);
		if (other != null && !other.equals(process)) {
			mistake("slot " + slot + " in epoch " + epoch + " is that of " + other + " and of " + process);
		}
	}

	synchronized void released(String process, int slot, long epoch, boolean handedOver) {
		if (!handedOver) {
			this.lapsed.add(new Term(slot, epoch));
		}
	}

	synchronized void called(String process, int slot, long epoch, long beganAt, long endedAt) {
		this.calls.computeIfAbsent(slot, (any) -> new ArrayList<>())
			.add(new Call(process, slot, epoch, beganAt, endedAt));
		own(process, slot, epoch);
	}

	synchronized void paused(String process, long from, long until) {
		this.pauses.computeIfAbsent(process, (any) -> new ArrayList<>()).add(new long[] { from, until });
	}

	synchronized void mistake(String mistake) {
		this.mistakes.add(mistake);
	}

	/** Whether a replica has seen the server and has looked since then. */
	synchronized boolean isMember(String process, long since) {
		return this.lookedAt.getOrDefault(process, since) - since > 0;
	}

	/** Who owns each slot, of replicas that have looked since then. */
	synchronized Map<Integer, Set<String>> owners(Set<String> living, long since) {
		Map<Integer, Set<String>> owners = new TreeMap<>();
		this.present.forEach((process, holds) -> {
			if (living.contains(process) && isMember(process, since)) {
				holds.keySet().forEach((slot) -> owners.computeIfAbsent(slot, (any) -> new HashSet<>()).add(process));
			}
		});
		return owners;
	}

	/** Checks all that has happened. */
	synchronized List<String> check() {
		List<String> found = new ArrayList<>(this.mistakes);
		this.holds.forEach((slot, holds) -> checkHolds(holds, found));
		this.overtaken = 0;
		this.calls.forEach((slot, calls) -> checkCalls(calls, found));
		found.removeAll(this.known);
		this.known.addAll(found);
		return found;
	}

	/**
	 * Checks that a slot never has two owners, and that each owner has a larger epoch
	 * than the previous one.
	 */
	private void checkHolds(List<Hold> holds, List<String> found) {
		holds.sort(Comparator.comparingLong((hold) -> hold.from));
		Hold before = null;
		for (Hold hold : holds) {
			if (before != null) {
				double gap = (hold.from - before.last) / SECOND;
				if (gap > this.longestGap) {
					this.longestGap = gap;
					this.widest = before + " until " + hold;
				}
				boolean same = hold.process.equals(before.process) && hold.epoch == before.epoch;
				if (!same) {
					this.longestOverlap = Math.max(this.longestOverlap, -gap);
				}
				if (gap < 0) {
					found.add("two owners: " + before + " and " + hold);
				}
				if (hold.epoch < before.epoch || (hold.epoch == before.epoch && !same)) {
					found.add("the epoch does not grow: " + before + " and then " + hold);
				}
			}
			if (before == null || hold.last > before.last) {
				before = hold;
			}
		}
	}

	/**
	 * A call may end after one of a later epoch has begun when its term has lapsed, once
	 * in a term, and when it has begun long enough before.
	 */
	private void checkCalls(List<Call> calls, List<String> found) {
		TreeMap<Long, Call> first = new TreeMap<>();
		calls.forEach(
				(call) -> first.merge(call.epoch, call, (one, other) -> (one.beganAt <= other.beganAt) ? one : other));
		Set<Term> once = new HashSet<>();
		for (Call call : calls) {
			Call next = first.tailMap(call.epoch, false)
				.values()
				.stream()
				.min(Comparator.comparingLong(Call::beganAt))
				.orElse(null);
			if (next == null || next.beganAt >= call.endedAt) {
				continue;
			}
			this.overtaken++;
			Term term = new Term(call.slot, call.epoch);
			if (!this.lapsed.contains(term)) {
				found.add(call + " was overtaken by " + next + ", and was not lost");
			}
			else if (!once.add(term)) {
				found.add(call + " was overtaken by " + next + ", as was another of the term");
			}
			else if (next.beganAt - call.beganAt < this.margin && !wasPaused(call)) {
				found.add(call + " has begun too late before " + next);
			}
		}
	}

	private boolean wasPaused(Call call) {
		return this.pauses.getOrDefault(call.process, List.of())
			.stream()
			.anyMatch((pause) -> pause[0] < call.endedAt && pause[1] > call.beganAt - this.margin);
	}

	@Override
	public synchronized String toString() {
		int acquisitions = this.owners.size();
		int calls = this.calls.values().stream().mapToInt(List::size).sum();
		return String.format(
				"%d acquisitions, %d calls, of which %d were overtaken; longest gap %.1f s (%s), "
						+ "longest overlap of owners %.3f s (negative: they were that far apart)",
				acquisitions, calls, this.overtaken, this.longestGap, this.widest, this.longestOverlap);
	}

	/** A slot in an epoch. */
	private record Term(int slot, long epoch) {
	}

	/** A call of a listener that has returned, or was about to. */
	private record Call(String process, int slot, long epoch, long beganAt, long endedAt) {

		@Override
		public String toString() {
			return String.format("a call of %s for slot %d in epoch %d (%.3f to %.3f)", this.process, this.slot,
					this.epoch, this.beganAt / SECOND, this.endedAt / SECOND);
		}

	}

	/** A replica has owned a slot in an epoch, at least for that long. */
	private static final class Hold {

		private final String process;

		private final int slot;

		private final long epoch;

		private final long from;

		private long last;

		Hold(String process, int slot, long epoch, long from, long last) {
			this.process = process;
			this.slot = slot;
			this.epoch = epoch;
			this.from = from;
			this.last = last;
		}

		@Override
		public String toString() {
			return String.format("%s with slot %d in epoch %d (%.3f to %.3f)", this.process, this.slot, this.epoch,
					this.from / SECOND, this.last / SECOND);
		}

	}

}

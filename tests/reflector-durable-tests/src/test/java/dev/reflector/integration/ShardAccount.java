package dev.reflector.integration;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The changes that were delivered in a replica, by slot, from the lines that its
 * listeners have printed. A slot is kept from its acquisition until it is released or the
 * replica dies.
 */
final class ShardAccount {

	/** Errors in the order of the lines. */
	private final List<String> mistakes = new ArrayList<>();

	private final String owner;

	private final List<Call> calls = new ArrayList<>();

	/** The slots that are owned. */
	private final Map<Integer, View> views = new TreeMap<>();

	/** For each right that lapsed without a handover, the number of the lapse. */
	private final Map<Right, Integer> lapsed = new HashMap<>();

	/** By lapse, the call that ended after its right had lapsed. */
	private final Map<Integer, Call> late = new HashMap<>();

	private int lapses;

	/** Whether the last line about slots was about one that has lapsed. */
	private boolean lapsing;

	ShardAccount(String owner) {
		this.owner = owner;
	}

	synchronized void acquired(Right right) {
		this.lapsing = false;
		View before = this.views.put(right.slot(), new View(right));
		if (before != null) {
			this.mistakes.add(this.owner + " acquires " + right + " and still has " + before.right);
		}
	}

	synchronized void released(Right right, boolean handedOver) {
		View view = this.views.remove(right.slot());
		if (view == null || !view.right.equals(right)) {
			this.mistakes.add(this.owner + " releases " + right + " and has " + ((view != null) ? view.right : "none"));
		}
		if (!handedOver) {
			// all that is owned lapses at once
			this.lapses += this.lapsing ? 0 : 1;
			this.lapsed.put(right, this.lapses);
		}
		this.lapsing = !handedOver;
	}

	synchronized void called(Call call) {
		this.calls.add(call);
		View view = this.views.get(call.right().slot());
		if (view != null && view.right.equals(call.right())) {
			if (!view.apply(call)) {
				this.mistakes.add(this.owner + ": " + call + " does not follow from " + view.objects);
			}
			return;
		}
		Integer lapse = this.lapsed.get(call.right());
		if (lapse == null) {
			this.mistakes.add(this.owner + ": " + call + ", but has " + ((view != null) ? view.right : "no right"));
		}
		else if (this.late.put(lapse, call) != null) {
			this.mistakes.add(this.owner + ": " + call + " is the second call that has outlived one lapse");
		}
	}

	/** The replica is no longer there: what it owned is open to others. */
	synchronized void died() {
		this.lapses++;
		this.views.values().forEach((view) -> this.lapsed.put(view.right, this.lapses));
		this.views.clear();
	}

	/** The slots that are owned now. */
	synchronized Set<Integer> slots() {
		return new TreeSet<>(this.views.keySet());
	}

	/** The state of the slots that are owned, as the calls add up to it. */
	synchronized Map<String, String> told() {
		Map<String, String> told = new TreeMap<>();
		this.views.values().forEach((view) -> told.putAll(view.objects));
		return told;
	}

	/**
	 * Returns an owned object, and the right by which it is owned.
	 * @return any owned object, or {@code null} if there is none
	 */
	synchronized Map.Entry<String, Right> anyObject() {
		return this.views.values()
			.stream()
			.filter((view) -> !view.objects.isEmpty())
			.map((view) -> Map.entry(view.objects.firstKey(), view.right))
			.findFirst()
			.orElse(null);
	}

	synchronized boolean owns(Right right) {
		View view = this.views.get(right.slot());
		return view != null && view.right.equals(right);
	}

	synchronized List<Call> calls() {
		return List.copyOf(this.calls);
	}

	synchronized List<String> mistakes() {
		return List.copyOf(this.mistakes);
	}

	synchronized int late() {
		return this.late.size();
	}

	/**
	 * Returns the lapse with which a right has ended.
	 * @return the number of the lapse, or {@code null} if the right was handed over or
	 * lasts
	 */
	synchronized Integer lapseOf(Right right) {
		return this.lapsed.get(right);
	}

	@Override
	public String toString() {
		return this.owner;
	}

	/** A slot in an epoch. */
	record Right(int slot, long epoch) {

	}

	/**
	 * A call of a listener that has returned.
	 *
	 * @param beganAt when it has begun, by the clock that all processes share
	 * @param endedAt when it was about to return
	 */
	record Call(String type, String key, String version, Right right, long beganAt, long endedAt) {

	}

	/** The delivered objects of a slot. */
	private static final class View {

		private final Right right;

		private final TreeMap<String, String> objects = new TreeMap<>();

		View(Right right) {
			this.right = right;
		}

		/** Applies the call, and returns whether it fits the objects before it. */
		boolean apply(Call call) {
			boolean known = this.objects.containsKey(call.key());
			if (call.type().equals("DELETED")) {
				this.objects.remove(call.key());
				return known;
			}
			this.objects.put(call.key(), call.version());
			return known == call.type().equals("UPDATED");
		}

	}

}

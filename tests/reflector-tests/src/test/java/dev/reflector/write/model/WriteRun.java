package dev.reflector.write.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;

import dev.reflector.ResourceKey;
import dev.reflector.test.Fault;
import dev.reflector.write.AppliedMeta;
import dev.reflector.write.ApplyOptions;
import dev.reflector.write.ResourceWriter;
import dev.reflector.write.Written;

/**
 * One random history: two managers write, each through its own writer, and a third client
 * creates, changes and deletes. Answers get lost, writers start again, and the mirror is
 * behind.
 */
final class WriteRun {

	private static final Duration LONG = Duration.ofSeconds(20);

	private final long seed;

	private final Random random;

	private final Scene scene;

	private final List<String> names;

	private final List<Manager> managers;

	private final Rules rules = new Rules();

	private final List<String> history = new ArrayList<>();

	private final List<Written<?>> pending = new ArrayList<>();

	/** Objects that were mirrored at some time. */
	private final List<Site> remembered = new ArrayList<>();

	/** Uids of objects that the mirror gets when it is no longer held back. */
	private final Set<String> unseen = new HashSet<>();

	private final Map<String, ResourceKey> gone = new HashMap<>();

	private final Set<String> outcomes;

	private boolean held;

	/**
	 * Whether another client replaces an object that is being deleted; read by the
	 * server.
	 */
	private volatile boolean replacing;

	WriteRun(long seed, Scene scene, Set<String> outcomes) {
		this.seed = seed;
		this.random = new Random(seed);
		this.scene = scene;
		this.names = List.of("s" + seed + "-a", "s" + seed + "-b");
		this.managers = List.of(new Manager("shop", scene), new Manager("desk", scene));
		this.outcomes = outcomes;
	}

	/** Plays the history, and gives what was wrong, with the history. */
	Optional<String> play(int steps) throws InterruptedException {
		this.scene.takeWrites();
		for (int i = 0; i < steps && this.rules.violations().isEmpty(); i++) {
			String name = this.names.get(this.random.nextInt(this.names.size()));
			step(name);
			this.names.forEach(this::look);
		}
		if (this.rules.violations().isEmpty()) {
			end();
		}
		this.scene.clear(this.names.stream());
		return this.rules.violations().isEmpty() ? Optional.empty() : Optional.of("seed " + this.seed + ", after:\n  "
				+ String.join("\n  ", this.history) + "\n" + String.join("\n", this.rules.violations()));
	}

	private void step(String name) throws InterruptedException {
		Manager manager = this.managers.get(this.random.nextInt(this.managers.size()));
		switch (this.random.nextInt(24)) {
			case 0, 1 -> othersCreate(name);
			case 2 -> othersChange(name);
			case 3 -> othersDelete(name);
			case 4, 5, 6, 7 -> apply(manager, name, false);
			case 8 -> apply(manager, name, true);
			case 9, 10, 11 -> applyAgain(manager, name);
			case 12 -> applyByName(manager, name);
			case 13, 14 -> status(manager, name);
			case 15 -> create(manager, name);
			case 16 -> delete(manager, name);
			case 17 -> deleteWritten(manager, name);
			case 18 -> restart(manager);
			case 19, 20 -> holdOrRelease();
			case 21 -> troubleMirror();
			case 22 -> await(name);
			default -> loseAnswer();
		}
	}

	private void othersCreate(String name) {
		if (this.scene.stored(name).isEmpty()) {
			String finalizers = (this.random.nextInt(4) == 0) ? ", \"finalizers\": [\"example.com/dns\"]" : "";
			this.scene.sites.managedBy("kubectl")
				.create("""
						{"metadata": {"name": "%s"%s}, "spec": {"host": "a.example.com", "options": {"cache": "on"}}}"""
					.formatted(name, finalizers));
			this.history.add("kubectl creates " + name + finalizers);
		}
	}

	private void othersChange(String name) {
		if (this.scene.stored(name).isPresent()) {
			String change = "{\"spec\": {\"replicas\": " + this.random.nextInt(3) + "}}";
			this.scene.sites.managedBy("kubectl").mergePatch("default", name, change);
			this.history.add("kubectl patches " + name + " by " + change);
		}
	}

	/** Deletes an object, and ends a deletion that waits for the finalizer. */
	private void othersDelete(String name) {
		if (this.scene.stored(name).isPresent()) {
			if (new Stored(this.scene.stored(name).orElseThrow()).isBeingDeleted()) {
				this.scene.sites.mergePatch("default", name, "{\"metadata\": {\"finalizers\": null}}");
			}
			else {
				this.scene.sites.delete("default", name);
			}
			this.history.add("kubectl deletes " + name);
		}
	}

	/**
	 * Returns an object that a writer believes to exist: often the current one, sometimes
	 * a former one.
	 */
	private Optional<Site> known(String name) {
		Optional<Site> mirrored = this.scene.mirrored(name);
		mirrored.ifPresent(this.remembered::add);
		List<Site> former = this.remembered.stream().filter((site) -> name.equals(site.metadata().name())).toList();
		return (former.isEmpty() || (mirrored.isPresent() && this.random.nextInt(4) > 0)) ? mirrored
				: Optional.of(former.get(this.random.nextInt(former.size())));
	}

	private void apply(Manager manager, String name, boolean force) {
		known(name).ifPresent((site) -> apply(manager, name, site.uid(),
				Plan.random(AppliedMeta.of(site.metadata()), this.random), force));
	}

	private void applyAgain(Manager manager, String name) {
		Plan last = manager.plans.get(name);
		if (last != null) {
			known(name)
				.ifPresent((site) -> apply(manager, name, site.uid(), last.of(AppliedMeta.of(site.metadata())), false));
		}
	}

	private void applyByName(Manager manager, String name) {
		apply(manager, name, "", Plan.random(AppliedMeta.named("default", name), this.random),
				this.random.nextBoolean());
	}

	private void apply(Manager manager, String name, String uid, Plan plan, boolean force) {
		Rules.Apply apply = new Rules.Apply(manager.name + "/Plan", uid, force, plan.fields(),
				manager.hasSent(uid, "/Plan"));
		ApplyOptions options = force ? ApplyOptions.defaults().withForce() : ApplyOptions.defaults();
		manager.plans.put(name, plan);
		call(name, !uid.isEmpty(), apply.toString(), () -> manager.writer.apply(plan, options),
				(before, after, answer, requests) -> this.rules.applied(apply, before, after, answer))
			.ifPresent((written) -> manager.written.put(name, written));
		manager.sent(uid, "/Plan");
	}

	private void status(Manager manager, String name) {
		known(name).ifPresent((site) -> {
			PlanStatus status = new PlanStatus(this.random.nextBoolean() ? "Ready" : "Starting",
					this.random.nextBoolean() ? 1L : null);
			boolean force = this.random.nextBoolean();
			Rules.Apply apply = new Rules.Apply(manager.name + "/PlanStatus", site.uid(), force, status.fields(),
					manager.hasSent(site.uid(), "/PlanStatus"));
			ApplyOptions options = force ? ApplyOptions.defaults().withForce() : ApplyOptions.defaults();
			call(name, true, apply.toString(),
					() -> manager.writer.status(AppliedMeta.of(site.metadata()), status, options),
					(before, after, answer, requests) -> this.rules.applied(apply, before, after, answer));
			manager.sent(site.uid(), "/PlanStatus");
		});
	}

	private void create(Manager manager, String name) {
		Plan plan = Plan.random(AppliedMeta.named("default", name), this.random);
		// created fields and applied fields have different owners, even with the same
		// manager name
		String creator = manager.name + "-creator";
		Rules.Apply create = new Rules.Apply(creator, "", false, plan.fields(), false);
		call(name, false, "create by " + create,
				() -> manager.writer.create(plan, ApplyOptions.defaults().withManager(creator)),
				(before, after, answer, requests) -> this.rules.created(create, before, after, answer))
			.ifPresent((written) -> manager.written.put(name, written));
	}

	private void delete(Manager manager, String name) {
		known(name).ifPresent((site) -> {
			if (this.random.nextInt(3) == 0) {
				replaceDeleted(name, site.uid());
			}
			delete(manager, name, site.uid(), () -> manager.writer.delete(site));
		});
	}

	/** An object that the mirror may not have yet. */
	private void deleteWritten(Manager manager, String name) {
		Written<?> last = manager.written.get(name);
		if (last != null) {
			if (this.held && !this.scene.hasReached(last.resourceVersion())) {
				this.unseen.add(last.uid());
			}
			delete(manager, name, last.uid(), () -> manager.writer.delete(Site.class, last.key(), last.uid()));
		}
	}

	private void delete(Manager manager, String name, String uid, Supplier<Written<?>> call) {
		call(name, true, manager.name + " deletes " + name + " " + uid, call,
				(before, after, answer, requests) -> this.rules.deleted(uid, before, after, answer, requests));
		this.replacing = false;
		manager.sent.removeIf((sent) -> sent.startsWith(uid));
		manager.written.remove(name);
	}

	/**
	 * Loses the answer to the next deletion. Another client creates an object of this
	 * name before the deletion is repeated.
	 */
	private void replaceDeleted(String name, String uid) {
		if (Moment.of(this.scene, name).stored(uid).isPresent()) {
			this.replacing = true;
			this.scene.loseAnswer(() -> {
				if (this.replacing && this.scene.stored(name).isEmpty()) {
					this.scene.sites.managedBy("kubectl").create("{\"metadata\": {\"name\": \"" + name + "\"}}");
				}
			});
			this.history.add("the answer to the deletion gets lost, and kubectl creates " + name);
		}
	}

	private Optional<Written<?>> call(String name, boolean carriesUid, String what, Supplier<Written<?>> call,
			Check check) {
		Moment before = Moment.of(this.scene, name);
		Answer answer = Answer.of(call);
		Moment after = Moment.of(this.scene, name);
		int requests = this.scene.takeWrites().size();
		this.history.add(name + ": " + what + ": " + answer + ", " + requests + " requests");
		this.rules.seen(after.stored());
		this.rules.always(before, after, answer, carriesUid, requests);
		check.check(before, after, answer, requests);
		answer.success().ifPresent(this::expect);
		this.outcomes.add(answer.toString().replaceAll(" @ .*", ""));
		return answer.success();
	}

	private void expect(Written<?> written) {
		this.pending.add(written);
		if (this.held && !written.skipped() && written.changed() && comesLater(written)) {
			this.rules.require(!isMirrored(written), "the mirror is held back, and is said to have it");
		}
	}

	/**
	 * Whether the mirror that is held back does not show a write yet. A deletion may be
	 * mirrored at once, if the mirror does not show the object, and has its last version.
	 */
	private boolean comesLater(Written<?> written) {
		return written.type() != Site.class || this.scene.mirrored(written.key(), written.uid()).isPresent()
				|| this.unseen.contains(written.uid());
	}

	private void restart(Manager manager) {
		manager.restart();
		this.history.add(manager.name + " starts again");
	}

	private void holdOrRelease() {
		if (this.held) {
			this.unseen.clear();
			this.scene.releaseMirror();
		}
		else {
			this.scene.holdMirror();
		}
		this.held = !this.held;
		this.history.add(this.held ? "the mirror is held back" : "the mirror goes on");
	}

	private void troubleMirror() {
		Fault fault = switch (this.random.nextInt(4)) {
			case 0 -> Fault.status(410, "Expired", "too old resource version");
			case 1 -> Fault.disconnect().atEvent(1 + this.random.nextInt(3));
			case 2 -> Fault.slow(Duration.ofMillis(10)).fromEvent(1);
			default -> Fault.disconnect();
		};
		this.scene.troubleMirror(fault);
		this.history.add("the mirror has trouble");
	}

	private void loseAnswer() {
		Fault fault = switch (this.random.nextInt(5)) {
			case 0 -> Fault.disconnect();
			case 1 -> Fault.reset();
			case 2 -> Fault.status(503);
			default -> Fault.truncate(this.random.nextInt(100));
		};
		this.scene.failWrite(fault);
		this.history.add("an answer gets lost");
	}

	private void await(String name) throws InterruptedException {
		for (Written<?> written : this.pending) {
			if (written.key().name().equals(name) && !this.held && (written.type() != Site.class || isGone(written))) {
				this.rules.require(written.awaitMirrored(LONG), written + " is not mirrored");
				shows(written);
			}
		}
		this.history.add("what was written to " + name + " is mirrored");
	}

	private boolean isGone(Written<?> deleted) {
		return Moment.of(this.scene, deleted.key().name()).stored(deleted.uid()).isEmpty();
	}

	private boolean isMirrored(Written<?> written) {
		try {
			return written.awaitMirrored(Duration.ZERO);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Checks that an object that was reported as mirrored is in the mirror, and remains
	 * there.
	 */
	private void shows(Written<?> written) {
		Optional<Site> shown = this.scene.mirrored(written.key(), written.uid());
		if (written.type() == Site.class) {
			this.rules.require(shown.isEmpty(), written + " is said to be mirrored, and the mirror shows " + shown);
			this.gone.put(written.uid(), written.key());
		}
		else {
			long version = Long.parseLong(written.resourceVersion());
			this.rules.require(shown.map(Site::version).orElse(version) >= version,
					written + " is said to be mirrored, and the mirror shows " + shown);
		}
	}

	private void look(String name) {
		this.rules.seen(this.scene.stored(name).map(Stored::new));
		this.pending.removeIf((written) -> {
			boolean mirrored = isMirrored(written);
			if (mirrored) {
				shows(written);
			}
			return mirrored;
		});
		this.gone.forEach((uid, key) -> this.rules.require(this.scene.mirrored(key, uid).isEmpty(),
				uid + " was said to be gone, and is shown again"));
	}

	private void end() throws InterruptedException {
		this.scene.server.clearFaults();
		this.scene.releaseMirror();
		this.held = false;
		this.history.add("the mirror goes on to the end");
		for (String name : this.names) {
			await(name);
			look(name);
		}
	}

	/**
	 * What must be true of a call.
	 */
	@FunctionalInterface
	private interface Check {

		void check(Moment before, Moment after, Answer answer, int requests);

	}

	/**
	 * An application with a writer, which it may lose.
	 */
	private static final class Manager {

		private final String name;

		private final Scene scene;

		private final Map<String, Plan> plans = new HashMap<>();

		private final Map<String, Written<?>> written = new HashMap<>();

		private final Set<String> sent = new HashSet<>();

		private ResourceWriter writer;

		Manager(String name, Scene scene) {
			this.name = name;
			this.scene = scene;
			this.writer = scene.writer(name);
		}

		boolean hasSent(String uid, String type) {
			return this.sent.contains(uid + type);
		}

		/** Without a uid, it may have been any object. */
		void sent(String uid, String type) {
			this.sent.add(uid + type);
		}

		void restart() {
			this.writer = this.scene.writer(this.name);
			this.written.clear();
			this.sent.clear();
		}

	}

}

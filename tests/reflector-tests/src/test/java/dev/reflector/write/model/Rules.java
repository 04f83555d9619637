package dev.reflector.write.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.reflector.write.ObjectExistsException;
import dev.reflector.write.ObjectGoneException;
import dev.reflector.write.WriteConflictException;
import dev.reflector.write.WriteInvalidException;
import dev.reflector.write.WriteUnreachableException;
import dev.reflector.write.Written;
import tools.jackson.databind.JsonNode;

/**
 * The rules that each write must keep, whatever other managers do and whatever is lost.
 */
final class Rules {

	/** Each version of each object. */
	private final Map<Long, Stored> revisions = new HashMap<>();

	private final List<String> violations = new ArrayList<>();

	List<String> violations() {
		return this.violations;
	}

	void seen(Optional<Stored> stored) {
		stored.ifPresent((object) -> this.revisions.put(object.version(), object));
	}

	/** Adds a violation if a rule was not kept. */
	void require(boolean kept, String otherwise) {
		if (!kept) {
			this.violations.add(otherwise);
		}
	}

	private void nothing(Optional<String> found) {
		found.ifPresent(this.violations::add);
	}

	/** Whether the write had no effect. */
	private static boolean isSame(Moment before, Moment after) {
		return before.stored().equals(after.stored());
	}

	/** Checks the rules of all writes. */
	void always(Moment before, Moment after, Answer answer, boolean carriesUid, int requests) {
		if (answer.failure() != null) {
			require(isSame(before, after) || answer.failure().mayHaveHappened(),
					"it has happened, and its exception says that it has not");
			require(!carriesUid || !answer.failedAs(WriteUnreachableException.class),
					"with a uid, it is repeated until it has an answer");
			require(!answer.failedAs(WriteUnreachableException.class) || answer.failure().mayHaveHappened(),
					"it was sent, and its exception says that it has not happened");
		}
		require(carriesUid || requests <= 1, "without a uid, it was sent " + requests + " times");
	}

	/** Checks the rules of an apply of an object or of its status. */
	void applied(Apply apply, Moment before, Moment after, Answer answer) {
		boolean carriesUid = !apply.uid().isEmpty();
		if (carriesUid && before.stored(apply.uid()).isEmpty()) {
			if (answer.written() != null && answer.written().skipped()) {
				skipped(apply, before, after, answer.written());
				return;
			}
			// the server looks for conflicts first, also with an object that is not meant
			require(answer.failedAs(ObjectGoneException.class)
					|| (!apply.force() && answer.failedAs(WriteConflictException.class)),
					"the object does not exist, and that was not said");
			require(isSame(before, after), "the object of this uid was deleted, and the write had an effect");
			return;
		}
		if (answer.failedAs(WriteConflictException.class)) {
			refused(apply, before, answer);
		}
		else if (answer.failure() instanceof WriteInvalidException invalid) {
			// a manager that no longer applies the last entry of a map leaves null, which
			// the schema forbids
			require(invalid.causes()
				.stream()
				.allMatch((cause) -> cause.message().startsWith("Invalid value: \"null\"")),
					"this is valid: " + invalid.getMessage());
		}
		else if (answer.failure() != null) {
			require(!carriesUid && answer.failedAs(WriteUnreachableException.class),
					"this must not fail: " + answer.failure().getMessage());
		}
		Optional<Stored> stored = after.stored();
		require(!carriesUid || after.stored(apply.uid()).isPresent(), "it has deleted or replaced the object");
		Set<String> taken = apply.force() ? apply.fields().keySet() : Set.of();
		before.stored()
			.ifPresent((object) -> nothing(
					object.lostFields(stored.orElseThrow(), apply.manager(), taken).map((field) -> "lost: " + field)));
		answer.success().ifPresent((written) -> {
			if (written.skipped()) {
				skipped(apply, before, after, written);
			}
			else {
				nothing(stored.orElseThrow().differsFrom(apply.manager(), apply.fields()));
				answered(before, stored.orElseThrow(), written);
			}
		});
	}

	private void refused(Apply apply, Moment before, Answer answer) {
		WriteConflictException conflict = (WriteConflictException) answer.failure();
		require(!apply.force(), "a forced apply has no conflicts");
		require(!conflict.conflicts().isEmpty(), "the conflict has no fields");
		conflict.conflicts().forEach((field) -> {
			String path = field.field().substring(1);
			Stored object = before.stored().orElseThrow();
			require(object.managersOf(path).contains(field.manager()) && !field.manager().equals(apply.manager()),
					path + " is not owned by " + field.manager());
			require(!object.value(path).equals(apply.fields().get(path)), path + " has this value already");
		});
	}

	private void answered(Moment before, Stored after, Written<?> written) {
		require(written.uid().equals(after.uid()), "the uid is not the one of the object");
		require(written.resourceVersion().equals(Long.toString(after.version())), "the version is not the current one");
		boolean same = before.stored(after.uid()).filter((object) -> object.version() == after.version()).isPresent();
		require(written.changed() || same, "the object was changed, and the result says that it was not");
	}

	private void skipped(Apply apply, Moment before, Moment after, Written<?> written) {
		require(apply.sentBefore(), "nothing was sent before, since the start or the deletion");
		require(isSame(before, after), "it was skipped, and the object is another");
		long version = Long.parseLong(written.resourceVersion());
		require(before.shown(apply.uid()).orElse(0L) <= version, "the mirror shows a later version");
		require(after.shown(apply.uid()).orElse(Long.MAX_VALUE) >= version,
				"the mirror does not show this version yet");
		Stored revision = this.revisions.get(version);
		require(revision != null && revision.uid().equals(apply.uid()), "there never was this version of the object");
		if (revision != null) {
			nothing(revision.differsFrom(apply.manager(), apply.fields()).map((what) -> "it was needed: " + what));
		}
		require(!before.upToDate() || before.stored(apply.uid()).map(Stored::version).equals(Optional.of(version)),
				"the mirror was up to date, and the version is not the current one");
	}

	/** Checks the rules of a create. */
	void created(Apply create, Moment before, Moment after, Answer answer) {
		if (answer.failedAs(ObjectExistsException.class)) {
			require(before.stored().isPresent(), "there was none, and it says that there was");
			require(isSame(before, after), "it has changed the object that exists");
			return;
		}
		require(before.stored().isEmpty() || isSame(before, after), "it has changed the object that exists");
		if (answer.failure() != null) {
			require(answer.failedAs(WriteUnreachableException.class), "this must not fail");
		}
		answer.success().ifPresent((written) -> {
			require(before.stored().isEmpty() && after.stored().isPresent(), "it has created nothing");
			after.stored().ifPresent((object) -> {
				nothing(object.differsFrom(create.manager(), create.fields()));
				answered(before, object, written);
			});
		});
	}

	/** Checks the rules of a deletion. */
	void deleted(String uid, Moment before, Moment after, Answer answer, int requests) {
		if (before.stored(uid).isEmpty()) {
			require(answer.failedAs(ObjectGoneException.class) || (answer.written() != null && requests > 1),
					"the object does not exist, and that was not said");
			require(isSame(before, after), "another object was deleted");
			return;
		}
		require(answer.written() != null, "this must not fail");
		require(after.stored(uid).map(Stored::isBeingDeleted).orElse(true), "the object was not deleted");
	}

	/**
	 * An apply, or a create.
	 *
	 * @param manager who applies
	 * @param uid the uid that is carried, or empty
	 * @param force whether fields are taken over
	 * @param fields the fields
	 * @param sentBefore whether this writer has sent something to this object before
	 */
	record Apply(String manager, String uid, boolean force, Map<String, JsonNode> fields, boolean sentBefore) {

	}

}

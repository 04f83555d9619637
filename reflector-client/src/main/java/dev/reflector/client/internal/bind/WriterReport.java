package dev.reflector.client.internal.bind;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * What was found out about a type while its writer was made.
 */
final class WriterReport {

	private final List<String> problems = new ArrayList<>();

	private final List<String> hidden = new ArrayList<>();

	private final Set<String> unused;

	private final Set<String> omitted;

	private final boolean shared;

	private boolean identities;

	/**
	 * Starts a report.
	 * @param shared whether others read what is written, so that what the application
	 * hides matters
	 * @param omitted names or paths of components that are not written then
	 */
	WriterReport(boolean shared, Set<String> omitted) {
		this.shared = shared;
		this.omitted = omitted;
		this.unused = new LinkedHashSet<>(omitted);
	}

	/** A component that is read, and cannot be written. */
	void problem(Place place, String problem) {
		this.problems.add(place.described() + ": " + problem);
	}

	/** What is read and cannot be written. */
	List<String> problems() {
		return this.problems;
	}

	/** Objects refer to each other, which Jackson alone can write. */
	void identities() {
		this.identities = true;
	}

	boolean hasIdentities() {
		return this.identities;
	}

	/**
	 * A component.
	 * @param place where it is
	 * @param hidden whether the application's JSON has it not, or in another form
	 * @return whether to write it
	 */
	boolean component(Place place, BooleanSupplier hidden) {
		if (!this.shared) {
			return true;
		}
		return component(place, hidden.getAsBoolean());
	}

	private boolean component(Place place, boolean hidden) {
		if (takes(place.path()) || (hidden && takes(place.path().substring(place.path().lastIndexOf('.') + 1)))) {
			return false;
		}
		if (hidden) {
			this.hidden.add(place.path());
		}
		return true;
	}

	private boolean takes(String name) {
		this.unused.remove(name);
		return this.omitted.contains(name);
	}

	/** Paths of components that the application hides from its JSON. */
	List<String> hidden() {
		return this.hidden.stream()
			.filter((path) -> this.hidden.stream().noneMatch((other) -> path.startsWith(other + ".")))
			.distinct()
			.toList();
	}

	/** Omitted names of no component. */
	Set<String> unused() {
		return this.unused;
	}

}

package dev.reflector.client.internal.bind;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Collects what was found out about a type while its writer was created.
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
	 * @param shared whether others read the written objects, too, so that it matters what
	 * the application hides
	 * @param omitted names or paths of components that are not written for others
	 */
	WriterReport(boolean shared, Set<String> omitted) {
		this.shared = shared;
		this.omitted = omitted;
		this.unused = new LinkedHashSet<>(omitted);
	}

	/** Notes a component that is read and cannot be written. */
	void problem(Place place, String problem) {
		this.problems.add(place.described() + ": " + problem);
	}

	/** Returns the components that are read and cannot be written. */
	List<String> problems() {
		return this.problems;
	}

	/** Notes that objects refer to each other, which only Jackson can write. */
	void identities() {
		this.identities = true;
	}

	boolean hasIdentities() {
		return this.identities;
	}

	/**
	 * Notes a component.
	 * @param place its place
	 * @param hidden whether the application's JSON lacks the component, or has it in
	 * another form
	 * @return whether to write the component
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

	/** Returns the paths of components that the application hides from its own JSON. */
	List<String> hidden() {
		return this.hidden.stream()
			.filter((path) -> this.hidden.stream().noneMatch((other) -> path.startsWith(other + ".")))
			.distinct()
			.toList();
	}

	/** Returns the omitted texts that name no component. */
	Set<String> unused() {
		return this.unused;
	}

}

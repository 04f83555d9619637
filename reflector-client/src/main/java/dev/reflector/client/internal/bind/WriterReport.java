package dev.reflector.client.internal.bind;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Collects findings about a type while its writer is created. */
final class WriterReport {

	private final List<String> problems = new ArrayList<>();

	private final List<String> hidden = new ArrayList<>();

	private final Set<String> unused;

	private final Set<String> omitted;

	private final boolean shared;

	private boolean identities;

	/**
	 * Starts a report.
	 * @param shared whether other applications read the written objects, too; only then,
	 * components can be omitted or reported as hidden
	 * @param omitted names or paths of components that are not written
	 */
	WriterReport(boolean shared, Set<String> omitted) {
		this.shared = shared;
		this.omitted = omitted;
		this.unused = new LinkedHashSet<>(omitted);
	}

	/** Notes a component that can be read but not written. */
	void problem(Place place, String problem) {
		this.problems.add(place.described() + ": " + problem);
	}

	/** Returns the components that can be read but not written, each with the reason. */
	List<String> problems() {
		return this.problems;
	}

	/**
	 * Notes that objects refer to each other by ids. Only Jackson can write such objects.
	 */
	void identities() {
		this.identities = true;
	}

	boolean hasIdentities() {
		return this.identities;
	}

	/**
	 * Notes a component.
	 * @param place the place of the component
	 * @param hidden returns whether the application omits the component from its own
	 * JSON, or writes it in another form
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

	/**
	 * Returns the paths of the components that are written, but that the application
	 * omits from its own JSON or writes in another form.
	 */
	List<String> hidden() {
		return this.hidden.stream()
			.filter((path) -> this.hidden.stream().noneMatch((other) -> path.startsWith(other + ".")))
			.distinct()
			.toList();
	}

	/** Returns the entries of {@code omitted} that name no component. */
	Set<String> unused() {
		return this.unused;
	}

}

package dev.reflector.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import dev.reflector.Lister;

/**
 * Compares the indexes of a mirror with what they are made from.
 */
final class IndexCheck {

	static final String BY_SIZE = "size";

	private final Lister<Widget> mirror;

	private final List<String> findings = new ArrayList<>();

	IndexCheck(Lister<Widget> mirror) {
		this.mirror = mirror;
	}

	/** The values of the index by size, which cannot do with some sizes (E-12). */
	static List<String> bySize(Widget widget) {
		if (!isFiled(widget)) {
			throw new IllegalStateException("the index function throws");
		}
		return List.of("size " + widget.spec().size());
	}

	private static boolean isFiled(Widget widget) {
		return widget.spec().size() % 10 != 9;
	}

	/** The errors that were found, or an empty list. */
	List<String> findings() {
		if (this.mirror.size() != this.mirror.list().size()) {
			this.findings.add("the size of the mirror is " + this.mirror.size());
		}
		for (String namespace : Setup.NAMESPACES) {
			compare(Lister.NAMESPACE_INDEX, namespace, (widget) -> namespace.equals(widget.metadata().namespace()));
		}
		for (int size = 0; size < 100; size++) {
			int wanted = size;
			compare(BY_SIZE, "size " + size, (widget) -> widget.spec().size() == wanted && isFiled(widget));
		}
		return this.findings;
	}

	private void compare(String index, String value, Predicate<Widget> filter) {
		List<Widget> filtered = this.mirror.list().stream().filter(filter).toList();
		List<Widget> filed = this.mirror.byIndex(index, value);
		if (filed.size() != filtered.size() || !filed.containsAll(filtered)) {
			this.findings.add("the index " + index + " has " + filed + " for " + value + " instead of " + filtered);
		}
	}

}

package dev.reflector.client.internal.bind;

import java.util.Map;
import java.util.Set;

import dev.reflector.client.internal.frame.JsonSkipper;
import org.jspecify.annotations.Nullable;

/**
 * Makes records of a type. A type may contain itself, so the binding is created before
 * its components are set.
 */
final class RecordBinding implements Binding {

	/** The largest number of components. Each component has a bit in a {@code long}. */
	static final int MOST = Long.SIZE;

	private final DirectConstructor constructor;

	private PropertyNames names = new PropertyNames(Set.of());

	private Component[] components = {};

	private @Nullable Object[] absent = {};

	private long required;

	/**
	 * Creates a binding without components.
	 * @param constructor the constructor of the record
	 */
	RecordBinding(DirectConstructor constructor) {
		this.constructor = constructor;
	}

	/**
	 * Sets the components.
	 * @param components the components by name; a component may have several names
	 * @param absent the arguments of the constructor for absent components
	 */
	void setComponents(Map<String, Component> components, @Nullable Object[] absent) {
		this.names = new PropertyNames(components.keySet());
		this.components = components.values().toArray(Component[]::new);
		this.absent = absent;
		components.values()
			.stream()
			.filter(Component::required)
			.forEach((component) -> this.required |= 1L << component.place());
	}

	@Override
	public @Nullable Object read(BoundText text, int from, int depth) {
		JsonSkipper skipper = text.skipper();
		if (skipper.at(from) != '{' || !skipper.allows(depth + 1)) {
			return text.fault();
		}
		@Nullable Object[] values = this.absent.clone();
		long seen = 0;
		int index = skipper.space(from + 1);
		boolean more = skipper.at(index) != '}';
		while (more) {
			int nameEnd = skipper.plainName(index);
			int value = skipper.colon(nameEnd);
			if (value < 0) {
				return text.fault();
			}
			int found = this.names.find(text.bytes(), index + 1, nameEnd - 1);
			if (found < 0) {
				index = skipper.value(value, depth + 1);
			}
			else {
				Component component = this.components[found];
				long bit = 1L << component.place();
				// if a name occurs twice, Jackson decides which value is used
				values[component.place()] = ((seen & bit) == 0) ? component.read(text, value, depth + 1) : text.fault();
				seen |= bit;
				index = text.position();
			}
			index = skipper.behind(index);
			more = skipper.isMore(index);
			index = more ? skipper.space(index + 1) : index;
		}
		if (index < 0 || skipper.at(index) != '}' || (this.required & ~seen) != 0) {
			return text.fault();
		}
		text.moveTo(index + 1);
		return this.constructor.make(values);
	}

	/**
	 * A component of a record.
	 *
	 * @param place the index of the component's argument in the call of the constructor
	 * @param binding makes the value
	 * @param none the value for JSON's {@code null}
	 * @param required whether the property must be present
	 */
	record Component(int place, Binding binding, @Nullable Object none, boolean required) {

		@Nullable Object read(BoundText text, int from, int depth) {
			if (text.skipper().at(from) == 'n') {
				text.moveTo(text.skipper().value(from, depth));
				return this.none;
			}
			return this.binding.read(text, from, depth);
		}

	}

}

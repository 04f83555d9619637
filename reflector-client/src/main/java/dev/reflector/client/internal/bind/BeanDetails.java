package dev.reflector.client.internal.bind;

import java.lang.reflect.Modifier;
import java.util.Locale;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.PropertyName;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.bean.BeanDeserializer;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.bean.PropertyBasedCreator;
import tools.jackson.databind.util.IgnorePropertiesUtil;

/**
 * Gives access to protected fields of a deserializer. It is never used to read objects.
 */
final class BeanDetails extends BeanDeserializer {

	private final BeanDeserializerBase original;

	private final DeserializationContext context;

	BeanDetails(BeanDeserializer original, DeserializationContext context) {
		super(original);
		this.original = original;
		this.context = context;
	}

	/**
	 * Returns whether undeclared properties have no effect: no any-setter collects them,
	 * and the result cannot be a subclass that declares more.
	 */
	boolean isPlain() {
		return !this.original.hasAnySetter() && !this.original.isCaseInsensitive()
				&& this.original.getObjectIdReader(this.context) == null && this._unwrappedPropertyHandler == null
				&& this._externalTypeIdHandler == null && this._delegateDeserializer == null
				&& this._arrayDelegateDeserializer == null && isFixed() && caseMatters();
	}

	/**
	 * Returns whether the creator distinguishes upper and lower case. The creator has no
	 * method that returns this, so the names are looked up in other spellings.
	 */
	private boolean caseMatters() {
		PropertyBasedCreator creator = this._propertyBasedCreator;
		return creator == null || creator.properties()
			.stream()
			.map(SettableBeanProperty::getName)
			.flatMap((name) -> Stream.of(everyOtherUpper(name, 0), everyOtherUpper(name, 1)))
			.allMatch((name) -> isExact(creator.findCreatorProperty(name), name));
	}

	private boolean isExact(@Nullable SettableBeanProperty found, String name) {
		return found == null || found.getName().equals(name)
				|| found.findAliases(this.context.getConfig()).contains(PropertyName.construct(name));
	}

	/**
	 * Returns a name with every second letter in upper case. The creator finds such a
	 * name only if it ignores case.
	 */
	private static String everyOtherUpper(String name, int first) {
		StringBuilder other = new StringBuilder(name.toLowerCase(Locale.ROOT));
		for (int index = first; index < other.length(); index += 2) {
			other.setCharAt(index, Character.toUpperCase(other.charAt(index)));
		}
		return other.toString();
	}

	private boolean isFixed() {
		ValueInstantiator instantiator = this.original.getValueInstantiator();
		if (instantiator.canCreateUsingDelegate()) {
			return false;
		}
		return instantiator.canCreateFromObjectWith() ? Modifier.isFinal(handledType().getModifiers())
				: instantiator.canCreateUsingDefault();
	}

	/** Returns whether values are injected into objects of the type. */
	boolean injects() {
		return this._injectables != null;
	}

	/** Whether a declared property is ignored. */
	boolean ignores(String property) {
		return IgnorePropertiesUtil.shouldIgnore(property, this._ignorableProps, this._includableProps);
	}

}

package dev.reflector.client.internal.bind;

import java.util.Set;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.SettableAnyProperty;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.impl.ObjectIdReader;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.util.IgnorePropertiesUtil;
import tools.jackson.databind.util.NameTransformer;

/**
 * Gives access to protected fields of a deserializer that determine the form of a type in
 * JSON. It is never used to read objects.
 */
final class BeanForm extends BeanDeserializerBase {

	BeanForm(BeanDeserializerBase original) {
		super(original);
	}

	/** Whether the type has properties that the deserializer does not list. */
	boolean listsLess() {
		return this._unwrappedPropertyHandler != null || this._externalTypeIdHandler != null;
	}

	/**
	 * Returns the reader of the single value from which objects are made, or {@code null}
	 * if they are made from properties.
	 */
	@Nullable ValueDeserializer<Object> delegate() {
		return this._delegateDeserializer;
	}

	/**
	 * Returns the reader of the array from which objects are made, or {@code null} if
	 * they are not made from an array.
	 */
	@Nullable ValueDeserializer<Object> arrayDelegate() {
		return this._arrayDelegateDeserializer;
	}

	/**
	 * Returns the setter of properties that the type does not declare, or {@code null} if
	 * such properties are skipped.
	 */
	@Nullable SettableAnyProperty rest() {
		return this._anySetter;
	}

	/**
	 * Returns whether a property collects all properties that the type does not declare.
	 */
	boolean isRest(BeanProperty property) {
		AnnotatedMember rest = (this._anySetter != null) ? this._anySetter.getProperty().getMember() : null;
		return rest != null && rest.equals(property.getMember());
	}

	/** Whether a declared property is ignored. */
	boolean ignores(String property) {
		return IgnorePropertiesUtil.shouldIgnore(property, this._ignorableProps, this._includableProps);
	}

	@Override
	public BeanDeserializerBase withObjectIdReader(ObjectIdReader reader) {
		throw new UnsupportedOperationException();
	}

	@Override
	public BeanDeserializerBase withByNameInclusion(Set<String> ignored, Set<String> included) {
		throw new UnsupportedOperationException();
	}

	@Override
	public BeanDeserializerBase withIgnoreAllUnknown(boolean ignored) {
		throw new UnsupportedOperationException();
	}

	@Override
	public ValueDeserializer<Object> unwrappingDeserializer(DeserializationContext context,
			NameTransformer transformer) {
		throw new UnsupportedOperationException();
	}

	@Override
	protected BeanDeserializerBase asArrayDeserializer() {
		throw new UnsupportedOperationException();
	}

	@Override
	protected void initNameMatcher(DeserializationContext context) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Object deserializeFromObject(JsonParser parser, DeserializationContext context) {
		throw new UnsupportedOperationException();
	}

	@Override
	protected Object _deserializeUsingPropertyBased(JsonParser parser, DeserializationContext context) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Object deserialize(JsonParser parser, DeserializationContext context) {
		throw new UnsupportedOperationException();
	}

}

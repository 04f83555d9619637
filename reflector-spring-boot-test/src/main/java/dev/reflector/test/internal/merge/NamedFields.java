package dev.reflector.test.internal.merge;

import dev.reflector.test.internal.fields.FieldSet;
import dev.reflector.test.internal.fields.PathElement;
import dev.reflector.test.internal.schema.MergeSchema;
import dev.reflector.test.internal.schema.MergeSchema.ListSchema;
import dev.reflector.test.internal.schema.MergeSchema.MapSchema;
import org.jspecify.annotations.Nullable;

/**
 * Adds a field to a set if the schema names the field and the set has members below the
 * field. With this addition, a manager that owns fields below a field also counts as an
 * owner of the field itself when fields are removed.
 *
 * @param schema the schema, or {@code null} for none
 */
record NamedFields(@Nullable MergeSchema schema) implements FieldSet.Addition {

	@Override
	public boolean adds(PathElement element) {
		MapSchema map = map();
		return element instanceof PathElement.Field field && map != null && map.names(field.name());
	}

	@Override
	public FieldSet.Addition below(PathElement element) {
		MapSchema map = map();
		if (element instanceof PathElement.Field field) {
			return new NamedFields((map != null) ? map.field(field.name()) : null);
		}
		ListSchema list = (this.schema != null) ? this.schema.list() : null;
		return new NamedFields((list != null && element instanceof PathElement.Keys) ? list.element() : null);
	}

	private @Nullable MapSchema map() {
		return (this.schema != null) ? this.schema.map() : null;
	}

}

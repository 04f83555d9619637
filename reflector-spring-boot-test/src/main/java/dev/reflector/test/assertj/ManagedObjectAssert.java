package dev.reflector.test.assertj;

import java.util.List;

import dev.reflector.test.ManagedFields;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ListAssert;
import tools.jackson.databind.JsonNode;

/**
 * Assertions about who manages the fields of an object. Fields are written as in
 * {@link ManagedFields}.
 *
 * @since 0.1.0
 */
public final class ManagedObjectAssert extends AbstractAssert<ManagedObjectAssert, JsonNode> {

	ManagedObjectAssert(JsonNode object) {
		super(object, ManagedObjectAssert.class);
	}

	/**
	 * A manager owns all these fields, possibly together with others.
	 * @param manager the manager
	 * @param fields the fields
	 * @return this assertion
	 */
	public ManagedObjectAssert isManagedBy(String manager, String... fields) {
		for (String field : fields) {
			managersOf(field).contains(manager);
		}
		return this;
	}

	/**
	 * A manager owns none of these fields; without fields, nothing at all.
	 * @param manager the manager
	 * @param fields the fields
	 * @return this assertion
	 */
	public ManagedObjectAssert isNotManagedBy(String manager, String... fields) {
		if (fields.length == 0) {
			fieldsOf(manager).isEmpty();
		}
		else {
			for (String field : fields) {
				managersOf(field).doesNotContain(manager);
			}
		}
		return this;
	}

	/**
	 * The fields that a manager owns, as {@link ManagedFields#ownedBy} names them.
	 * @param manager the manager
	 * @return assertions about the fields, in order
	 */
	public ListAssert<String> fieldsOf(String manager) {
		isNotNull();
		List<String> fields = ManagedFields.of(this.actual).ownedBy(manager);
		return Assertions.assertThat(fields).as("fields of %s in %s", manager, name());
	}

	/**
	 * Those who own a field.
	 * @param field the field
	 * @return assertions about the managers, in order
	 */
	public ListAssert<String> managersOf(String field) {
		isNotNull();
		return Assertions.assertThat(ManagedFields.of(this.actual).managersOf(field))
			.as("managers of %s in %s", field, name());
	}

	private String name() {
		return this.actual.path("kind").asString("") + " " + this.actual.at("/metadata/name").asString("");
	}

}

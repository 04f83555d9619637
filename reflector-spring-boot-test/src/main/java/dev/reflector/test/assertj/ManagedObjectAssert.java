package dev.reflector.test.assertj;

import java.util.List;

import dev.reflector.test.ManagedFields;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ListAssert;
import tools.jackson.databind.JsonNode;

/**
 * Assertions about the managers of an object's fields. Fields are written as in
 * {@link ManagedFields}.
 *
 * @since 0.1.0
 */
public final class ManagedObjectAssert extends AbstractAssert<ManagedObjectAssert, JsonNode> {

	ManagedObjectAssert(JsonNode object) {
		super(object, ManagedObjectAssert.class);
	}

	/**
	 * Asserts that a manager owns all these fields, alone or together with other
	 * managers.
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
	 * Asserts that a manager owns none of these fields; without fields, that it owns no
	 * field at all.
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
	 * Returns assertions about the fields that a manager owns, as
	 * {@link ManagedFields#ownedBy} returns them.
	 * @param manager the manager
	 * @return assertions about the fields, sorted
	 */
	public ListAssert<String> fieldsOf(String manager) {
		isNotNull();
		List<String> fields = ManagedFields.of(this.actual).ownedBy(manager);
		return Assertions.assertThat(fields).as("fields of %s in %s", manager, name());
	}

	/**
	 * Returns assertions about the managers that own a field.
	 * @param field the field
	 * @return assertions about the names of the managers, sorted
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

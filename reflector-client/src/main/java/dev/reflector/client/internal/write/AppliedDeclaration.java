package dev.reflector.client.internal.write;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import dev.reflector.ResourceType;
import dev.reflector.write.AppliedResource;
import dev.reflector.write.InvalidAppliedTypeException;

/**
 * How the records of a type are applied, according to the type's {@link AppliedResource}
 * annotation.
 *
 * @param type the type
 * @param resource the collection
 * @param status whether the type is the status of an object
 * @param manager the field manager
 */
public record AppliedDeclaration(Class<?> type, ResourceType resource, boolean status, String manager) {

	/**
	 * Reads from the annotation of a type how its records are applied.
	 * @param type the type
	 * @param application the name of the application
	 * @param placeholders resolves the placeholders of a text
	 * @return the declaration
	 * @throws InvalidAppliedTypeException if the type cannot be applied
	 */
	public static AppliedDeclaration of(Class<?> type, String application, UnaryOperator<String> placeholders) {
		AppliedShape.check(type);
		AppliedResource declared = type.getAnnotation(AppliedResource.class);
		ResourceType resource;
		try {
			resource = AppliedShape.resource(placeholders.apply(declared.apiVersion()),
					placeholders.apply(declared.kind()), placeholders.apply(declared.plural()), type);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidAppliedTypeException(type, "cannot be applied: " + ex.getMessage(),
					"Correct @AppliedResource.");
		}
		String named = placeholders.apply(declared.manager());
		String manager = AppliedShape.manager(type, named.isEmpty() ? application + "/" + type.getSimpleName() : named);
		return new AppliedDeclaration(type, resource, !declared.subresource().isEmpty(), manager);
	}

	/**
	 * Checks that no two types write the same kind with the same manager. Types that are
	 * only created would not conflict, but at startup, it is not known which types are
	 * only created.
	 * @param declarations the declarations of the types
	 * @throws InvalidAppliedTypeException if two types write the same kind with the same
	 * manager
	 */
	public static void check(List<AppliedDeclaration> declarations) {
		Map<Target, AppliedDeclaration> targets = new HashMap<>();
		for (AppliedDeclaration declaration : declarations) {
			AppliedDeclaration other = targets.put(declaration.target(declaration.manager()), declaration);
			if (other != null) {
				throw declaration.sameAs(other.type(), declaration.manager(),
						"Name another one with 'manager' of @AppliedResource, or apply one record with all fields. "
								+ "If one of them is only created, name another one, too: that is not known at the "
								+ "start.");
			}
		}
	}

	Target target(String manager) {
		return new Target(this.resource.group(), this.resource.kind(), this.status, manager);
	}

	InvalidAppliedTypeException sameAs(Class<?> other, String manager) {
		return sameAs(other, manager,
				"Name another one with 'manager' of @AppliedResource, or apply one record with all fields.");
	}

	private InvalidAppliedTypeException sameAs(Class<?> other, String manager, String advice) {
		return new InvalidAppliedTypeException(this.type,
				"cannot be applied: " + other.getName() + " is applied to the same kind by the same manager '" + manager
						+ "', and each apply would have the fields of the other removed",
				advice);
	}

	/**
	 * The part of objects that one manager writes.
	 *
	 * @param group the API group
	 * @param kind the kind
	 * @param status whether the manager writes the status
	 * @param manager the field manager
	 */
	record Target(String group, String kind, boolean status, String manager) {

	}

}

package dev.reflector.test;

/**
 * The part of a collection that a request is about.
 *
 * @param namespace namespace, empty for all of them
 * @param labels what the labels must be like
 * @param fields what namespace and name must be like
 */
record Selection(String namespace, LabelSelector labels, FieldSelector fields) {

	static Selection of(String namespace, Parameters parameters) {
		return new Selection(namespace, LabelSelector.parse(parameters.text("labelSelector")),
				FieldSelector.parse(parameters.text("fieldSelector")));
	}

	/**
	 * Whether more than the namespace is asked for.
	 * @return whether a selector is present
	 */
	boolean selective() {
		return !this.labels.requirements().isEmpty() || !this.fields.terms().isEmpty();
	}

	boolean matches(StoredObject object) {
		return (this.namespace.isEmpty() || this.namespace.equals(object.namespace()))
				&& this.labels.matches(object.labels()) && this.fields.matches(object);
	}

}

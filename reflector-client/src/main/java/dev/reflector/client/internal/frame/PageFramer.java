package dev.reflector.client.internal.frame;

/**
 * Cuts the body of a list into its items as they arrive, and keeps the other fields of
 * the list.
 */
public interface PageFramer extends Framer {

	/**
	 * Returns the other fields of the list.
	 * @return the fields, as far as they have been read
	 */
	ListHead head();

	/**
	 * Checks that the body is complete: an incomplete list must never count as a shorter
	 * one.
	 */
	void finish();

}

package dev.reflector.client.internal.frame;

/**
 * Cuts the body of a list into its items while it arrives, and keeps the other fields of
 * the list.
 */
public interface PageFramer extends Framer {

	/**
	 * Returns the fields of the list other than its items.
	 * @return the fields that were read so far
	 */
	ListHead head();

	/**
	 * Checks that the body is complete, because an incomplete list must never count as a
	 * shorter list.
	 */
	void finish();

}

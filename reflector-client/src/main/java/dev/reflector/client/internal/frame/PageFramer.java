package dev.reflector.client.internal.frame;

/**
 * Cuts the body of a list into its items as they arrive, and keeps what is told of the
 * list itself.
 */
public interface PageFramer extends Framer {

	/**
	 * What the list tells of itself.
	 * @return the head, as far as it has been read
	 */
	ListHead head();

	/**
	 * Checks that the body has come to its end: a list that breaks off must never pass
	 * for a shorter one.
	 */
	void finish();

}

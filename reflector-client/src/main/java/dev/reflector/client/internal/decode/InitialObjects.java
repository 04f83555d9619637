package dev.reflector.client.internal.decode;

import dev.reflector.cache.source.WatchEvent;
import dev.reflector.client.internal.frame.MalformedResponseException;

/**
 * Looks at what a streamed list consists of. When it has objects and none of them is one
 * of the collection, it must not pass for an empty collection.
 */
public final class InitialObjects {

	private boolean own;

	private boolean others;

	private boolean complete;

	/**
	 * Takes a frame of the stream.
	 * @param event the frame
	 * @throws MalformedResponseException when the list is complete and nothing in it
	 * belongs to the collection
	 */
	public void check(WatchEvent<?> event) {
		if (this.complete) {
			return;
		}
		if (event instanceof WatchEvent.Added<?> || event instanceof WatchEvent.Modified<?>
				|| event instanceof WatchEvent.Deleted<?>) {
			this.own = true;
		}
		else if (event instanceof WatchEvent.Skipped<?> skipped) {
			// of another type, nothing is known
			boolean known = skipped.object().key() != null;
			this.own |= known;
			this.others |= !known;
		}
		else if (event instanceof WatchEvent.Bookmark<?> bookmark && bookmark.initialEventsEnd()) {
			this.complete = true;
			if (this.others && !this.own) {
				throw new MalformedResponseException("nothing in the streamed list is an object of the collection");
			}
		}
	}

}

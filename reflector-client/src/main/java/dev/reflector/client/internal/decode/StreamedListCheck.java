package dev.reflector.client.internal.decode;

import dev.reflector.cache.source.WatchEvent;
import dev.reflector.client.internal.frame.MalformedResponseException;

/**
 * Checks the events of a streamed list. If the list has objects, but none of them has the
 * type of the collection, it must not count as an empty collection.
 */
public final class StreamedListCheck {

	private boolean own;

	private boolean others;

	private boolean complete;

	/**
	 * Checks the next event of the stream.
	 * @param event the event
	 * @throws MalformedResponseException if the list is complete and has objects, but
	 * none of them has the type of the collection
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
			// an object of another type has no key
			boolean known = skipped.object().key() != null;
			this.own |= known;
			this.others |= !known;
		}
		else if (event instanceof WatchEvent.Bookmark<?> bookmark && bookmark.initialEventsEnd()) {
			this.complete = true;
			if (this.others && !this.own) {
				throw new MalformedResponseException("no object of the streamed list is of the type of the collection");
			}
		}
	}

}

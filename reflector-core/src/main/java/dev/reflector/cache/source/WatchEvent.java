package dev.reflector.cache.source;

/**
 * An event that a watch delivers: first {@link Opened}, then the frames.
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
public sealed interface WatchEvent<T> {

	/**
	 * The server has accepted the watch. This is not a frame. If a source leaves this
	 * event out, a reflector that was failing counts as failing until the next frame.
	 *
	 * @param <T> the type of the objects
	 */
	record Opened<T>() implements WatchEvent<T> {

	}

	/**
	 * The object was created, or entered the selection, or is part of the initial state.
	 *
	 * @param <T> the type of the objects
	 * @param object the object
	 * @param size its size as received, in bytes; 0 when it is not known or
	 * {@linkplain RequestListener#wantsSizes() not wanted}
	 */
	record Added<T>(T object, int size) implements WatchEvent<T> {

		/**
		 * Creates an event of unknown size.
		 * @param object the object
		 */
		public Added(T object) {
			this(object, 0);
		}

		/** Returns a text without any content of the object. */
		@Override
		public String toString() {
			return "Added[" + this.object.getClass().getSimpleName() + "]";
		}

	}

	/**
	 * The object was changed.
	 *
	 * @param <T> the type of the objects
	 * @param object the object after the change
	 * @param size its size as received, in bytes; 0 when it is not known or
	 * {@linkplain RequestListener#wantsSizes() not wanted}
	 */
	record Modified<T>(T object, int size) implements WatchEvent<T> {

		/**
		 * Creates an event of unknown size.
		 * @param object the object
		 */
		public Modified(T object) {
			this(object, 0);
		}

		/** Returns a text without any content of the object. */
		@Override
		public String toString() {
			return "Modified[" + this.object.getClass().getSimpleName() + "]";
		}

	}

	/**
	 * The object was deleted, or left the selection.
	 *
	 * @param <T> the type of the objects
	 * @param object last content of the object, with the version of the deletion
	 */
	record Deleted<T>(T object) implements WatchEvent<T> {

		/** Returns a text without any content of the object. */
		@Override
		public String toString() {
			return "Deleted[" + this.object.getClass().getSimpleName() + "]";
		}

	}

	/**
	 * The stream has reached a version.
	 *
	 * @param <T> the type of the objects
	 * @param resourceVersion the version; empty when the server names none; then the
	 * bookmark only shows that the connection is alive
	 * @param initialEventsEnd whether the initial part of a watch-list ends here: true
	 * only when the end-marker annotation has exactly the value {@code "true"}
	 */
	record Bookmark<T>(String resourceVersion, boolean initialEventsEnd) implements WatchEvent<T> {

	}

	/**
	 * The server ended the stream with an error.
	 *
	 * @param <T> the type of the objects
	 * @param status the error
	 */
	record Error<T>(Status status) implements WatchEvent<T> {

	}

	/**
	 * A frame whose object could not be read.
	 *
	 * @param <T> the type of the objects
	 * @param type type of the frame as the server spelled it, empty when it could not be
	 * read
	 * @param object what is known of the object
	 */
	record Skipped<T>(String type, SkippedObject object) implements WatchEvent<T> {

		/**
		 * Whether the frame reports a deletion.
		 * @return whether the frame's type is {@code DELETED}
		 */
		public boolean deletion() {
			return "DELETED".equals(this.type);
		}

	}

}

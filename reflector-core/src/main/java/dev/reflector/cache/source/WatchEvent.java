package dev.reflector.cache.source;

/**
 * An event of a watch. The first event is {@link Opened}; each further event is a frame
 * that the server has sent.
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
public sealed interface WatchEvent<T> {

	/**
	 * Reports that the server has accepted the watch. This is not a frame. If a source
	 * leaves this event out, a reflector that was failing still counts as failing until
	 * the next frame.
	 *
	 * @param <T> the type of the objects
	 */
	record Opened<T>() implements WatchEvent<T> {

	}

	/**
	 * Reports an object that was created, entered the selection, or is part of the
	 * initial state.
	 *
	 * @param <T> the type of the objects
	 * @param object the object
	 * @param size the size of the object as received, in bytes; 0 when it is not known or
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
	 * Reports an object that was changed.
	 *
	 * @param <T> the type of the objects
	 * @param object the object after the change
	 * @param size the size of the object as received, in bytes; 0 when it is not known or
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
	 * Reports an object that was deleted, or left the selection.
	 *
	 * @param <T> the type of the objects
	 * @param object the last content of the object, with the version of the deletion
	 */
	record Deleted<T>(T object) implements WatchEvent<T> {

		/** Returns a text without any content of the object. */
		@Override
		public String toString() {
			return "Deleted[" + this.object.getClass().getSimpleName() + "]";
		}

	}

	/**
	 * Reports that the stream has reached a version.
	 *
	 * @param <T> the type of the objects
	 * @param resourceVersion the version. Empty when the server sends none; then the
	 * bookmark only shows that the connection is alive
	 * @param initialEventsEnd whether the initial part of a watch-list ends here: true
	 * only when the end-marker annotation has exactly the value {@code "true"}
	 */
	record Bookmark<T>(String resourceVersion, boolean initialEventsEnd) implements WatchEvent<T> {

	}

	/**
	 * Reports that the server has ended the stream with an error.
	 *
	 * @param <T> the type of the objects
	 * @param status the error
	 */
	record Error<T>(Status status) implements WatchEvent<T> {

	}

	/**
	 * Reports a frame whose object could not be read.
	 *
	 * @param <T> the type of the objects
	 * @param type the type of the frame as the server spelled it, empty when it could not
	 * be read
	 * @param object the parts of the object that are known
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

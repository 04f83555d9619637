package dev.reflector.cache.source;

import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Hears when a {@link ListerWatcher} is about to deliver several events of a watch in a
 * row, and when it has. Who hands them on to another thread need not wake that for each
 * of them. The engine puts it into the context of a watch; a source that makes no use of
 * it works as well.
 *
 * @since 0.1.0
 */
public interface Burst {

	/** For a context that has none. */
	Burst NONE = new Burst() {

		@Override
		public void begins() {
		}

		@Override
		public void ends() {
		}

	};

	/**
	 * Events are about to be delivered. To be followed by {@link #ends()}, also when
	 * there were none, as soon as the source would have to wait for more.
	 */
	void begins();

	/** No event is at hand for now. */
	void ends();

	/**
	 * Puts it into a context.
	 * @param context the context
	 * @param burst who hears of it
	 * @return the context with it
	 */
	static Context in(Context context, Burst burst) {
		return context.put(Burst.class, burst);
	}

	/**
	 * That of a context.
	 * @param context the context of who has subscribed to a watch
	 * @return who hears of it, {@link #NONE} when nobody does
	 */
	static Burst of(ContextView context) {
		return context.<Burst>getOrEmpty(Burst.class).orElse(NONE);
	}

}

package dev.reflector.test.internal.read;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import dev.reflector.test.internal.api.ApiFailure;
import dev.reflector.test.internal.api.ServedType;
import dev.reflector.test.internal.format.Representation;
import dev.reflector.test.internal.store.CollectionChange;
import dev.reflector.test.internal.store.CollectionState;
import dev.reflector.test.internal.store.CollectionWatcher;
import dev.reflector.test.internal.store.ObjectRevision;
import dev.reflector.test.internal.store.ObjectStore;
import dev.reflector.test.internal.store.Selection;
import dev.reflector.test.internal.store.StoredCollection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;

/**
 * One watch stream. It has no queue of events, but only a position in the history of the
 * collection. When the client can receive more, the watch reads the next changes from the
 * history. If the client is so slow that the history no longer has these changes, the
 * watch ends. Everything runs on the event loop of the connection, except {@link #wake}
 * and {@link #finish}.
 */
final class ServedWatch implements CollectionWatcher {

	private static final int BATCH = 64;

	private static final Duration LAST_BOOKMARK = Duration.ofSeconds(2);

	private final ObjectStore store;

	/**
	 * The collection to which the watch was added. If the type is removed and added
	 * again, the type gets a new collection, which this watch does not read.
	 */
	private @Nullable StoredCollection collection;

	private final ServedType type;

	private final Selection selection;

	private final Representation representation;

	private final Channel channel;

	private final ConnectionListener connectionListener = new ConnectionListener();

	private final AtomicBoolean woken = new AtomicBoolean();

	private final List<Future<?>> timers = new ArrayList<>();

	private Iterator<ObjectRevision> initial = Collections.emptyIterator();

	private boolean oneByOne;

	private boolean endMarkerDue;

	private boolean bookmarks;

	private boolean bookmarkDue;

	private int bookmarkEvery;

	private int sinceBookmark;

	private boolean finished;

	private long seen;

	private volatile long lastVersion = Long.MAX_VALUE;

	private @Nullable FluxSink<ByteBuf> sink;

	ServedWatch(ObjectStore store, ServedType type, Selection selection, Representation representation,
			Channel channel) {
		this.store = store;
		this.type = type;
		this.selection = selection;
		this.representation = representation;
		this.channel = channel;
	}

	@Override
	public ServedType type() {
		return this.type;
	}

	/**
	 * Opens the watch. No change after this call is missed. Called once, on the event
	 * loop, before the response begins.
	 * @param plan where the watch begins and ends
	 * @return the chunks of the response, for one subscriber
	 */
	Flux<ByteBuf> open(WatchPlan plan) {
		try {
			start(plan);
		}
		catch (ApiFailure ex) {
			// W-30: if the version is too old, the watch is answered with an error event
			return Flux.just(WatchFrame.error(ex).toBuffer(this.representation));
		}
		this.channel.pipeline().addFirst(this.connectionListener);
		if (!this.channel.isActive()) {
			release();
		}
		// W-62: if the watch is compressed, each event is a gzip member
		this.oneByOne = plan.gzip();
		return Flux.create((sink) -> {
			this.sink = sink;
			sink.onDispose(() -> execute(this::release));
			// an empty chunk makes the server send the headers
			sink.next(Unpooled.EMPTY_BUFFER);
			sink.onRequest((amount) -> wake(this.type));
			if (this.finished) {
				sink.complete();
				return;
			}
			startTimers(plan);
		}, FluxSink.OverflowStrategy.BUFFER);
	}

	private void start(WatchPlan plan) {
		if (plan.begin() == WatchPlan.Begin.AFTER_VERSION) {
			// W-12: if the version does not exist yet, the watch sends nothing until it
			// exists
			this.store.openAt(this, plan.resourceVersion());
			this.seen = plan.resourceVersion();
			return;
		}
		CollectionState snapshot = this.store.openAtCurrent(this);
		this.seen = snapshot.resourceVersion();
		if (plan.begin() == WatchPlan.Begin.STATE) {
			this.initial = (plan.unordered() ? snapshot.unordered() : snapshot.objects()).iterator();
			this.endMarkerDue = plan.endMarker();
		}
	}

	private void startTimers(WatchPlan plan) {
		this.bookmarkEvery = plan.bookmarkEvery();
		schedule(this::end, plan.timeout());
		Duration interval = plan.bookmarkInterval();
		if (interval != null) {
			this.bookmarks = true;
			long nanos = interval.toNanos();
			this.timers
				.add(this.channel.eventLoop().scheduleAtFixedRate(this::bookmark, nanos, nanos, TimeUnit.NANOSECONDS));
			if (plan.timeout().compareTo(LAST_BOOKMARK) > 0) {
				schedule(this::bookmark, plan.timeout().minus(LAST_BOOKMARK));
			}
		}
	}

	private void schedule(Runnable task, Duration delay) {
		this.timers.add(this.channel.eventLoop().schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS));
	}

	@Override
	public void tellsOf(StoredCollection collection) {
		this.collection = collection;
	}

	@Override
	public StoredCollection collection() {
		return Objects.requireNonNull(this.collection);
	}

	/** Sends a bookmark, if the client allows bookmarks. */
	@Override
	public void sendBookmark() {
		execute(() -> {
			if (this.bookmarks) {
				bookmark();
			}
		});
	}

	private void bookmark() {
		this.bookmarkDue = true;
		drain();
	}

	@Override
	public void wake(ServedType type) {
		if (type.equals(this.type) && this.woken.compareAndSet(false, true)) {
			execute(() -> {
				this.woken.set(false);
				drain();
			});
		}
	}

	/** Makes the watch send the remaining changes, and then end the stream cleanly. */
	@Override
	public void finish(long resourceVersion) {
		this.lastVersion = resourceVersion;
		execute(() -> {
			tellTheRest();
			end();
		});
	}

	/**
	 * Sends the remaining changes, even if the client cannot receive them now. The sink
	 * then buffers them.
	 */
	private void tellTheRest() {
		FluxSink<ByteBuf> sink = this.sink;
		while (sink != null && !this.finished) {
			List<WatchFrame> frames = next();
			if (frames.isEmpty()) {
				return;
			}
			send(sink, frames.stream().map((frame) -> frame.toBuffer(this.representation)));
		}
	}

	private void execute(Runnable task) {
		try {
			this.channel.eventLoop().execute(task);
		}
		catch (RejectedExecutionException ex) {
			// the server has stopped and closed the connection
		}
	}

	private void end() {
		this.finished = true;
		this.store.remove(this);
		if (this.sink != null) {
			this.sink.complete();
		}
	}

	private void release() {
		this.finished = true;
		this.store.remove(this);
		if (this.channel.pipeline().context(this.connectionListener) != null) {
			this.channel.pipeline().remove(this.connectionListener);
		}
		this.timers.forEach((timer) -> timer.cancel(false));
	}

	private void drain() {
		FluxSink<ByteBuf> sink = this.sink;
		if (sink == null) {
			return;
		}
		while (!this.finished) {
			if (sink.requestedFromDownstream() == 0 || !this.channel.isWritable()) {
				// W-81: if the client does not read for too long, the watch is ended
				if (this.store.hasForgotten(this, this.seen)) {
					end();
				}
				return;
			}
			List<WatchFrame> frames = next();
			if (frames.isEmpty()) {
				return;
			}
			send(sink, frames.stream().map((frame) -> frame.toBuffer(this.representation)));
		}
	}

	private void send(FluxSink<ByteBuf> sink, Stream<ByteBuf> frames) {
		if (this.oneByOne) {
			frames.forEach(sink::next);
		}
		else {
			sink.next(Unpooled.wrappedBuffer(frames.toArray(ByteBuf[]::new)));
		}
	}

	private List<WatchFrame> next() {
		List<WatchFrame> frames = new ArrayList<>();
		while (this.initial.hasNext() && frames.size() < BATCH) {
			ObjectRevision object = this.initial.next();
			if (this.selection.matches(object)) {
				frames.add(WatchFrame.added(object));
			}
		}
		if (this.initial.hasNext()) {
			return frames;
		}
		if (this.endMarkerDue) {
			this.endMarkerDue = false;
			frames.add(WatchFrame.bookmark(this.type, this.seen, true));
		}
		while (frames.size() < BATCH) {
			ObjectStore.News news = this.store.since(this, this.seen, BATCH);
			if (news == null) {
				end();
				return frames;
			}
			for (CollectionChange change : news.changes()) {
				WatchFrame frame = WatchFrame.of(change, this.type, this.selection);
				if (frame != null && change.resourceVersion() <= this.lastVersion) {
					frames.add(frame);
					addBookmarkInTurn(frames, change.resourceVersion());
				}
			}
			this.seen = news.upTo();
			if (news.changes().size() < BATCH) {
				addDueBookmark(frames, news);
				return frames;
			}
		}
		return frames;
	}

	private void addBookmarkInTurn(List<WatchFrame> frames, long version) {
		this.sinceBookmark++;
		if (this.sinceBookmark == this.bookmarkEvery) {
			this.sinceBookmark = 0;
			frames.add(WatchFrame.bookmark(this.type, version, false));
		}
	}

	private void addDueBookmark(List<WatchFrame> frames, ObjectStore.News news) {
		// a bookmark must not be beyond the last version that the watch will send
		if (this.bookmarkDue && this.seen <= Math.min(news.newest(), this.lastVersion)) {
			this.bookmarkDue = false;
			frames.add(WatchFrame.bookmark(this.type, this.seen, false));
		}
	}

	/**
	 * Continues the watch when the client has read data, and ends the watch when the
	 * client has disconnected.
	 */
	private final class ConnectionListener extends ChannelInboundHandlerAdapter {

		@Override
		public void channelWritabilityChanged(ChannelHandlerContext context) {
			wake(ServedWatch.this.type);
			context.fireChannelWritabilityChanged();
		}

		@Override
		public void channelInactive(ChannelHandlerContext context) {
			release();
			context.fireChannelInactive();
		}

	}

}

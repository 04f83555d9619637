package dev.reflector.model;

import java.time.Duration;
import java.util.List;
import java.util.Random;

import dev.reflector.cache.config.BackoffSettings;
import dev.reflector.cache.config.Compatibility;
import dev.reflector.cache.config.ListSettings;
import dev.reflector.cache.config.QueueSettings;
import dev.reflector.cache.config.ReflectorOptions;

/**
 * The options of the reflector and of the server for a history. The first four options
 * vary with the seed, so that any thirty-six seeds in a row have all of their
 * combinations, and so does the speed. The rest is random.
 *
 * @param initialList how to get the full state
 * @param ordering order of the queue
 * @param compatibility whether client-go's defects are kept
 * @param overflow what happens when the queue of a handler is full
 * @param namespaces namespaces to mirror, empty for all
 * @param pageSize page size of lists
 * @param queueCapacity bound of the queues
 * @param speed how many times faster than the clock on the wall the reflector's time goes
 * @param backoffMillis first delay, in milliseconds of the wall
 * @param bookmarkMillis time between the server's bookmarks
 * @param historyWindow how many changes the server remembers
 * @param streams whether the server can stream a list
 * @param selective whether only objects with a label are mirrored
 * @param resyncMillis resync period in milliseconds of the wall, 0 for none
 * @param idleMillis after which silence, in milliseconds of the wall, a connection counts
 * as dead; in the reflector's time more than a second
 * @param bookmarkEvery after how many events a bookmark comes, 0 for by time only
 * @param unordered whether objects come in no particular order where none is promised
 * @param twoServers whether there is another server behind the same address
 * @param overlaps whether watches are short and the next one is opened before one ends;
 * goes round as well, so that seventy-two seeds have it with everything
 * @param keepAlive whether the client uses a connection for more than one request
 */
record Setup(ListSettings.InitialList initialList, QueueSettings.Ordering ordering, Compatibility compatibility,
		QueueSettings.Overflow overflow, List<String> namespaces, int pageSize, int queueCapacity, int speed,
		int backoffMillis, int bookmarkMillis, int historyWindow, boolean streams, boolean selective, int resyncMillis,
		int idleMillis, int bookmarkEvery, boolean unordered, boolean twoServers, boolean overlaps, boolean keepAlive) {

	/**
	 * The minimum time that watches last, in real time: longer than a busy machine needs
	 * to open one. Otherwise no watch would ever deliver anything.
	 */
	private static final Duration SHORT_WATCH = Duration.ofMillis(60);

	private static final int PATIENT_MILLIS = 3_600_000;

	static final List<String> NAMESPACES = List.of("red", "green", "blue");

	static Setup of(long seed, Random random) {
		ListSettings.InitialList[] initialLists = ListSettings.InitialList.values();
		QueueSettings.Ordering[] orderings = QueueSettings.Ordering.values();
		List<List<String>> namespaces = List.of(List.of(), List.of("red"), List.of("red", "green"));
		Compatibility[] compatibilities = Compatibility.values();
		int turn = (int) Math.floorMod(seed, 36L);
		boolean overlaps = (turn + Math.floorDiv(seed, 36L)) % 2 == 0;
		// the slower, the more of the distances is checked
		int speed = List.of(1, 20, 50).get((turn + turn / 6) % 3) * (overlaps ? 20 : 1);
		return new Setup(initialLists[turn % 3], orderings[(turn / 3) % 2], compatibilities[turn / 18],
				(random.nextInt(3) == 0) ? QueueSettings.Overflow.COALESCE : QueueSettings.Overflow.BLOCK,
				namespaces.get((turn / 6) % 3), oneOf(random, 0, 1, 2, 3, 500), oneOf(random, 1, 2, 7, 1000), speed,
				oneOf(random, 1, 3, 8), oneOf(random, 5, 60_000), oneOf(random, 3, 20, 10_000), random.nextInt(5) > 0,
				random.nextInt(4) == 0, (random.nextInt(4) == 0) ? 10 : 0, (speed == 1) ? 1500 : 300,
				oneOf(random, 0, 0, 1, 3), random.nextBoolean(), random.nextInt(5) == 0, overlaps,
				random.nextBoolean());
	}

	private static int oneOf(Random random, int... values) {
		return values[random.nextInt(values.length)];
	}

	/**
	 * Returns the same setup with a client that gives up nothing by itself, and keeps no
	 * unused connection.
	 */
	Setup patient() {
		return new Setup(this.initialList, this.ordering, this.compatibility, this.overflow, this.namespaces,
				this.pageSize, this.queueCapacity, this.speed, this.backoffMillis, this.bookmarkMillis,
				this.historyWindow, this.streams, this.selective, this.resyncMillis, PATIENT_MILLIS, this.bookmarkEvery,
				this.unordered, this.twoServers, this.overlaps, false);
	}

	/** The first delay of the back-off, in the reflector's time. */
	Duration backoff() {
		return Duration.ofMillis(this.backoffMillis).multipliedBy(this.speed);
	}

	ReflectorOptions options() {
		BackoffSettings backoff = new BackoffSettings(backoff(), backoff().multipliedBy(4), 2, 0.5,
				Duration.ofMinutes(2));
		return ReflectorOptions.builder()
			.pageSize(this.pageSize)
			.minWatchTimeout(this.overlaps ? SHORT_WATCH.multipliedBy(this.speed) : Duration.ofMinutes(5))
			.watchOverlap(SHORT_WATCH.multipliedBy(this.speed).dividedBy(5))
			.initialList(this.initialList)
			.resyncPeriod(Duration.ofMillis(this.resyncMillis).multipliedBy(this.speed))
			.backoff(backoff)
			.ordering(this.ordering)
			.queueCapacity(this.queueCapacity)
			.drainTimeout(Duration.ofHours(1))
			.compatibility(this.compatibility)
			.overflow(this.overflow)
			.build();
	}

	boolean clientGo() {
		return this.compatibility == Compatibility.CLIENT_GO;
	}

	/** Whether the full state comes as a stream. */
	boolean streamsFirst() {
		return this.initialList != ListSettings.InitialList.LIST && this.streams;
	}

	/** Whether each change is delivered on its own, even to slow listeners. */
	boolean hearsAll() {
		return this.overflow == QueueSettings.Overflow.BLOCK;
	}

	/** Whether objects of a namespace are mirrored. */
	boolean covers(String namespace) {
		return this.namespaces.isEmpty() || this.namespaces.contains(namespace);
	}

}

package dev.reflector.sample.core;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.Status;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Lists and watches the files of a folder. Numbers the changes that it finds, as a server
 * does, and remembers the latest ones, so that a watch can begin at an earlier version.
 */
final class FolderListerWatcher implements ListerWatcher<FileEntry> {

	private static final Duration INTERVAL = Duration.ofMillis(200);

	private static final int REMEMBERED = 1000;

	private final Path folder;

	private final Map<String, FileEntry> files = new HashMap<>();

	private final Deque<Found> changes = new ArrayDeque<>();

	private long version = 1;

	FolderListerWatcher(Path folder) {
		this.folder = folder;
	}

	@Override
	public Mono<ListPage<FileEntry>> list(ListOptions options) {
		return Mono.fromCallable(this::everything).subscribeOn(Schedulers.boundedElastic());
	}

	private synchronized ListPage<FileEntry> everything() throws IOException {
		scan();
		return new ListPage<>(List.copyOf(this.files.values()), Long.toString(this.version), "", List.of());
	}

	@Override
	public Flux<WatchEvent<FileEntry>> watch(WatchOptions options) {
		if (options.sendInitialEvents()) {
			return Flux.error(failure(400, "a watch cannot begin with all files, list them"));
		}
		AtomicLong reached = new AtomicLong(Long.parseLong(options.resourceVersion()));
		return Mono.fromCallable(() -> changesAfter(reached))
			.delaySubscription(INTERVAL, Schedulers.boundedElastic())
			.repeat()
			.concatMapIterable((changes) -> changes)
			.startWith(new WatchEvent.Opened<>())
			.take(options.timeout());
	}

	private synchronized List<WatchEvent<FileEntry>> changesAfter(AtomicLong reached) throws IOException {
		scan();
		long from = reached.getAndSet(this.version);
		if (from < this.version - this.changes.size()) {
			throw failure(410, "the changes after version " + from + " are forgotten");
		}
		return this.changes.stream().filter((change) -> change.version > from).map(Found::event).toList();
	}

	private static ApiException failure(int code, String message) {
		return new ApiException(message, Status.ofHttp(code, message), Duration.ZERO);
	}

	/** Compares the folder with the known files, and records the differences. */
	private void scan() throws IOException {
		Map<String, FileEntry> gone = new HashMap<>(this.files);
		try (Stream<Path> paths = Files.list(this.folder)) {
			for (Path path : paths.sorted().toList()) {
				FileEntry known = gone.remove(path.getFileName().toString());
				FileEntry file = read(path);
				if (file != null && (known == null || !known.isSameAs(file))) {
					this.files.put(file.name(), file);
					record((known != null) ? new WatchEvent.Modified<>(file) : new WatchEvent.Added<>(file));
				}
			}
		}
		for (FileEntry file : gone.values()) {
			this.files.remove(file.name());
			record(new WatchEvent.Deleted<>(
					new FileEntry(file.name(), file.size(), file.modified(), this.version + 1)));
		}
	}

	/** The file with the next version, or {@code null} for anything but a file. */
	private @Nullable FileEntry read(Path path) throws IOException {
		try {
			BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
			return attributes.isRegularFile() ? new FileEntry(path.getFileName().toString(), attributes.size(),
					attributes.lastModifiedTime().toInstant(), this.version + 1) : null;
		}
		catch (NoSuchFileException ex) {
			// deleted since; the next scan notices that it is gone
			return null;
		}
	}

	private void record(WatchEvent<FileEntry> event) {
		this.changes.add(new Found(++this.version, event));
		if (this.changes.size() > REMEMBERED) {
			this.changes.remove();
		}
	}

	/**
	 * A change that was found.
	 *
	 * @param version its number
	 * @param event the change
	 */
	private record Found(long version, WatchEvent<FileEntry> event) {

	}

}

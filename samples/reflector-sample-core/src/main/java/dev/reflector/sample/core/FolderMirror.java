package dev.reflector.sample.core;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.source.PollingListerWatcher;

/**
 * Mirrors a folder and prints its changes, until its input ends or has a line.
 */
public final class FolderMirror {

	private FolderMirror() {
	}

	/**
	 * Mirrors a folder.
	 * @param arguments the folder; by default the working directory
	 * @throws IOException when the input cannot be read
	 */
	public static void main(String... arguments) throws IOException {
		Path folder = Path.of((arguments.length > 0) ? arguments[0] : "");
		System.out.println("Mirroring " + folder.toAbsolutePath() + ", press Enter to stop");
		run(folder, System.out::println, System.in);
	}

	static void run(Path folder, Consumer<String> output, InputStream input) throws IOException {
		PollingListerWatcher<FileEntry> source = PollingListerWatcher.of(Duration.ofMillis(200),
				() -> FileEntry.of(folder), FileEntry::name);
		try (SharedInformer<FileEntry> informer = SharedInformer.builder("folder", source, source).build()) {
			informer.addEventHandler(new ResourceEventHandler<>() {

				@Override
				public void onChange(Change<FileEntry> change) {
					output.accept(
							change.type() + " " + change.object().name() + " (" + change.object().size() + " bytes)");
				}

				@Override
				public void onSynced(String resourceVersion) {
					output.accept("The mirror holds " + informer.lister().size() + " files");
				}

			});
			informer.start();
			input.read();
			informer.stop().toCompletableFuture().join();
			output.accept("Stopped");
		}
	}

}

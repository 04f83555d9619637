package dev.reflector.model;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.reflector.cache.config.ListSettings;
import dev.reflector.test.Backup;
import dev.reflector.test.RecordedRequest;

/**
 * A step of a history. It makes sense after any other step, so that any part of a history
 * is a history.
 */
sealed interface Operation {

	void run(ModelRun run);

	/** Creates an object, or changes it when it exists. */
	record Write(String namespace, String name, int size) implements Operation {

		@Override
		public void run(ModelRun run) {
			run.objects().write(this.namespace, this.name, this.size);
		}

	}

	record Delete(String namespace, String name) implements Operation {

		@Override
		public void run(ModelRun run) {
			run.objects().delete(this.namespace, this.name);
		}

	}

	/** Deletes an object and creates another of the same name at once. */
	record Recreate(String namespace, String name, int size) implements Operation {

		@Override
		public void run(ModelRun run) {
			run.objects().delete(this.namespace, this.name);
			run.objects().write(this.namespace, this.name, this.size);
		}

	}

	/** Makes an object one that cannot be read. */
	record Spoil(String namespace, String name) implements Operation {

		@Override
		public void run(ModelRun run) {
			run.objects().spoil(this.namespace, this.name);
		}

	}

	/** Moves an object in or out of the selection. */
	record Select(String namespace, String name, boolean selected) implements Operation {

		@Override
		public void run(ModelRun run) {
			run.objects().select(this.namespace, this.name, this.selected);
		}

	}

	record Burst(String namespace, int writes) implements Operation {

		@Override
		public void run(ModelRun run) {
			for (int i = 0; i < this.writes; i++) {
				run.objects().write(this.namespace, "w" + i % 7, i);
				if (i % 5 == 4) {
					run.objects().delete(this.namespace, "w" + i % 3);
				}
			}
		}

	}

	record Compact() implements Operation {

		@Override
		public void run(ModelRun run) {
			run.server().compact();
		}

	}

	/** Makes a backup, writes something, and goes back to the backup (E-14). */
	record Restore(String namespace, int writes) implements Operation {

		@Override
		public void run(ModelRun run) {
			Backup backup = run.server().backup();
			new Burst(this.namespace, this.writes).run(run);
			run.restore(backup);
		}

	}

	/**
	 * Leads clients to the server that lags behind, if there is one, or back to the main
	 * server.
	 */
	record SwitchServer(boolean caughtUp) implements Operation {

		@Override
		public void run(ModelRun run) {
			run.switchServer(this.caughtUp);
		}

	}

	record CloseWatches() implements Operation {

		@Override
		public void run(ModelRun run) {
			run.server().closeWatches();
		}

	}

	record StopServer() implements Operation {

		@Override
		public void run(ModelRun run) {
			run.server().stop();
		}

	}

	record StartServer() implements Operation {

		@Override
		public void run(ModelRun run) {
			run.server().start();
		}

	}

	record Fail(Target target, int times, Trouble trouble) implements Operation {

		@Override
		public void run(ModelRun run) {
			run.harmed(this.trouble, this.times);
			// a list would lose what is held back, and has no place for bookmarks
			Predicate<RecordedRequest> requests = switch (this.trouble.harm()) {
				case REORDERS, TURNS_BACK, OF_WATCHES -> this.target.requests.and(RecordedRequest::isWatch);
				case OF_LISTS, MISNUMBERS -> this.target.requests.and(RecordedRequest::isList);
				default -> this.target.requests;
			};
			this.trouble.play(run.server(), requests, this.times, run.played()::add);
		}

	}

	record ClearFaults() implements Operation {

		@Override
		public void run(ModelRun run) {
			run.server().clearFaults();
		}

	}

	record Relist() implements Operation {

		@Override
		public void run(ModelRun run) {
			run.relist();
		}

	}

	record Resync() implements Operation {

		@Override
		public void run(ModelRun run) {
			run.reflector().resync();
		}

	}

	record Pause() implements Operation {

		@Override
		public void run(ModelRun run) {
			run.pause();
		}

	}

	record Resume() implements Operation {

		@Override
		public void run(ModelRun run) {
			run.resume();
		}

	}

	record Stop(boolean awaited) implements Operation {

		@Override
		public void run(ModelRun run) {
			run.stopReflector(this.awaited);
		}

	}

	record Start() implements Operation {

		@Override
		public void run(ModelRun run) {
			run.startReflector();
		}

	}

	/** Restarts the reflector without waiting for its end. */
	record Restart() implements Operation {

		@Override
		public void run(ModelRun run) {
			run.stopReflector(false);
			run.startReflector();
		}

	}

	/** Makes the listeners slow or quick. */
	record Slow(int micros) implements Operation {

		@Override
		public void run(ModelRun run) {
			run.ledgers().forEach((ledger) -> ledger.slow(this.micros));
		}

	}

	/** Makes one of the listeners throw on each change, or no more. */
	record Throw(int listener, boolean throwing) implements Operation {

		@Override
		public void run(ModelRun run) {
			run.ledgers().get(this.listener).throwing(this.throwing);
		}

	}

	/** Waits for some time. */
	record Rest(int millis) implements Operation {

		@Override
		public void run(ModelRun run) {
			run.rest(this.millis);
		}

	}

	/**
	 * Waits until the mirror equals the server, which it must in the end, and is
	 * watching, so that the next watch is asked for when this one ends.
	 */
	record Converge(String when) implements Operation {

		@Override
		public void run(ModelRun run) {
			if (run.converges(this.when)) {
				run.expect(Patience.await(run::follows), this.when + " it does not watch");
			}
		}

	}

	/** Writes now and then until a trouble has been played so often. */
	record Played(Trouble.Kind kind, int times) implements Operation {

		private static final Duration MOMENT = Duration.ofMillis(10);

		@Override
		public void run(ModelRun run) {
			BooleanSupplier enough = () -> Collections.frequency(run.played(), this.kind) >= this.times;
			long from = System.nanoTime();
			int writes = 0;
			while (!Patience.await(MOMENT, enough) && System.nanoTime() - from < Patience.LONGEST.toNanos()) {
				run.objects().write("red", "w1", ++writes % 9);
			}
			run.expect(enough.getAsBoolean(), this.kind + " is not played, but " + run.played());
		}

	}

	/** The requests that a fault is for. */
	enum Target {

		LISTS(RecordedRequest::isList),

		NEXT_PAGES((request) -> request.isList() && request.parameter("continue") != null),

		STREAMS((request) -> request.isWatch() && request.parameter("sendInitialEvents") != null),

		WATCHES((request) -> request.isWatch() && request.parameter("sendInitialEvents") == null),

		ALL((request) -> true);

		private final Predicate<RecordedRequest> requests;

		Target(Predicate<RecordedRequest> requests) {
			this.requests = requests;
		}

		/** Returns the targets for which a reflector with this setup sends requests. */
		static List<Target> of(Setup setup) {
			boolean lists = setup.initialList() != ListSettings.InitialList.STREAM || !setup.streams();
			boolean pages = lists && setup.pageSize() > 0 && setup.pageSize() < 10;
			return Stream.of(Target.values()).filter((target) -> switch (target) {
				case LISTS -> lists;
				case NEXT_PAGES -> pages;
				case STREAMS -> setup.streamsFirst();
				default -> true;
			}).toList();
		}

	}

}

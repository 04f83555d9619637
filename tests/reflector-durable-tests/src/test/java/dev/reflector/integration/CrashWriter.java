package dev.reflector.integration;

import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import dev.reflector.test.ResourceCollection;
import tools.jackson.databind.JsonNode;

/**
 * Creates, changes and deletes widgets at random on a separate thread, and enters each
 * write into the ledger.
 */
final class CrashWriter implements AutoCloseable {

	private static final int NAMES = 30;

	private static final String[] COLOURS = { "RED", "GREEN", WidgetRelease.UNKNOWN_COLOUR };

	private final ResourceCollection widgets;

	private final DurableLedger ledger;

	private final Random random;

	/** Held while something is written, and to have nothing written. */
	private final ReentrantLock writing = new ReentrantLock(true);

	private final Thread thread = new Thread(this::run, "writer");

	/** How many of the colours are written. */
	private int colours = COLOURS.length;

	private int added;

	private volatile boolean ends;

	CrashWriter(ResourceCollection widgets, DurableLedger ledger, long seed) {
		this.widgets = widgets;
		this.ledger = ledger;
		this.random = new Random(seed);
		this.thread.start();
	}

	private void run() {
		try {
			while (!this.ends) {
				quietly(this::writeUnlessEnded);
				TimeUnit.MILLISECONDS.sleep(this.random.nextInt(100));
			}
		}
		catch (InterruptedException ex) {
			// it ends
		}
	}

	private void writeUnlessEnded() {
		if (!this.ends) {
			write();
		}
	}

	/** Creates an object with a new name, and deletes the one that was created before. */
	void addOne() {
		quietly(() -> {
			if (this.added > 0) {
				delete("n" + this.added);
			}
			this.added++;
			apply("n" + this.added);
		});
	}

	private String name() {
		return "w" + this.random.nextInt(NAMES);
	}

	private void write() {
		String name = name();
		switch (this.random.nextInt(6)) {
			case 0, 1 -> {
				if (this.widgets.get("default", name).isPresent()) {
					delete(name);
				}
				else {
					apply(name);
				}
			}
			case 2 -> {
				// several incarnations within the time of a commit
				apply(name);
				delete(name);
				apply(name);
			}
			default -> apply(name);
		}
	}

	private void apply(String name) {
		String colour = COLOURS[this.random.nextInt(this.colours)];
		JsonNode object = this.widgets.apply(Map.of("metadata", Map.of("namespace", "default", "name", name), "spec",
				Map.of("size", this.random.nextInt(1000), "colour", colour, "note", "of " + name)));
		this.ledger.wrote("default/" + name, object.at("/metadata/resourceVersion").asString(),
				!colour.equals(WidgetRelease.UNKNOWN_COLOUR));
	}

	private void delete(String name) {
		this.widgets.delete("default", name);
		this.ledger.deleted("default/" + name, this.widgets.resourceVersion());
	}

	/** Does something while nothing is written, and all writes are in the ledger. */
	void quietly(Runnable work) {
		this.writing.lock();
		try {
			work.run();
		}
		finally {
			this.writing.unlock();
		}
	}

	/**
	 * Recolours or deletes what a stricter release cannot read, and writes no more of it.
	 */
	void retireColour() {
		quietly(() -> {
			this.colours = COLOURS.length - 1;
			this.widgets.list()
				.stream()
				.filter((object) -> object.at("/spec/colour").asString().equals(WidgetRelease.UNKNOWN_COLOUR))
				.map((object) -> object.at("/metadata/name").asString())
				.toList()
				.forEach((name) -> {
					if (name.startsWith("w") && this.random.nextBoolean()) {
						delete(name);
					}
					else {
						apply(name);
					}
				});
		});
	}

	/** Writes all colours again. */
	void allColours() {
		quietly(() -> this.colours = COLOURS.length);
	}

	/** Waits until the last write is done, and ends the writer. */
	@Override
	public void close() {
		quietly(() -> this.ends = true);
	}

}

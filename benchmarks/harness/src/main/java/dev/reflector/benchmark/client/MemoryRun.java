package dev.reflector.benchmark.client;

import java.nio.ByteBuffer;
import java.util.Locale;

import dev.reflector.benchmark.server.Dataset;
import dev.reflector.benchmark.server.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Makes a parser bind objects that are already in memory.
 */
public final class MemoryRun {

	private final byte[][] items;

	private final Parser parser;

	private final Meter meter = new Meter();

	/** The last result, stored so that the compiler cannot leave out its computation. */
	private volatile @Nullable Object last;

	private MemoryRun(byte[][] items, Parser parser) {
		this.items = items;
		this.parser = parser;
	}

	/**
	 * Binds every object once for the figures of a list, and then as many objects as
	 * requested for the figures of a burst.
	 * @param args the kind, how many objects, and how many to bind for a burst
	 * @param parser the parser
	 */
	public static void main(String[] args, Parser parser) {
		Dataset dataset = new Dataset(Kind.valueOf(args[0]), Integer.parseInt(args[1]), 0);
		byte[][] items = new byte[dataset.size()][];
		for (int i = 0; i < items.length; i++) {
			items[i] = new byte[dataset.itemLength(i)];
			dataset.item(ByteBuffer.wrap(items[i]), i);
		}
		MemoryRun run = new MemoryRun(items, parser);
		run.list();
		int events = Integer.parseInt(args[2]);
		run.burst(events / 5, "warm");
		run.burst(events, "burst");
		System.out.println("complete=true");
	}

	private void list() {
		long empty = this.meter.retained();
		Meter.Reading begin = this.meter.read();
		Object[] objects = new Object[this.items.length];
		for (int i = 0; i < objects.length; i++) {
			objects[i] = this.parser.parse(this.items[i]);
		}
		Meter.Reading end = this.meter.read();
		print("sync.seconds", (end.nanos() - begin.nanos()) / 1e9);
		print("sync.cpuSeconds", end.cpuSecondsSince(begin));
		print("sync.allocatedBytes", end.allocatedSince(begin));
		print("retained.bytesPerObject", (double) (this.meter.retained() - empty) / objects.length);
		this.last = objects;
	}

	private void burst(int events, String name) {
		Meter.Reading begin = this.meter.read();
		for (int i = 0; i < events; i++) {
			this.last = this.parser.parse(this.items[i % this.items.length]);
		}
		Meter.Reading end = this.meter.read();
		print(name + ".eventsPerSecond", events * 1e9 / (end.nanos() - begin.nanos()));
		print(name + ".cpuMicrosPerEvent", end.cpuSecondsSince(begin) * 1e6 / events);
		print(name + ".allocatedBytesPerEvent", (double) end.allocatedSince(begin) / events);
	}

	private static void print(String name, double value) {
		System.out.println(name + "=" + String.format(Locale.ROOT, "%.6f", value));
	}

	/**
	 * Binds an object.
	 */
	@FunctionalInterface
	public interface Parser {

		/**
		 * Binds an object.
		 * @param json its text
		 * @return the object
		 */
		Object parse(byte[] json);

	}

}

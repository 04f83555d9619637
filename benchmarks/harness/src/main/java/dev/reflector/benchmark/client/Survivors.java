package dev.reflector.benchmark.client;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The heap immediately after a young collection.
 *
 * @param heap all objects, those included that were collected into the old generation and
 * that nothing refers to any more
 * @param updates how many changes listeners had received
 * @param young the young collections until then
 * @param old the collections of the old generation until then
 */
record Survivors(Histogram heap, long updates, Collections young, Collections old) {

	private static final String YOUNG = "Copy";

	private static final String OLD = "MarkSweepCompact";

	private static final int CHUNK = 64 * 1024;

	/** A field, because the compiler leaves out an array that nothing can read. */
	@SuppressWarnings("unused")
	private static volatile byte[] garbage = new byte[0];

	/** Causes a young collection and counts what is on the heap after it. */
	static Survivors now(Probe probe) {
		long before = collections(YOUNG).count();
		while (collections(YOUNG).count() == before) {
			garbage = new byte[CHUNK];
		}
		return new Survivors(Histogram.all(), probe.updates(), collections(YOUNG), collections(OLD));
	}

	private static Collections collections(String name) {
		return ManagementFactory.getGarbageCollectorMXBeans()
			.stream()
			.filter((bean) -> bean.getName().equals(name))
			.findFirst()
			.map(Collections::of)
			.orElseThrow(() -> new IllegalStateException("survivors are counted with the serial collector only"));
	}

	/**
	 * Returns what survived between two moments.
	 * @param earlier the first moment
	 * @return figures by name
	 */
	Map<String, Double> since(Survivors earlier) {
		if (this.old.count() != earlier.old.count()) {
			throw new IllegalStateException("the old generation was collected");
		}
		double events = this.updates - earlier.updates;
		double collections = this.young.count() - earlier.young.count();
		Map<String, Double> figures = new LinkedHashMap<>();
		figures.put("survivors.eventsPerCollection", events / collections);
		figures.put("survivors.millisPerCollection", (this.young.millis() - earlier.young.millis()) / collections);
		this.heap.since(earlier.heap)
			.forEach((name, bytes) -> figures.put("survivors.bytesPerEvent/" + name, bytes / events));
		return figures;
	}

	/**
	 * The collections of one generation.
	 *
	 * @param count how many
	 * @param millis how long all of them took
	 */
	record Collections(long count, long millis) {

		static Collections of(GarbageCollectorMXBean bean) {
			return new Collections(bean.getCollectionCount(), bean.getCollectionTime());
		}

	}

}

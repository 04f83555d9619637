package dev.reflector.model;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A history and its setup. The same seed always gives the same history.
 *
 * @param seed the seed
 * @param setup what it is run with
 * @param operations all operations of the seed
 * @param kept the positions of those that are run
 */
record History(long seed, Setup setup, List<Operation> operations, List<Integer> kept) {

	private static final int LONGEST = 40;

	/** About how many of them there are in a history. */
	private static final int TROUBLES = 5;

	static History of(long seed) {
		Random random = new Random(seed * 0x9E3779B97F4A7C15L);
		Setup setup = Setup.of(seed, random);
		int length = 8 + random.nextInt(LONGEST - 8);
		List<Operation> operations = new ArrayList<>();
		int start = random.nextInt(5);
		List<Operation.Target> targets = Operation.Target.of(setup);
		// the kinds of trouble go round with the seed
		Iterator<Trouble.Kind> troubles = Stream.iterate(seed * TROUBLES, (number) -> number + 1)
			.map((number) -> Trouble.Kind.values()[Math.floorMod(number, Trouble.Kind.values().length)])
			.iterator();
		for (int i = 0; i < length; i++) {
			Operation operation = (i == start) ? new Operation.Start() : operation(random, targets, troubles);
			operations.add(operation);
			if (operation instanceof Operation.Fail fail && i > start) {
				provoke(fail, random, operations);
			}
		}
		return new History(seed, setup, List.copyOf(operations),
				IntStream.range(0, operations.size()).boxed().toList());
	}

	/**
	 * Adds operations that usually play the fault: soon after it was set, and during
	 * other operations.
	 */
	private static void provoke(Operation.Fail fail, Random random, List<Operation> operations) {
		boolean follows = fail.target() == Operation.Target.WATCHES || fail.target() == Operation.Target.ALL;
		switch (random.nextInt(4)) {
			case 0 -> {
				return;
			}
			case 1 -> operations.add(new Operation.Restart());
			case 2 -> operations.add(follows ? new Operation.CloseWatches() : new Operation.Relist());
			default -> {
				if (!follows) {
					operations.add(new Operation.Compact());
				}
				operations.add(new Operation.CloseWatches());
			}
		}
		operations.add(new Operation.Rest(5 + random.nextInt(10)));
		operations.add(new Operation.Burst(Setup.NAMESPACES.get(random.nextInt(2)), 4 + random.nextInt(16)));
		operations.add(new Operation.Rest(random.nextInt(20)));
	}

	private static Operation operation(Random random, List<Operation.Target> targets, Iterator<Trouble.Kind> troubles) {
		String namespace = Setup.NAMESPACES.get(random.nextInt(Setup.NAMESPACES.size()));
		String name = "w" + random.nextInt(6);
		int kind = random.nextInt(110);
		if (kind < 20) {
			return new Operation.Write(namespace, name, random.nextInt(100));
		}
		if (kind < 28) {
			return new Operation.Delete(namespace, name);
		}
		if (kind < 33) {
			return new Operation.Recreate(namespace, name, random.nextInt(100));
		}
		if (kind < 36) {
			return new Operation.Spoil(namespace, name);
		}
		if (kind < 39) {
			return new Operation.Select(namespace, name, random.nextBoolean());
		}
		if (kind < 44) {
			return new Operation.Burst(namespace, 5 + random.nextInt(60));
		}
		if (kind < 58 || kind >= 100) {
			return fail(Trouble.of(troubles.next(), random), targets, random);
		}
		return disturbance(kind, namespace, random);
	}

	private static Operation fail(Trouble trouble, List<Operation.Target> targets, Random random) {
		int drawn = random.nextInt(targets.size() + 2);
		Operation.Target target = (drawn < targets.size()) ? targets.get(drawn) : Operation.Target.WATCHES;
		Operation.Target only = trouble.kind().target();
		boolean page = only == Operation.Target.LISTS && target == Operation.Target.NEXT_PAGES;
		if (only != Operation.Target.ALL && !page) {
			target = only;
		}
		return new Operation.Fail(target, 1 + random.nextInt(4), trouble);
	}

	private static Operation disturbance(int kind, String namespace, Random random) {
		if (kind < 62) {
			return new Operation.Compact();
		}
		if (kind < 66) {
			return (kind == 65) ? new Operation.Restore(namespace, 1 + random.nextInt(20))
					: new Operation.CloseWatches();
		}
		if (kind < 68) {
			return new Operation.StopServer();
		}
		if (kind < 70) {
			return new Operation.StartServer();
		}
		if (kind < 71) {
			return new Operation.ClearFaults();
		}
		if (kind < 74) {
			return new Operation.Relist();
		}
		if (kind < 76) {
			return new Operation.Resync();
		}
		if (kind < 78) {
			return new Operation.Pause();
		}
		if (kind < 81) {
			return new Operation.Resume();
		}
		if (kind < 83) {
			return new Operation.Stop(random.nextBoolean());
		}
		if (kind < 86) {
			return new Operation.Start();
		}
		if (kind < 89) {
			return new Operation.Slow(random.nextInt(2) * (1 + random.nextInt(2)) * 500);
		}
		if (kind < 91) {
			return new Operation.Throw(random.nextInt(2), random.nextInt(3) == 0);
		}
		if (kind < 93) {
			return new Operation.Restart();
		}
		if (kind < 95) {
			return new Operation.SwitchServer(random.nextBoolean());
		}
		return new Operation.Rest(random.nextInt(12));
	}

	/** Returns the same history with only some of its operations. */
	History only(List<Integer> positions) {
		return new History(this.seed, this.setup, this.operations, List.copyOf(positions));
	}

	List<Operation> script() {
		return this.kept.stream().map(this.operations::get).toList();
	}

	/** The properties that run this history again. */
	String replay() {
		String positions = this.kept.stream().map(String::valueOf).collect(Collectors.joining(","));
		return "-Dreflector.model.seed=" + this.seed
				+ ((this.kept.size() < this.operations.size()) ? " -Dreflector.model.only=" + positions : "");
	}

	@Override
	public String toString() {
		return "seed " + this.seed + ", " + this.setup + "\n"
				+ this.kept.stream()
					.map((position) -> "  " + position + ": " + this.operations.get(position))
					.collect(Collectors.joining("\n"))
				+ "\nreplay with " + replay();
	}

}

package dev.reflector.benchmark.scaling;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.ReflectorStatus;
import dev.reflector.leaderelection.LeaderElector;
import dev.reflector.sharding.membership.ShardMembership;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * One replica of an application. It reports when it is ready to begin, begins on command,
 * and then answers {@code report}, {@code heap} and {@code stop}.
 */
@SpringBootApplication(proxyBeanMethods = false)
public class Replica {

	/**
	 * Runs a replica.
	 * @param args properties of the application; {@code own} for one that notes when it
	 * owns which slot
	 */
	public static void main(String[] args) {
		Lines lines = new Lines();
		Tally tally = new Tally();
		ApplicationContextInitializer<GenericApplicationContext> beans = (context) -> {
			context.registerBean(Tally.class, () -> tally);
			context.registerBean(Gate.class, () -> new Gate(() -> {
				Processor.settle();
				lines.answer(Answers.heap());
				lines.next();
			}));
		};
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Replica.class).initializers(beans)
			.properties("logging.level.root=warn", "spring.main.banner-mode=off",
					"reflector.startup.wait-for-sync=false")
			.run(Arrays.stream(args).filter((arg) -> arg.startsWith("--")).toArray(String[]::new));
		ShardMembership membership = context.getBeanProvider(ShardMembership.class).getIfAvailable();
		boolean own = membership != null && Arrays.asList(args).contains("own");
		Answers answers = new Answers(context, tally, membership, own ? Ownership.of(membership) : null);
		String question = lines.next();
		while (question != null && !question.equals("stop")) {
			lines.answer(question.equals("heap") ? Answers.heap() : answers.report());
			question = lines.next();
		}
		if (question != null) {
			context.close();
			lines.answer(answers.slots());
		}
		// the replica ends with the process that has started it
		Runtime.getRuntime().halt(0);
	}

	/**
	 * The answers to commands.
	 */
	private static final class Answers {

		private final Lister<?> lister;

		private final Reflector<?> reflector;

		private final @Nullable LeaderElector elector;

		private final Tally tally;

		private final @Nullable ShardMembership membership;

		private final @Nullable Ownership ownership;

		private Answers(ConfigurableApplicationContext context, Tally tally, @Nullable ShardMembership membership,
				@Nullable Ownership ownership) {
			this.lister = context.getBean(Lister.class);
			this.reflector = context.getBean(Reflector.class);
			this.elector = context.getBeanProvider(LeaderElector.class).getIfAvailable();
			this.tally = tally;
			this.membership = membership;
			this.ownership = ownership;
		}

		/** Bytes of the heap that are in use once everything is collected that can be. */
		static Map<String, Object> heap() {
			long least = Long.MAX_VALUE;
			for (int i = 0; i < 3; i++) {
				System.gc();
				least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
			}
			return Map.of("heap", least, "cpu", Processor.used());
		}

		Map<String, Object> report() {
			Map<String, Object> report = new LinkedHashMap<>();
			report.put("cpu", Processor.used());
			report.put("size", this.lister.size());
			report.put("additions", this.tally.additions());
			report.put("updates", this.tally.updates());
			report.put("lists", this.reflector.status().counts().lists());
			report.put("watches", this.reflector.status().counts().watches());
			ReflectorStatus.Shard shard = this.reflector.shard();
			report.put("filteredBy", (shard != null) ? shard.filteredBy() : "NOBODY");
			report.put("leading", this.elector != null && this.elector.isLeader());
			ShardMembership membership = this.membership;
			report.put("member", membership != null && membership.isMember());
			report.put("desired", (membership != null) ? membership.desired().size() : 0);
			report.putAll(slots());
			return report;
		}

		/**
		 * Returns the times at which each slot was acquired, delivered and given up, and
		 * how many slots are owned and how many of their objects were delivered.
		 */
		Map<String, Object> slots() {
			Map<String, Object> slots = new LinkedHashMap<>();
			ShardMembership membership = this.membership;
			if (membership == null) {
				return slots;
			}
			Ownership ownership = this.ownership;
			if (ownership != null) {
				ownership.refresh();
			}
			int owned = 0;
			long told = 0;
			for (int slot = 0; slot < Tally.SLOTS.count(); slot++) {
				boolean own = (ownership != null) ? ownership.isOwned(slot) : membership.isOwner(slot);
				if (own) {
					owned++;
					told += this.tally.told(slot);
				}
				if (ownership != null) {
					slots.put(own ? "owned." + slot : "lost." + slot,
							own ? ownership.beganAt(slot) : ownership.endedAt(slot));
					if (own) {
						slots.put("told." + slot, this.tally.toldAt(slot));
					}
				}
			}
			slots.put("owned", owned);
			slots.put("told", told);
			return slots;
		}

	}

}

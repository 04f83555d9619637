package com.example.fleet;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;

import dev.reflector.ResourceType;
import dev.reflector.autoconfigure.ReflectorOptionsCustomizer;
import dev.reflector.cache.config.BackoffSettings;
import dev.reflector.cache.config.ListSettings;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.RelistReason;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.informer.Instrumentation;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.SkippedObject;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The guide's code about observed reflectors, and about a reflector without Spring.
 */
@Configuration(proxyBeanMethods = false)
class Fleet {

	private final Queue<String> alarms = new ConcurrentLinkedQueue<>();

	Queue<String> alarms() {
		return this.alarms;
	}

	// tag::observer[]
	@Bean
	Instrumentation alarmingObservers() {
		return new Instrumentation() {

			@Override
			public ReflectorObserver observer(String reflector) {
				return new Alarms(reflector, Fleet.this.alarms);
			}

		};
	}

	private record Alarms(String reflector, Queue<String> alarms) implements ReflectorObserver {

		@Override
		public void relisting(RelistReason reason) {
			this.alarms.add(this.reflector + " lists again: " + reason);
		}

		@Override
		public void skipped(SkippedObject object) {
			this.alarms.add(this.reflector + " leaves out " + object.key() + ": " + object.reason());
		}

	}
	// end::observer[]

	// tag::options[]
	@Bean
	ReflectorOptionsCustomizer smallPages() {
		return (reflector, options) -> {
			if (reflector.equals("sites")) {
				options.initialList(ListSettings.InitialList.LIST).pageSize(50);
			}
		};
	}
	// end::options[]

	@Bean
	ByHand byHand(TimeSource time, @Qualifier("reflectorTaskExecutor") Executor threads) {
		return new ByHand(time, threads);
	}

	/**
	 * Makes reflectors.
	 */
	static final class ByHand {

		private final TimeSource time;

		private final Executor threads;

		ByHand(TimeSource time, Executor threads) {
			this.time = time;
			this.threads = threads;
		}

		// tag::by-hand[]
		SharedInformer<Site> follow(ListerWatcher<Site> source, ResourceEventHandler<Site> handler) {
			ReflectorOptions options = ReflectorOptions.builder()
				.backoff(new BackoffSettings(Duration.ofSeconds(1), Duration.ofMinutes(1), 2, 0.5,
						Duration.ofMinutes(5)))
				.build();
			SharedInformer<Site> informer = SharedInformer
				.builder("sites-by-hand", source, MetadataAccessor.forType(Site.class))
				.resourceType(ResourceType.of("example.com/v1", "Site", "sites"))
				.options(options)
				.time(this.time)
				.threads(this.threads)
				.build();
			informer.addEventHandler(handler);
			informer.start();
			return informer;
		}
		// end::by-hand[]

	}

}

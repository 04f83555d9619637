package dev.reflector.event;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import dev.reflector.ObjectMeta;
import dev.reflector.Reflector;
import dev.reflector.ResourceKey;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.internal.call.ListenerCall;
import dev.reflector.cache.internal.call.SlowListeners;
import dev.reflector.event.DeliveryPolicy.OnError;
import dev.reflector.event.ListenerFailureTests.Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests of {@link ReflectorListenerBeans}: listener beans that fail or are slow.
 */
@ExtendWith(OutputCaptureExtension.class)
class ListenerBeanTests {

	@SuppressWarnings("unchecked")
	private final Reflector<Pod> reflector = mock(Reflector.class);

	private final ListenerFailureTests.Time time = new ListenerFailureTests.Time();

	private final Log log = new Log(this.time);

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	@BeforeEach
	void start() {
		given(this.reflector.name()).willReturn("pods");
		this.context.registerBean(Log.class, () -> this.log);
		this.context.register(Listeners.class);
		this.context.refresh();
		new ListenerCall(this.time,
				new SlowListeners("pods",
						ReflectorOptions.builder().slowListenerThreshold(Duration.ofSeconds(5)).build().delivery(),
						this.time, Stream::empty))
			.attach();
	}

	@AfterEach
	void close() {
		ListenerCall.detach();
		this.context.close();
	}

	private ReflectorEventPublisher<Pod> publisher(OnError onError) {
		return new ReflectorEventPublisher<>(Pod.class, this.reflector, this.context,
				new DeliveryPolicy(onError, 3, Duration.ZERO, 1, Duration.ofSeconds(1)), this.time);
	}

	private static Change<Pod> change(Change.Type type) {
		Pod pod = new Pod(ObjectMeta.of("default", "a"));
		return new Change<>(type, new ResourceKey("default", "a"), pod, null, "42", false, false, Change.Cause.WATCH);
	}

	@Test
	void eachIsCalledOnceInItsOrder() {
		publisher(OnError.LOG).onChange(change(Change.Type.ADDED));
		assertThat(this.log.calls).containsExactly("prioritized", "annotated 1", "lambda 2", "method 3", "ordered 4",
				"proxied", "lazy", "prototype");
	}

	@Test
	void eachHearsItsEventsOnly() {
		publisher(OnError.LOG).onChange(change(Change.Type.DELETED));
		assertThat(this.log.calls).containsExactly("method 3");
		this.log.calls.clear();
		publisher(OnError.LOG).onSynced("7");
		assertThat(this.log.calls).containsExactly("synced");
	}

	@Test
	void oneThatThrowsDoesNotKeepOthersFromHearing() {
		this.log.failing = List.of("annotated 1", "lambda 2");
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> publisher(OnError.LOG).onChange(change(Change.Type.ADDED)))
			.withMessage("annotated, lambda threw IllegalStateException: annotated 1 cannot")
			.withStackTraceContaining("annotated 1 cannot")
			.withStackTraceContaining("lambda 2 cannot");
		assertThat(this.log.calls).contains("method 3", "ordered 4", "proxied", "lazy", "prototype");
		assertThat(this.log.letters).singleElement()
			.satisfies((letter) -> assertThat(letter.listeners()).containsExactly("annotated", "lambda"));
	}

	@Test
	void onlyTheOneThatFailedIsCalledAgain() {
		this.log.failing = List.of("lambda 2");
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> publisher(OnError.RETRY).onChange(change(Change.Type.ADDED)))
			.withMessage("lambda failed in 3 attempts: IllegalStateException: lambda 2 cannot");
		assertThat(this.log.calls).filteredOn("lambda 2"::equals).hasSize(3);
		assertThat(this.log.calls)
			.filteredOn(List.of("prioritized", "annotated 1", "method 3", "ordered 4", "proxied", "lazy")::contains)
			.doesNotHaveDuplicates();
	}

	@Test
	void oneThatIsSlowIsNamed(CapturedOutput output) {
		this.log.slow = "ordered 4";
		publisher(OnError.LOG).onChange(change(Change.Type.ADDED));
		assertThat(output).contains("the listener ordered took 6.0 s for ResourceAddedEvent[pods default/a @ 42]")
			.doesNotContain("of a kind that is not timed");
	}

	@Test
	void oneThatIsPublishedToByOthersIsAnOrdinaryListener() {
		this.log.failing = List.of("annotated 1");
		ResourceEvent<Pod> event = ResourceEvent.of(this.reflector, Pod.class, change(Change.Type.ADDED));
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.context.publishEvent(event))
			.withMessage("annotated 1 cannot");
	}

	@Test
	void oneOfAnotherScopeIsLeftToSpring() {
		this.log.failing = List.of("prototype");
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> publisher(OnError.LOG).onChange(change(Change.Type.ADDED)))
			.withMessage("a listener threw IllegalStateException: prototype cannot");
	}

	/** Records calls. A test can make calls fail or take long. */
	static final class Log {

		private final List<String> calls = new CopyOnWriteArrayList<>();

		private final List<ResourceDeadLetterEvent<?>> letters = new CopyOnWriteArrayList<>();

		private final ListenerFailureTests.Time time;

		private volatile List<String> failing = List.of();

		private volatile String slow = "";

		Log(ListenerFailureTests.Time time) {
			this.time = time;
		}

		void called(String listener) {
			this.calls.add(listener);
			if (this.slow.equals(listener)) {
				this.time.pass(Duration.ofSeconds(6));
			}
			if (this.failing.contains(listener)) {
				throw new IllegalStateException(listener + " cannot");
			}
		}

	}

	@Order(1)
	record Annotated(Log log) implements ApplicationListener<ResourceAddedEvent<Pod>> {

		@Override
		public void onApplicationEvent(ResourceAddedEvent<Pod> event) {
			this.log.called("annotated 1");
		}

	}

	record InOrder(Log log) implements ApplicationListener<ResourceAddedEvent<?>>, Ordered {

		@Override
		public void onApplicationEvent(ResourceAddedEvent<?> event) {
			this.log.called("ordered 4");
		}

		@Override
		public int getOrder() {
			return 4;
		}

	}

	record First(Log log) implements ApplicationListener<ResourceAddedEvent<Pod>>, PriorityOrdered {

		@Override
		public void onApplicationEvent(ResourceAddedEvent<Pod> event) {
			this.log.called("prioritized");
		}

		@Override
		public int getOrder() {
			return 100;
		}

	}

	/** A listener with an order, which a lambda cannot have. */
	interface OrderedListener<E extends ApplicationEvent> extends ApplicationListener<E>, Ordered {

		@Override
		default int getOrder() {
			return 2;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Listeners {

		private final Log log;

		Listeners(Log log) {
			this.log = log;
		}

		@Bean
		static ReflectorEventListenerFactory factory() {
			return new ReflectorEventListenerFactory();
		}

		@Bean
		static ReflectorListenerBeans beans(ConfigurableListableBeanFactory beanFactory) {
			return new ReflectorListenerBeans(beanFactory);
		}

		@EventListener
		@Order(3)
		void method(ResourceEvent<Pod> event) {
			this.log.called("method 3");
		}

		@EventListener
		void dead(ResourceDeadLetterEvent<Pod> letter) {
			this.log.letters.add(letter);
		}

		@Bean
		Annotated annotated() {
			return new Annotated(this.log);
		}

		@Bean
		InOrder ordered() {
			return new InOrder(this.log);
		}

		@Bean
		First prioritized() {
			return new First(this.log);
		}

		@Bean
		OrderedListener<ResourceAddedEvent<Pod>> lambda() {
			return (event) -> this.log.called("lambda 2");
		}

		@Bean
		ApplicationListener<ReflectorSyncedEvent> synced() {
			return (event) -> this.log.called("synced");
		}

		@Bean
		@SuppressWarnings("unchecked")
		ApplicationListener<ResourceAddedEvent<Pod>> proxied() {
			ApplicationListener<ResourceAddedEvent<Pod>> target = (event) -> this.log.called("proxied");
			return (ApplicationListener<ResourceAddedEvent<Pod>>) new ProxyFactory(target).getProxy();
		}

		@Bean
		@Lazy
		ApplicationListener<ResourceAddedEvent<Pod>> lazy() {
			return (event) -> this.log.called("lazy");
		}

		@Bean
		@Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
		ApplicationListener<ResourceAddedEvent<Pod>> prototype() {
			return (event) -> this.log.called("prototype");
		}

	}

}

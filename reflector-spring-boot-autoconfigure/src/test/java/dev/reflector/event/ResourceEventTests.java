package dev.reflector.event;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.reflector.ObjectMeta;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.ResourceKey;
import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.cache.handler.Change;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.core.ResolvableType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link ResourceEvent} and {@link ReflectorEventPublisher}.
 */
class ResourceEventTests {

	private static final Pod BEFORE = new Pod(ObjectMeta.of("default", "web"), "secret-1");

	private static final Pod AFTER = new Pod(ObjectMeta.of("default", "web"), "secret-2");

	@SuppressWarnings("unchecked")
	private final Reflector<Pod> reflector = mock(Reflector.class);

	@BeforeEach
	void nameReflector() {
		given(this.reflector.name()).willReturn("pods");
	}

	@Test
	void listenersAreMatchedByGenericType() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Recorder.class)) {
			ReflectorEventPublisher<Pod> publisher = publisher(context);
			publisher.onChange(change(Change.Type.ADDED, null));
			publisher.onChange(change(Change.Type.UPDATED, BEFORE));
			publisher.onChange(change(Change.Type.DELETED, null));
			publisher.onSynced("10");
			publisher.onStateChange(ReflectorState.LISTING, ReflectorState.WATCHING, "listed");
			assertThat(context.getBean(Recorder.class).heard).containsExactlyInAnyOrder("added pod", "pod", "any",
					"updated pod secret-1 -> secret-2", "pod", "any", "deleted pod true", "pod", "any", "deleted text",
					"ReflectorSyncedEvent[pods @ 10]", "ReflectorStateChangedEvent[pods LISTING -> WATCHING: listed]");
		}
	}

	@Test
	void eventsOfATypeWithRawGenericsReachItsListenersOnly() {
		Raw raw = new Raw(ObjectMeta.of("default", "web"));
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Recorder.class,
				ReflectorEventListenerFactory.class)) {
			publisher(context, Raw.class).onChange(deletion(raw));
			Box<Node> box = new Box<>(ObjectMeta.of("default", "web"), new Node(ObjectMeta.of("default", "web")));
			publisher(context, Box.class).onChange(deletion(box));
			assertThat(context.getBean(Recorder.class).heard).containsExactlyInAnyOrder("raw", "any", "box", "any");
		}
		ResolvableType deleted = ResolvableType.forClassWithGenerics(ResourceDeletedEvent.class, Box.class);
		assertThat(ListenerBean.of("boxes", listened(BoxListener.class), new BoxListener()).supportsEventType(deleted))
			.isTrue();
		assertThat(
				ListenerBean.of("nodes", listened(NodeListener.class), new NodeListener()).supportsEventType(deleted))
			.isFalse();
	}

	private static ResolvableType listened(Class<?> listener) {
		return ResolvableType.forClass(listener).as(ApplicationListener.class).getGeneric();
	}

	private static <T> ReflectorEventPublisher<T> publisher(ApplicationEventPublisher target, Class<T> type) {
		@SuppressWarnings("unchecked")
		Reflector<T> reflector = mock(Reflector.class);
		given(reflector.name()).willReturn("others");
		return new ReflectorEventPublisher<>(type, reflector, target,
				new DeliveryPolicy(DeliveryPolicy.OnError.LOG, 1, Duration.ZERO, 1, Duration.ZERO),
				new SystemTimeSource());
	}

	private static <T> Change<T> deletion(T object) {
		return new Change<>(Change.Type.DELETED, new ResourceKey("default", "web"), object, null, "42", false, false,
				Change.Cause.WATCH);
	}

	@Test
	void carriesWhatTheChangeSays() {
		ResourceUpdatedEvent<Pod> event = new ResourceUpdatedEvent<>(this.reflector, Pod.class,
				change(Change.Type.UPDATED, BEFORE));
		assertThat(event.resource()).isSameAs(AFTER);
		assertThat(event.previous()).isSameAs(BEFORE);
		assertThat(event.key()).isEqualTo(new ResourceKey("default", "web"));
		assertThat(event.resourceVersion()).isEqualTo("42");
		assertThat(event.reflectorName()).isEqualTo("pods");
		assertThat(event.getSource()).isSameAs(this.reflector).isSameAs(event.reflector());
		assertThat(event.initialList()).isTrue();
		assertThat(event.cause()).isEqualTo(Change.Cause.LIST);
	}

	@Test
	void textShowsNothingOfTheObject() {
		assertThat(new ResourceUpdatedEvent<>(this.reflector, Pod.class, change(Change.Type.UPDATED, BEFORE)))
			.hasToString("ResourceUpdatedEvent[pods default/web @ 42]");
	}

	@Test
	void typeIsResolvedOnceForEachClassAndType() {
		ResourceAddedEvent<Pod> first = new ResourceAddedEvent<>(this.reflector, Pod.class,
				change(Change.Type.ADDED, null));
		ResourceAddedEvent<Pod> second = new ResourceAddedEvent<>(this.reflector, Pod.class,
				change(Change.Type.ADDED, null));
		assertThat(first.getResolvableType()).isSameAs(second.getResolvableType())
			.isEqualTo(ResolvableType.forClassWithGenerics(ResourceAddedEvent.class, Pod.class));
		assertThat(new ResourceDeletedEvent<>(this.reflector, Pod.class, change(Change.Type.DELETED, null))
			.getResolvableType()
			.toClass()).isEqualTo(ResourceDeletedEvent.class);
	}

	@Test
	void exceptionOfListenerIsPassedOn() {
		ReflectorEventPublisher<Pod> publisher = publisher((event) -> {
			throw new IllegalStateException("listener");
		});
		assertThatExceptionOfType(ListenerFailedException.class)
			.isThrownBy(() -> publisher.onChange(change(Change.Type.ADDED, null)))
			.withCauseInstanceOf(IllegalStateException.class);
	}

	private ReflectorEventPublisher<Pod> publisher(ApplicationEventPublisher target) {
		return new ReflectorEventPublisher<>(Pod.class, this.reflector, target,
				new DeliveryPolicy(DeliveryPolicy.OnError.LOG, 1, Duration.ZERO, 1, Duration.ZERO),
				new SystemTimeSource());
	}

	private static Change<Pod> change(Change.Type type, Pod previous) {
		return new Change<>(type, new ResourceKey("default", "web"), AFTER, previous, "42", true, true,
				Change.Cause.LIST);
	}

	interface Text {

	}

	record Pod(ObjectMeta metadata, String content) implements Text {

	}

	record Node(ObjectMeta metadata) {

	}

	@SuppressWarnings("rawtypes")
	record Raw(ObjectMeta metadata) implements Comparable {

		@Override
		public int compareTo(Object other) {
			return 0;
		}

	}

	record Box<S>(ObjectMeta metadata, S content) {

	}

	static class BoxListener implements ApplicationListener<ResourceEvent<Box<Node>>> {

		@Override
		public void onApplicationEvent(ResourceEvent<Box<Node>> event) {
		}

	}

	static class NodeListener implements ApplicationListener<ResourceEvent<Node>> {

		@Override
		public void onApplicationEvent(ResourceEvent<Node> event) {
		}

	}

	static class Recorder {

		private final List<String> heard = new ArrayList<>();

		@EventListener
		void on(ResourceAddedEvent<Pod> event) {
			this.heard.add("added pod");
		}

		@EventListener
		void on(ResourceUpdatedEvent<Pod> event) {
			this.heard.add("updated pod " + event.previous().content() + " -> " + event.resource().content());
		}

		@EventListener
		void on(ResourceDeletedEvent<Pod> event) {
			this.heard.add("deleted pod " + event.finalStateUnknown());
		}

		@EventListener
		void onPod(ResourceEvent<Pod> event) {
			this.heard.add("pod");
		}

		@EventListener
		void onAny(ResourceEvent<?> event) {
			this.heard.add("any");
		}

		@EventListener
		void onText(ResourceDeletedEvent<? extends Text> event) {
			this.heard.add("deleted text");
		}

		@EventListener
		void onObject(Text text) {
			this.heard.add("object");
		}

		@EventListener
		void onPayload(PayloadApplicationEvent<Text> event) {
			this.heard.add("payload");
		}

		@EventListener
		void onNode(ResourceEvent<Node> event) {
			this.heard.add("node");
		}

		@EventListener
		void onRaw(ResourceDeletedEvent<Raw> event) {
			this.heard.add("raw");
		}

		@EventListener
		void onBox(ResourceEvent<Box<Node>> event) {
			this.heard.add("box");
		}

		@EventListener
		void onSynced(ReflectorSyncedEvent event) {
			this.heard.add(event.toString());
		}

		@EventListener
		void onState(ReflectorStateChangedEvent event) {
			this.heard.add(event.toString());
		}

	}

}

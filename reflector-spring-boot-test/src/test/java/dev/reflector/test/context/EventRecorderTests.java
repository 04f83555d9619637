package dev.reflector.test.context;

import java.time.Duration;

import com.example.widgets.Widget;
import dev.reflector.ObjectMeta;
import dev.reflector.Reflector;
import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Change;
import dev.reflector.event.ReflectorSyncedEvent;
import dev.reflector.event.ResourceAddedEvent;
import org.junit.jupiter.api.Test;

import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link EventRecorder}.
 */
class EventRecorderTests {

	@Test
	@SuppressWarnings("unchecked")
	void recordsChangesEvenIfListenersAreCalledByAnExecutor() {
		Reflector<Widget> reflector = mock(Reflector.class);
		given(reflector.name()).willReturn("widgets");
		Change<Widget> change = new Change<>(Change.Type.ADDED, ResourceKey.of("default", "a"),
				new Widget(ObjectMeta.of("default", "a"), new Widget.Spec(1)), null, "1", false, false,
				Change.Cause.WATCH);
		try (GenericApplicationContext context = new GenericApplicationContext()) {
			SimpleApplicationEventMulticaster multicaster = new SimpleApplicationEventMulticaster();
			multicaster.setTaskExecutor(new SimpleAsyncTaskExecutor());
			context.getBeanFactory()
				.registerSingleton(AbstractApplicationContext.APPLICATION_EVENT_MULTICASTER_BEAN_NAME, multicaster);
			context.refresh();
			RecordedEvents events = new RecordedEvents();
			EventRecorder recorder = new EventRecorder(events, context);
			recorder.start();
			context.publishEvent(new ReflectorSyncedEvent(reflector, "1"));
			context.publishEvent(new ResourceAddedEvent<>(reflector, Widget.class, change));
			recorder.observer("widgets").handled("event listeners", Duration.ZERO, false);
			assertThat(events.synced()).hasSize(1);
			assertThat(events.ofType(Widget.class).added()).hasSize(1);
		}
	}

}

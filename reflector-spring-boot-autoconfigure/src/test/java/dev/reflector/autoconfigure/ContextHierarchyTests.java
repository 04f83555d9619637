package dev.reflector.autoconfigure;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.reflector.GenericResource;
import dev.reflector.Lister;
import dev.reflector.ObjectMeta;
import dev.reflector.Reflector;
import dev.reflector.actuate.ReflectorsEndpoint;
import dev.reflector.autoconfigure.widgets.Widget;
import dev.reflector.cache.ListerWatcher;
import dev.reflector.cache.SharedInformer;
import dev.reflector.cache.WatchEvent;
import dev.reflector.event.ReflectorSyncedEvent;
import dev.reflector.event.ResourceAddedEvent;
import dev.reflector.event.ResourceEvent;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of contexts with parents.
 */
class ContextHierarchyTests {

	private static final String[] GENERIC = { "reflector.resources.gadgets.api-version=v1",
			"reflector.resources.gadgets.kind=Gadget", "management.endpoints.jmx.exposure.include=reflectors",
			"spring.jmx.enabled=true" };

	private final ApplicationContextRunner runner = ReflectorContextRunners.withTypesNextTo(Widget.class)
		.withPropertyValues(GENERIC);

	@Test
	void whatAParentMirrorsIsNeitherMadeNorStartedAgain() {
		this.runner.withUserConfiguration(Sources.class).run((parent) -> {
			Sources sources = parent.getBean(Sources.class);
			await().until(() -> sources.widgets.watches() == 1 && sources.gadgets.watches() == 1);
			child(parent).run((child) -> {
				assertThat(child).hasNotFailed();
				assertThat(child.getBeanFactory().getBeanNamesForType(Reflector.class)).isEmpty();
				assertThat(child.getBean(ReflectorLifecycle.class).started()).isEmpty();
				assertThat(child.getBean(Injection.class).widgets).isSameAs(parent.getBean("widgetLister"));
				assertThat(child.getBean(Injection.class).gadgets).isSameAs(parent.getBean("gadgetsLister"));
				assertThat(child.getBean(ReflectorsEndpoint.class).reflectors().reflectors())
					.containsOnlyKeys("gadgets", "widgets");
			});
			SharedInformer<?> reflector = parent.getBean("widgetReflector", SharedInformer.class);
			await().untilAsserted(() -> {
				assertThat(reflector.hasSynced()).isTrue();
				assertThat(reflector.status().counts().lists()).isEqualTo(1);
			});
			assertThat(sources.widgets.watches()).as("the parent goes on").isEqualTo(1);
		});
	}

	@Test
	void listenersOfAChildHearWhatItsParentMirrorsOnceEach() {
		this.runner.withUserConfiguration(Sources.class, Listeners.class).run((parent) -> {
			Sources sources = parent.getBean(Sources.class);
			Listeners above = parent.getBean(Listeners.class);
			await().until(() -> above.heard.size() == 3);
			child(parent).withUserConfiguration(Listeners.class).run((child) -> {
				Listeners below = child.getBean(Listeners.class);
				await().untilAsserted(() -> assertThat(below.heard).containsExactlyInAnyOrder("ADDED a initially",
						"synced gadgets", "synced widgets"));
				await().until(() -> sources.widgets.watches() == 1);
				sources.widgets.emit(new WatchEvent.Added<>(widget("b", "11")));
				sources.widgets.emit(new WatchEvent.Added<>(widget("c", "12")));
				await().until(() -> above.heard.contains("ADDED c") && below.heard.contains("ADDED c"));
				assertThat(above.heard).doesNotHaveDuplicates();
				assertThat(below.heard).doesNotHaveDuplicates().contains("ADDED b");
				child.getBean(InheritedReflectors.class).stop();
				sources.widgets.emit(new WatchEvent.Added<>(widget("d", "13")));
				await().until(() -> above.heard.contains("ADDED d"));
				assertThat(below.heard).doesNotContain("ADDED d");
				child.getBean(InheritedReflectors.class).start();
				await().until(() -> below.heard.contains("ADDED d initially"));
			});
			sources.widgets.emit(new WatchEvent.Added<>(widget("e", "14")));
			await().until(() -> above.heard.contains("ADDED e"));
			assertThat(above.heard).doesNotHaveDuplicates();
		});
	}

	@Test
	void aRegistrationOfAParentDoesNotStandForTheTypeItself() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(ReflectorAutoConfiguration.class))
			.withUserConfiguration(Registration.class)
			.run((parent) -> child(parent).withUserConfiguration(Sources.class).run((child) -> {
				assertThat(child).hasNotFailed();
				assertThat(child.getBean(Injection.class).widgets).isSameAs(child.getBean("widgetLister"))
					.isNotSameAs(parent.getBean("eastern-widgetsLister"));
				assertThat(child.getBean("widgetReflector", Reflector.class).name()).isEqualTo("widgets");
			}));
	}

	@Test
	void listenersOfAParentHearWhatAChildMirrorsOnceEach() {
		new ApplicationContextRunner().withUserConfiguration(Listeners.class)
			.run((parent) -> this.runner.withParent(parent).withUserConfiguration(Sources.class).run((child) -> {
				Listeners above = parent.getBean(Listeners.class);
				Sources sources = child.getBean(Sources.class);
				await().until(() -> above.heard.size() == 3 && sources.widgets.watches() == 1);
				sources.widgets.emit(new WatchEvent.Added<>(widget("b", "11")));
				await().until(() -> above.heard.contains("ADDED b"));
				assertThat(above.heard).doesNotHaveDuplicates();
			}));
	}

	private ApplicationContextRunner child(AssertableApplicationContext parent) {
		return this.runner.withParent(parent).withBean(Injection.class);
	}

	private static Widget widget(String name, String version) {
		return new Widget(new ObjectMeta(name, "default", null, version, 0, null, null, null, null, null, null), 1);
	}

	@Configuration(proxyBeanMethods = false)
	static class Sources {

		private final InMemoryListerWatcher<Widget> widgets = new InMemoryListerWatcher<>(List.of(widget("a", "1")));

		private final InMemoryListerWatcher<GenericResource> gadgets = new InMemoryListerWatcher<>(List.of());

		@Bean
		ListerWatcher<Widget> widgets() {
			return this.widgets;
		}

		@Bean
		ListerWatcher<GenericResource> gadgets() {
			return this.gadgets;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Registration {

		@Bean
		static ReflectedResourceRegistration<Widget> eastern() {
			return ReflectedResourceRegistration.of(Widget.class, "example.com/v1").withName("eastern-widgets");
		}

		@Bean
		@Qualifier("eastern-widgets")
		ListerWatcher<Widget> easternWidgets() {
			return new InMemoryListerWatcher<>(List.of());
		}

	}

	record Injection(Lister<Widget> widgets, @Qualifier("gadgets") Lister<GenericResource> gadgets) {

	}

	static class Listeners {

		private final List<String> heard = new CopyOnWriteArrayList<>();

		@EventListener
		void on(ResourceEvent<Widget> event) {
			boolean added = event instanceof ResourceAddedEvent<Widget>;
			this.heard
				.add((added ? "ADDED " : "other ") + event.key().name() + (event.initialList() ? " initially" : ""));
		}

		@EventListener
		void on(ReflectorSyncedEvent event) {
			this.heard.add("synced " + event.reflectorName());
		}

	}

}

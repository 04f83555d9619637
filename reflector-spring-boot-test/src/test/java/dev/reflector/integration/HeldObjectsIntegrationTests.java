package dev.reflector.integration;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.reflector.cache.TransformFunction;
import dev.reflector.test.Backup;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A full state that comes again: what the mirror holds in the same version is not made
 * again.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HeldObjectsIntegrationTests extends WidgetScenario {

	private final Noting made = new Noting();

	private MirrorApplication application(String initialList) {
		return MirrorApplication.start(
				(context) -> ((GenericApplicationContext) context).registerBean(Noting.class, () -> this.made),
				"reflector.api-server.url=" + this.server.url(), "reflector.watch.initial-list=" + initialList,
				"reflector.list.page-size=2");
	}

	@ParameterizedTest
	@ValueSource(strings = { "list", "auto" })
	void onlyWhatHasChangedIsMadeAgain(String initialList) {
		create("c");
		try (MirrorApplication application = application(initialList)) {
			application.awaitEqualTo(this.widgets);
			assertThat(this.made.objects).containsExactly("a@2", "b@3", "c@4");
			Widget a = application.widgets.get("default", "a");
			application.reflector.pause();
			await().until(() -> this.server.activeWatches() == 0);
			this.widgets.mergePatch("default", "b", Map.of("spec", Map.of("size", 5)));
			this.widgets.delete("default", "c");
			create("c");
			this.server.compact();
			application.reflector.resume();
			application.awaitEqualTo(this.widgets);
			assertThat(application.widgets.get("default", "a")).isSameAs(a);
			assertThat(application.widgets.get("default", "b").spec().size()).isEqualTo(5);
			assertThat(this.made.objects).containsExactly("a@2", "b@3", "c@4", "b@5", "c@7");
			create("d");
			application.awaitEqualTo(this.widgets);
			assertThat(application.heard.mistakes).isEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "list", "auto" })
	void aServerThatHasGoneBackIsReadAnew(String initialList) {
		Backup backup = this.server.backup();
		try (MirrorApplication application = application(initialList)) {
			application.awaitEqualTo(this.widgets);
			// E-14: content that has changed, but not its version
			application.heard.resyncs = true;
			this.widgets.mergePatch("default", "a", Map.of("spec", Map.of("size", 5)));
			create("c");
			application.awaitEqualTo(this.widgets);
			application.reflector.pause();
			await().until(() -> this.server.activeWatches() == 0);
			this.server.restore(backup);
			// version 4 once more, with other content
			this.widgets.mergePatch("default", "a", Map.of("spec", Map.of("size", 9)));
			application.reflector.resume();
			application.reflector.relist();
			await().untilAsserted(() -> assertThat(application.widgets.get("default", "a").spec().size()).isEqualTo(9));
			application.awaitEqualTo(this.widgets);
			create("d");
			application.awaitEqualTo(this.widgets);
			assertThat(application.heard.mistakes).isEmpty();
		}
	}

	/** Notes what is made, and has nothing to change. */
	private static final class Noting implements TransformFunction<Widget> {

		private final List<String> objects = new CopyOnWriteArrayList<>();

		@Override
		public Widget transform(Widget widget) {
			this.objects.add(widget.toString());
			return widget;
		}

	}

}

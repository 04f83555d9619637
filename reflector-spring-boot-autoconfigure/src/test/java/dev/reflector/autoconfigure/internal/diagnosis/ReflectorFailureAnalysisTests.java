package dev.reflector.autoconfigure.internal.diagnosis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.reflector.Lister;
import dev.reflector.ObjectMeta;
import dev.reflector.autoconfigure.ReflectorAutoConfiguration;
import dev.reflector.autoconfigure.ReflectorWritesAutoConfiguration;
import dev.reflector.autoconfigure.connection.ReflectorConnectionDetails;
import dev.reflector.autoconfigure.fixture.InMemoryListerWatcher;
import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.fixture.widgets.Widget;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.client.credentials.Kubeconfig;
import dev.reflector.write.ResourceWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests of the messages of an application that fails to start because of a wrong setup.
 */
@ExtendWith(OutputCaptureExtension.class)
class ReflectorFailureAnalysisTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			textBlock = """
					interfacetype | Widget cannot be mirrored: it is an interface
					abstracttype  | Widget cannot be mirrored: it is abstract
					innertype     | Widget cannot be mirrored: it is an inner class
					generictype   | Widget cannot be mirrored: it has the type parameter S, so its objects
					generictype   | Replace S by a type, or annotate a class that extends Widget with a
					nometadata    | Widget cannot be mirrored: it has no component, property or public field 'metadata'
					nometadata    | Add a component 'ObjectMeta metadata' to
					badversion    | Widget cannot be mirrored: 'a/b/c' is not an API version
					badversion    | set 'reflector.resources.widgets.api-version'
					badperiod     | 'resyncPeriod' of its annotation is not a valid duration: 'often'
					duplicatename | have the same name 'things'
					duplicatename | Give one of them another name with the attribute 'name' of @ReflectedResource
					samekind      | The bean 'widgetReflector' of dev.reflector.autoconfigure.fixture.samekind.b.Widget cannot be
					samekind      | there is one of dev.reflector.autoconfigure.fixture.samekind.a.Widget
					samekind      | Set 'name' of the annotation of dev.reflector.autoconfigure.fixture.samekind.b.Widget
					settings      | Could not resolve placeholder 'policy.group'
					primitivewrite | its component 'spec.replicas' is a primitive int
					primitivewrite | Declare 'Integer replicas', of which null is not sent.
					""")
	void unusableType(String types, String message, CapturedOutput output) {
		failToStart("dev.reflector.autoconfigure.fixture." + types);
		assertThat(output).contains("APPLICATION FAILED TO START").contains(message);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			api-server.url=localhost:8001          | reflector.api-server.url
			api-server.url=/relative               | reflector.api-server.url
			api-server.url=ftp://host              | reflector.api-server.url
			api-server.url=http://host?a=b         | reflector.api-server.url
			api-server.connect-timeout=0s          | reflector.api-server.connect-timeout
			api-server.idle-timeout=-1s            | reflector.api-server.idle-timeout
			api-server.max-object-size=0B          | reflector.api-server.max-object-size
			watch.min-timeout=500ms                | reflector.watch.min-timeout
			watch.overlap=-1s                      | reflector.watch.overlap
			watch.initial-list=sometimes           | reflector.watch.initial-list
			list.page-size=0                       | reflector.list.page-size
			backoff.initial=0s                     | reflector.backoff.initial
			backoff.max=1ms                        | reflector.backoff.max
			backoff.multiplier=0.5                 | reflector.backoff.multiplier
			backoff.jitter=-1                      | reflector.backoff.jitter
			backoff.reset-after=-1s                | reflector.backoff.reset-after
			resync-period=-1s                      | reflector.resync-period
			queue.ordering=random                  | reflector.queue.ordering
			startup.timeout=0s                     | reflector.startup.timeout
			events.queue-capacity=0                | reflector.events.queue-capacity
			events.drain-timeout=-1s               | reflector.events.drain-timeout
			events.on-error=ignore                 | reflector.events.on-error
			events.concurrency=0                   | reflector.events.concurrency
			events.slow-listener-threshold=-1s     | reflector.events.slow-listener-threshold
			events.retry.max-attempts=0            | reflector.events.retry.max-attempts
			events.retry.delay=0s                  | reflector.events.retry.delay
			events.retry.multiplier=0.5            | reflector.events.retry.multiplier
			events.retry.max-delay=1ms             | reflector.events.retry.max-delay
			health.failing-threshold=-1s           | reflector.health.failing-threshold
			resources.widgets.resync-period=-1s    | reflector.resources.widgets.resync-period
			""")
	void wrongValue(String setting, String key, CapturedOutput output) {
		failToStart(Widget.class.getPackageName(), "reflector." + setting);
		assertThat(output).contains("APPLICATION FAILED TO START").containsPattern("Property:? " + key);
	}

	@ParameterizedTest
	@ValueSource(strings = { "127.0.0.1:6443", "localhost:6443", "https//host" })
	void aUrlWithoutAScheme(String url, CapturedOutput output) {
		failToStart(Widget.class.getPackageName(), "reflector.api-server.url=" + url);
		assertThat(output).containsPattern("[Bb]egin it with '?https://").doesNotContain("Illegal character");
	}

	@Test
	void typeWithoutAClassThatCannotBeMirrored(CapturedOutput output) {
		failToStart(Widget.class.getPackageName(), "reflector.resources.pods.api-version=a/b/c",
				"reflector.resources.pods.kind=Pod");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("'reflector.resources.pods' cannot be mirrored: 'a/b/c' is not an API version")
			.contains("Correct 'reflector.resources.pods.api-version'");
	}

	@ParameterizedTest
	@CsvSource({ "http://me:s3cr3t@host, It must not contain credentials",
			"me:s3cr3t@10.0.0.1:6443, It must be an absolute URL",
			"https://me:s3cr3t@my_host:6443, Java does not accept this host name",
			"me:s3cr3t@a b, It must be an absolute URL", "//host/?token=s3cr3t, It must be an absolute URL" })
	void credentialsInUrlAreNotShown(String url, String reason, CapturedOutput output) {
		failToStart(Widget.class.getPackageName(), "reflector.api-server.url=" + url);
		assertThat(output).contains(reason).contains("******").doesNotContain("s3cr3t");
	}

	@Test
	void tokenAndTokenFileExcludeEachOther(CapturedOutput output) {
		failToStart(Widget.class.getPackageName(), "reflector.api-server.url=http://127.0.0.1:1",
				"reflector.api-server.token=s3cr3t", "reflector.api-server.token-file=/tmp/token");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("reflector.api-server.token")
			.contains("reflector.api-server.token-file")
			.contains("mutually exclusive")
			.doesNotContain("s3cr3t");
	}

	@Test
	void namedKubeconfigThatCannotBeUsed(@TempDir Path folder, CapturedOutput output) throws IOException {
		Path broken = Files.writeString(folder.resolve("broken"), "nothing: of use\n");
		failToStart(Widget.class.getPackageName(), "reflector.api-server.kubeconfig=" + broken);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("The kubeconfig " + broken + ", named by 'reflector.api-server.kubeconfig', cannot be used");
	}

	@Test
	void namedKubeconfigThatDoesNotExist(@TempDir Path folder, CapturedOutput output) {
		Path missing = folder.resolve("missing");
		failToStart(Widget.class.getPackageName(), "reflector.api-server.kubeconfig=" + missing);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("There is no kubeconfig " + missing + ", which 'reflector.api-server.kubeconfig' names.");
	}

	@Test
	void kubeconfigOfTheHomeFolderThatIsBroken(@TempDir Path home, CapturedOutput output) throws IOException {
		Path file = Files.writeString(Files.createDirectory(home.resolve(".kube")).resolve("config"),
				"current-context: gone\n");
		failToStart(Widget.class.getPackageName(), "user.home=" + home);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("The kubeconfig " + file + ", found in the home folder, cannot be used")
			.contains("Correct the file, name one of its contexts with 'reflector.api-server.context', name another "
					+ "file with 'reflector.api-server.kubeconfig'");
	}

	@Test
	void requiredServerThatIsNotThere(CapturedOutput output) {
		failToStart(Widget.class.getPackageName(), "reflector.api-server.required=true");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("No API server is configured or found, but 'reflector.api-server.required' is set.")
			.contains("Set 'reflector.api-server.url' or 'reflector.api-server.kubeconfig'");
	}

	@Test
	void credentialPluginThatIsMissing(@TempDir Path folder, CapturedOutput output) throws IOException {
		Path file = Files.writeString(folder.resolve("config"), """
				current-context: c
				contexts: [{name: c, context: {cluster: c, user: u}}]
				clusters: [{name: c, cluster: {server: 'https://127.0.0.1:1'}}]
				users:
				- name: u
				  user:
				    exec:
				      apiVersion: client.authentication.k8s.io/v1
				      command: no-such-plugin
				      args: [s3cr3t]
				      interactiveMode: Never
				      installHint: Get it from https://example.com/plugin
				""");
		failToStart(Widget.class.getPackageName(), "reflector.api-server.kubeconfig=" + file);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("exec of user 'u' in kubeconfig " + file + " names the command 'no-such-plugin'")
			.contains("Get it from https://example.com/plugin")
			.doesNotContain("s3cr3t");
	}

	@Test
	void kubeconfigThatTheApplicationReadsItself(CapturedOutput output) {
		failToStart(OwnKubeconfig.class, Widget.class.getPackageName());
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("kubeconfig of a test names no current-context");
	}

	@Test
	void libraryThatCannotSpeakHttp2(CapturedOutput output) {
		failToStart(OnJetty.class, Widget.class.getPackageName(), "reflector.api-server.url=https://127.0.0.1:1",
				"reflector.api-server.http-version=http-2");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("The connection to https://127.0.0.1:1 ('reflector.api-server.url') cannot be made: the HTTP "
					+ "client in use, Jetty, cannot be set to speak HTTP/2")
			.contains("Change one of the settings that the message names.")
			.doesNotContain("kubeconfig or service account");
	}

	@Test
	void unknownSslBundle(CapturedOutput output) {
		failToStart(Widget.class.getPackageName(), "reflector.api-server.url=https://127.0.0.1:1",
				"reflector.api-server.ssl-bundle=unknown");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("The SSL bundle 'unknown', named by 'reflector.api-server.ssl-bundle', cannot be used");
	}

	@Test
	void unwritableType(CapturedOutput output) {
		failToStart("dev.reflector.autoconfigure.fixture.unwritable", "reflector.api-server.url=http://127.0.0.1:1");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("Unwritable cannot be applied: what Jackson cannot read is not written, either: 'shape': Cannot "
					+ "construct instance of")
			.contains("Declare components that Jackson writes as it reads them, such as records.");
	}

	@Test
	void typeThatCannotBeRead(CapturedOutput output) {
		failToStart("dev.reflector.autoconfigure.fixture.unreadable", "reflector.api-server.url=http://127.0.0.1:1");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("The reflector 'widgets' cannot be made: objects of "
					+ "dev.reflector.autoconfigure.fixture.unreadable.Widget cannot be read: 'specs[]': Cannot "
					+ "construct " + "instance of `dev.reflector.autoconfigure.fixture.unreadable.Widget$Spec`")
			.contains("'reflector.binding.unreadable-type=warn'");
	}

	@Test
	void typeThatCannotBeReadMayBeWarnedOf(CapturedOutput output) {
		start(Application.class, "dev.reflector.autoconfigure.fixture.unreadable",
				"reflector.api-server.url=http://127.0.0.1:1", "reflector.binding.unreadable-type=warn",
				"reflector.startup.wait-for-sync=false")
			.close();
		assertThat(output).containsOnlyOnce(
				"Reflector 'widgets': objects of dev.reflector.autoconfigure.fixture.unreadable.Widget cannot");
	}

	@Test
	void snapshotsWithoutAStore(CapturedOutput output) {
		failToStart(Widget.class.getPackageName(), "reflector.api-server.url=http://127.0.0.1:1",
				"reflector.snapshot.enabled=true", "reflector.events.on-error=stop");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("Snapshots are switched on ('reflector.snapshot.enabled'), but there is no store for them.")
			.contains("Add 'dev.reflector:reflector-snapshot-jdbc' to the dependencies, or define one bean of type "
					+ "dev.reflector.cache.snapshot.SnapshotStore.");
	}

	@ParameterizedTest
	@ValueSource(strings = { "log", "retry" })
	void snapshotsThatWouldLoseWhatAListenerFailsOn(String onError, CapturedOutput output) {
		failToStart(Widget.class.getPackageName(), "reflector.snapshot.enabled=true",
				"reflector.events.on-error=" + onError);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("Snapshots are switched on ('reflector.snapshot.enabled'), but 'reflector.events.on-error' is '"
					+ onError + "': a change on which a listener has failed would be stored as completed, and be lost.")
			.contains("Set 'reflector.events.on-error' to 'stop' or 'retry-then-stop'. If such a loss is acceptable, "
					+ "set 'reflector.snapshot.accept-loss=true'.");
	}

	@Test
	void missingListerOfATypeThatIsNotMirrored(CapturedOutput output) {
		failToStart(NeedsGadgets.class, Widget.class.getPackageName());
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("required a bean of type 'dev.reflector.Lister<" + Gadget.class.getName()
					+ ">', and there is none: " + Gadget.class.getName() + " is not mirrored.")
			.contains("Annotate " + Gadget.class.getName() + " with @ReflectedResource");
	}

	@Test
	void missingWriter(CapturedOutput output) {
		failToStart(NeedsWriter.class, Widget.class.getPackageName());
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("required a bean of type 'dev.reflector.write.ResourceWriter', and there is none: no type "
					+ "annotated " + "with @AppliedResource was found in the scanned packages.")
			.contains("set 'reflector.writes.mode' to 'on' if it only deletes");
	}

	@Test
	void missingListerOfATypeOfTheJdk(CapturedOutput output) {
		failToStart(NeedsStrings.class, Widget.class.getPackageName());
		assertThat(output).contains("and there is none: java.lang.String is not mirrored.")
			.contains("Use a type that is mirrored: your own class that is annotated with @ReflectedResource, such "
					+ "as " + Widget.class.getName() + ".")
			.doesNotContain("Annotate java.lang.String");
	}

	@Test
	void missingListerOfATypeThatIsNotScanned(CapturedOutput output) {
		failToStart(NeedsWidgets.class, "dev.reflector.autoconfigure.fixture.empty");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains(Widget.class.getName() + " is annotated with @ReflectedResource, but it is in none of the "
					+ "scanned packages: [dev.reflector.autoconfigure.fixture.empty]")
			.contains("@ReflectedResourceScan");
	}

	@Test
	void missingListerWhereReflectorsAreSwitchedOff(CapturedOutput output) {
		failToStart(NeedsWidgets.class, Widget.class.getPackageName(), "reflector.enabled=false");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("and there is none: reflectors are not auto-configured.")
			.contains("Set 'reflector.enabled' to true")
			.contains("such as @WebMvcTest, add @AutoConfigureReflectors and @AutoConfigureEmbeddedApiServer, or a "
					+ "@MockitoBean");
	}

	@Test
	void missingListerWithAQualifier(CapturedOutput output) {
		failToStart(NeedsQualified.class, Widget.class.getPackageName());
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("and there is none with that qualifier. Without it there are: [widgetLister]");
	}

	@Test
	void strictStartThatTakesTooLong(CapturedOutput output) {
		failToStart(NeverListed.class, Widget.class.getPackageName(), "reflector.startup.strict=true",
				"reflector.startup.timeout=50ms");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.containsPattern(
					"Description:\\R\\R'reflector.startup.strict' is set, and these reflectors have not synced "
							+ "within 0.05s \\('reflector.startup.timeout'\\): widgets \\((STARTING|LISTING), "
							+ "no error\\)")
			.containsPattern(
					"Action:\\R\\RCorrect what the errors name. If there is no error, set 'reflector.startup.timeout' "
							+ "to a longer time.");
	}

	private static void failToStart(String types, String... settings) {
		failToStart(Application.class, types, settings);
	}

	private static void failToStart(Class<?> source, String types, String... settings) {
		assertThatException().isThrownBy(() -> start(source, types, settings).close());
	}

	private static ConfigurableApplicationContext start(Class<?> source, String types, String... settings) {
		SpringApplication application = new SpringApplication(source);
		application.setWebApplicationType(WebApplicationType.NONE);
		application.setRegisterShutdownHook(false);
		application.addInitializers(
				(context) -> AutoConfigurationPackages.register((GenericApplicationContext) context, types));
		List<String> arguments = Stream.of(ReflectorContextRunners.NO_SERVER, settings)
			.flatMap(Arrays::stream)
			.map((setting) -> "--" + setting)
			.toList();
		return application.run(lastOfEach(arguments));
	}

	private static String[] lastOfEach(List<String> arguments) {
		Map<String, String> last = new LinkedHashMap<>();
		arguments.forEach((argument) -> last.put(argument.substring(0, argument.indexOf('=')), argument));
		return last.values().toArray(String[]::new);
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ ReflectorAutoConfiguration.class, ReflectorWritesAutoConfiguration.class,
			SslAutoConfiguration.class })
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Application.class)
	static class NeedsWriter {

		NeedsWriter(ResourceWriter writer) {
			assertThat(writer).isNotNull();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Application.class)
	static class OwnKubeconfig {

		@Bean
		ReflectorConnectionDetails details() {
			return () -> Kubeconfig.parse("kind: Config", "a test", null);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Application.class)
	static class OnJetty {

		@Bean
		ClientHttpConnectorBuilder<?> connectors() {
			return ClientHttpConnectorBuilder.jetty();
		}

	}

	record Gadget(ObjectMeta metadata) {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Application.class)
	static class NeedsStrings {

		@Bean
		Object user(Lister<String> strings) {
			return strings;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Application.class)
	static class NeedsGadgets {

		@Bean
		Object user(Lister<Gadget> gadgets) {
			return gadgets;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Application.class)
	static class NeedsWidgets {

		@Bean
		Object user(Lister<Widget> widgets) {
			return widgets;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Application.class)
	static class NeedsQualified {

		@Bean
		Object user(@Qualifier("wigdets") Lister<Widget> widgets) {
			return widgets;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Application.class)
	static class NeverListed {

		@Bean
		ListerWatcher<Widget> widgets() {
			InMemoryListerWatcher<Widget> widgets = new InMemoryListerWatcher<>(List.of());
			widgets.holdUntil(() -> false);
			return widgets;
		}

	}

}

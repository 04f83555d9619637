package dev.reflector.benchmark.reflector;

import java.net.URI;
import java.util.Arrays;
import java.util.List;

import dev.reflector.Lister;
import dev.reflector.autoconfigure.registration.ReflectedResourceRegistration;
import dev.reflector.benchmark.client.ClientRun;
import dev.reflector.benchmark.client.MirrorClient;
import dev.reflector.benchmark.client.Probe;
import dev.reflector.benchmark.reflector.idle.IdleApplication;
import dev.reflector.benchmark.reflector.idle.IdlePod;
import dev.reflector.benchmark.reflector.metadatapods.MetadataPodApplication;
import dev.reflector.benchmark.reflector.pods.PodApplication;
import dev.reflector.benchmark.reflector.widgets.WidgetApplication;
import dev.reflector.benchmark.server.Kind;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * A whole application with the starter, its settings the default ones.
 */
public final class ReflectorClient implements MirrorClient {

	private final String variant;

	private final String[] properties;

	private volatile @Nullable Lister<?> lister;

	private volatile @Nullable ConfigurableApplicationContext context;

	private ReflectorClient(String variant, String[] properties) {
		this.variant = variant;
		this.properties = properties;
	}

	/**
	 * Runs the phases.
	 * @param args see {@link ClientRun}; {@code variant=ten} has ten listeners,
	 * {@code variant=indexes} indexes on labels, {@code variant=metadata} a type with
	 * whole metadata; what begins with {@code --} is a property of the application
	 */
	public static void main(String[] args) {
		String variant = Arrays.stream(args)
			.filter((arg) -> arg.startsWith("variant="))
			.map((arg) -> arg.substring("variant=".length()))
			.findFirst()
			.orElse("plain");
		ClientRun.main(args, new ReflectorClient(variant,
				Arrays.stream(args).filter((arg) -> arg.startsWith("--")).toArray(String[]::new)));
	}

	@Override
	public void start(URI server, Kind kind, Probe probe) {
		ApplicationContextInitializer<GenericApplicationContext> beans = (context) -> {
			context.registerBean(Probe.class, () -> probe);
			context.registerBean(Beginning.class,
					() -> new Beginning(probe, () -> this.lister = context.getBean(Lister.class)));
		};
		this.context = new SpringApplicationBuilder(application(kind)).initializers(beans)
			.profiles(this.variant)
			.properties("reflector.api-server.url=" + server, "logging.level.root=warn", "spring.main.banner-mode=off")
			.run(this.properties);
	}

	@Override
	public void startMany(URI server, int mirrors) {
		ApplicationContextInitializer<GenericApplicationContext> beans = (context) -> {
			for (int i = 0; i < mirrors; i++) {
				int number = i;
				context.registerBean("pods" + number, ReflectedResourceRegistration.class,
						() -> ReflectedResourceRegistration.of(IdlePod.class, "v1", "Pod")
							.withPlural("pods")
							.withName("pods-" + number)
							.withNamespaces("ns" + number));
			}
		};
		this.context = new SpringApplicationBuilder(IdleApplication.class).initializers(beans)
			.properties("reflector.api-server.url=" + server, "logging.level.root=warn", "spring.main.banner-mode=off")
			.run(this.properties);
	}

	private Class<?> application(Kind kind) {
		if (kind == Kind.WIDGETS) {
			return WidgetApplication.class;
		}
		return this.variant.equals("metadata") ? MetadataPodApplication.class : PodApplication.class;
	}

	@Override
	public void stop() {
		ConfigurableApplicationContext present = this.context;
		if (present != null) {
			present.close();
		}
	}

	@Override
	public int readable() {
		Lister<?> present = this.lister;
		return (present != null) ? present.size() : -1;
	}

	@Override
	public List<?> objects() {
		Lister<?> present = this.lister;
		return (present != null) ? present.list() : List.of();
	}

	@Override
	public int listeners() {
		return this.variant.equals("ten") ? 10 : 1;
	}

}

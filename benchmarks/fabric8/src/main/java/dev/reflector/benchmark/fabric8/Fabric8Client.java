package dev.reflector.benchmark.fabric8;

import java.net.URI;
import java.util.Arrays;
import java.util.function.Function;

import dev.reflector.benchmark.client.ClientRun;
import dev.reflector.benchmark.client.MirrorClient;
import dev.reflector.benchmark.client.Probe;
import dev.reflector.benchmark.server.Kind;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import org.jspecify.annotations.Nullable;

/**
 * An informer as the documentation of the client shows it, with its own model or with the
 * slimmest type it takes.
 */
public final class Fabric8Client implements MirrorClient {

	private final boolean slim;

	private Fabric8Client(boolean slim) {
		this.slim = slim;
	}

	/**
	 * Runs the phases.
	 * @param args see {@link ClientRun}; {@code variant=slim} has the slim type
	 */
	public static void main(String[] args) {
		ClientRun.main(args, new Fabric8Client(Arrays.asList(args).contains("variant=slim")));
	}

	@Override
	public void start(URI server, Kind kind, Probe probe) {
		KubernetesClient client = new KubernetesClientBuilder()
			.withConfig(new ConfigBuilder(Config.empty()).withMasterUrl(server.toString()).build())
			.build();
		probe.begin();
		if (kind == Kind.WIDGETS) {
			if (this.slim) {
				client.resources(SlimWidget.class).inAnyNamespace().inform(slimHandler(probe));
			}
			else {
				client.resources(Widget.class).inAnyNamespace().inform(slimHandler(probe));
			}
		}
		else if (this.slim) {
			client.resources(SlimPod.class).inAnyNamespace().inform(slimHandler(probe));
		}
		else {
			client.pods().inAnyNamespace().inform(handler(probe, (Pod pod) -> pod.getStatus().getMessage()));
		}
	}

	private static <T extends CustomResource<?, SlimStatus>> ResourceEventHandler<T> slimHandler(Probe probe) {
		return handler(probe, (T object) -> message(object.getStatus()));
	}

	private static @Nullable String message(@Nullable SlimStatus status) {
		return (status != null) ? status.getMessage() : null;
	}

	private static <T extends HasMetadata> ResourceEventHandler<T> handler(Probe probe,
			Function<? super T, @Nullable String> stamp) {
		return new ResourceEventHandler<>() {

			@Override
			public void onAdd(T object) {
				probe.added();
			}

			@Override
			public void onUpdate(T previous, T object) {
				probe.updated(object.getMetadata().getResourceVersion(), stamp.apply(object));
			}

			@Override
			public void onDelete(T object, boolean finalStateUnknown) {
				probe.deleted();
			}

		};
	}

}

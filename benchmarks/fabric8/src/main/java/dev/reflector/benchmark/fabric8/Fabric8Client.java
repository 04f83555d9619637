package dev.reflector.benchmark.fabric8;

import java.net.URI;
import java.util.Arrays;
import java.util.function.Function;

import dev.reflector.benchmark.application.ApplicationClient;
import dev.reflector.benchmark.client.ClientRun;
import dev.reflector.benchmark.client.MirrorClient;
import dev.reflector.benchmark.client.Probe;
import dev.reflector.benchmark.client.Variant;
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

	private final Variant variant;

	private Fabric8Client(Variant variant) {
		this.variant = variant;
	}

	/**
	 * Runs the phases.
	 * @param args see {@link ClientRun}; {@code variant} says which type
	 * ({@link Variant}), {@code bare} leaves Spring out
	 */
	public static void main(String[] args) {
		MirrorClient client = new Fabric8Client(Variant.of(args));
		ClientRun.main(args, Arrays.asList(args).contains("bare") ? client : new ApplicationClient(client));
	}

	@Override
	public void start(URI server, Kind kind, Probe probe) {
		KubernetesClient client = client(server);
		probe.begin();
		if (kind == Kind.WIDGETS) {
			if (this.variant != Variant.OWN) {
				client.resources(SlimWidget.class).inAnyNamespace().inform(slimHandler(probe));
			}
			else {
				client.resources(Widget.class).inAnyNamespace().inform(slimHandler(probe));
			}
		}
		else if (this.variant == Variant.SLIM) {
			client.resources(SlimPod.class).inAnyNamespace().inform(slimHandler(probe));
		}
		else if (this.variant == Variant.METADATA) {
			client.resources(MetadataPod.class).inAnyNamespace().inform(slimHandler(probe));
		}
		else {
			client.pods().inAnyNamespace().inform(handler(probe, (Pod pod) -> pod.getStatus().getMessage()));
		}
	}

	@Override
	public void startMany(URI server, int mirrors) {
		KubernetesClient client = client(server);
		for (int i = 0; i < mirrors; i++) {
			client.resources(SlimPod.class).inNamespace("ns" + i).inform(new ResourceEventHandler<>() {

				@Override
				public void onAdd(SlimPod pod) {
					throw new IllegalStateException("there are no objects");
				}

				@Override
				public void onUpdate(SlimPod previous, SlimPod pod) {
					throw new IllegalStateException("there are no objects");
				}

				@Override
				public void onDelete(SlimPod pod, boolean finalStateUnknown) {
					throw new IllegalStateException("there are no objects");
				}

			});
		}
	}

	private static KubernetesClient client(URI server) {
		return new KubernetesClientBuilder()
			.withConfig(new ConfigBuilder(Config.empty()).withMasterUrl(server.toString()).build())
			.build();
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

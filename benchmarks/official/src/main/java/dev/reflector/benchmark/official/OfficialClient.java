package dev.reflector.benchmark.official;

import java.net.URI;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import dev.reflector.benchmark.application.ApplicationClient;
import dev.reflector.benchmark.client.ClientRun;
import dev.reflector.benchmark.client.MirrorClient;
import dev.reflector.benchmark.client.Probe;
import dev.reflector.benchmark.client.Variant;
import dev.reflector.benchmark.server.Kind;
import io.kubernetes.client.common.KubernetesListObject;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodList;
import io.kubernetes.client.util.CallGenerator;
import io.kubernetes.client.util.CallGeneratorParams;
import io.kubernetes.client.util.Config;
import okhttp3.Dispatcher;
import org.jspecify.annotations.Nullable;

/**
 * An informer as the client's own example ({@code InformerExample}) makes it: from a
 * generator of calls, a type and a list type. The client then reads the list from the
 * stream. The type is its own model or the slimmest that it takes.
 */
public final class OfficialClient implements MirrorClient {

	private final Variant variant;

	private OfficialClient(Variant variant) {
		this.variant = variant;
	}

	/**
	 * Runs the phases.
	 * @param args see {@link ClientRun}; {@code variant} says which type
	 * ({@link Variant}), {@code bare} leaves Spring out
	 */
	public static void main(String[] args) {
		MirrorClient client = new OfficialClient(Variant.of(args));
		ClientRun.main(args, Arrays.asList(args).contains("bare") ? client : new ApplicationClient(client));
	}

	@Override
	public void start(URI server, Kind kind, Probe probe) {
		ApiClient client = client(server);
		SharedInformerFactory factory = new SharedInformerFactory(client);
		CallGenerator calls = (kind == Kind.PODS) ? pods(client) : widgets(client);
		if (kind == Kind.WIDGETS && this.variant != Variant.OWN) {
			register(factory, calls, SlimWidget.class, SlimWidgetList.class, probe, SlimWidget::stamp);
		}
		else if (kind == Kind.WIDGETS) {
			register(factory, calls, Widget.class, WidgetList.class, probe, Widget::stamp);
		}
		else if (this.variant == Variant.SLIM) {
			register(factory, calls, SlimPod.class, SlimPodList.class, probe, SlimPod::stamp);
		}
		else if (this.variant == Variant.METADATA) {
			register(factory, calls, MetadataPod.class, MetadataPodList.class, probe, MetadataPod::stamp);
		}
		else {
			register(factory, calls, V1Pod.class, V1PodList.class, probe,
					(pod) -> (pod.getStatus() != null) ? pod.getStatus().getMessage() : null);
		}
		probe.begin();
		factory.startAllRegisteredInformers();
	}

	/** A factory has one informer for each type, so there is one for each namespace. */
	@Override
	public void startMany(URI server, int mirrors) {
		ApiClient client = client(server);
		Dispatcher dispatcher = client.getHttpClient().dispatcher();
		dispatcher.setMaxRequests(Math.max(dispatcher.getMaxRequests(), 2 * mirrors));
		dispatcher.setMaxRequestsPerHost(Math.max(dispatcher.getMaxRequestsPerHost(), 2 * mirrors));
		CoreV1Api api = new CoreV1Api(client);
		for (int i = 0; i < mirrors; i++) {
			String namespace = "ns" + i;
			SharedInformerFactory factory = new SharedInformerFactory(client);
			factory.sharedIndexInformerFor((CallGeneratorParams params) -> api.listNamespacedPod(namespace)
				.resourceVersion(params.resourceVersion)
				.watch(params.watch)
				.timeoutSeconds(params.timeoutSeconds)
				.buildCall(null), SlimPod.class, SlimPodList.class);
			factory.startAllRegisteredInformers();
		}
	}

	private static ApiClient client(URI server) {
		ApiClient client = Config.fromUrl(server.toString());
		client.setHttpClient(client.getHttpClient().newBuilder().readTimeout(0, TimeUnit.SECONDS).build());
		return client;
	}

	private static CallGenerator pods(ApiClient client) {
		CoreV1Api api = new CoreV1Api(client);
		return (CallGeneratorParams params) -> api.listPodForAllNamespaces()
			.resourceVersion(params.resourceVersion)
			.watch(params.watch)
			.timeoutSeconds(params.timeoutSeconds)
			.buildCall(null);
	}

	private static CallGenerator widgets(ApiClient client) {
		CustomObjectsApi api = new CustomObjectsApi(client);
		return (CallGeneratorParams params) -> api.listCustomObjectForAllNamespaces("example.com", "v1", "widgets")
			.resourceVersion(params.resourceVersion)
			.watch(params.watch)
			.timeoutSeconds(params.timeoutSeconds)
			.buildCall(null);
	}

	private static <T extends KubernetesObject, L extends KubernetesListObject> void register(
			SharedInformerFactory factory, CallGenerator calls, Class<T> type, Class<L> listType, Probe probe,
			Function<T, @Nullable String> stamp) {
		factory.sharedIndexInformerFor(calls, type, listType).addEventHandler(new Handler<>(probe, stamp));
	}

	/**
	 * Counts.
	 *
	 * @param <T> the type of the objects
	 * @param probe counts
	 * @param stamp reads when an object was sent
	 */
	private record Handler<T extends KubernetesObject>(Probe probe,
			Function<T, @Nullable String> stamp) implements ResourceEventHandler<T> {

		@Override
		public void onAdd(T object) {
			this.probe.added();
		}

		@Override
		public void onUpdate(T previous, T object) {
			this.probe.updated(object.getMetadata().getResourceVersion(), this.stamp.apply(object));
		}

		@Override
		public void onDelete(T object, boolean finalStateUnknown) {
			this.probe.deleted();
		}

	}

}

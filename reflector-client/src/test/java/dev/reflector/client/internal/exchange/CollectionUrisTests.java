package dev.reflector.client.internal.exchange;

import java.net.URI;
import java.time.Duration;

import dev.reflector.ResourceType;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.WatchOptions;
import dev.reflector.client.fixture.Clients;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link CollectionUris}: the requests of section 2.12 of the protocol.
 */
class CollectionUrisTests {

	private static final ResourceType PODS = ResourceType.of("v1", "Pod", "pods");

	private final CollectionUris pods = new CollectionUris(URI.create("https://host:6443"), PODS, "", "");

	@Test
	void listsTheCoreGroup() {
		assertThat(list(this.pods, null, "0", 500, ""))
			.isEqualTo("https://host:6443/api/v1/pods?resourceVersion=0&limit=500");
		assertThat(list(this.pods, null, "12", 0, "")).isEqualTo("https://host:6443/api/v1/pods?resourceVersion=12");
		assertThat(list(this.pods, null, "", 0, "")).isEqualTo("https://host:6443/api/v1/pods");
		assertThat(list(this.pods, "ns", "", 4, "C1"))
			.isEqualTo("https://host:6443/api/v1/namespaces/ns/pods?limit=4&continue=C1");
	}

	@Test
	void listsANamedGroupBehindAPathPrefix() {
		CollectionUris uris = new CollectionUris(URI.create("https://rancher/k8s/clusters/c-1%3Ap/"),
				ResourceType.of("apps/v1", "Deployment", "deployments"), "", "");
		assertThat(uris.list("deployments", new ListOptions("ns", "", 0, "")).uri())
			.hasToString("https://rancher/k8s/clusters/c-1%3Ap/apis/apps/v1/namespaces/ns/deployments");
		assertThat(uris.discovery().uri()).hasToString("https://rancher/k8s/clusters/c-1%3Ap/apis/apps/v1");
		assertThat(this.pods.discovery().uri()).hasToString("https://host:6443/api/v1");
	}

	@Test
	void encodesSelectorsAndTokens() {
		CollectionUris uris = new CollectionUris(URI.create("https://host"), PODS, "app in (a,b),x!=y+z",
				"metadata.name=web");
		assertThat(list(uris, null, "", 0, "ab+/=&%?#é"))
			.isEqualTo("https://host/api/v1/pods?labelSelector=app%20in%20%28a%2Cb%29%2Cx%21%3Dy%2Bz"
					+ "&fieldSelector=metadata.name%3Dweb&continue=ab%2B%2F%3D%26%25%3F%23%C3%A9");
	}

	@Test
	void watches() {
		assertThat(watch(new WatchOptions(null, "12", Duration.ofSeconds(432), true, false)))
			.isEqualTo("https://host:6443/api/v1/pods?resourceVersion=12&allowWatchBookmarks=true&timeoutSeconds=432"
					+ "&watch=true");
		assertThat(watch(new WatchOptions("ns", "12", Duration.ofMillis(1), false, false)))
			.isEqualTo("https://host:6443/api/v1/namespaces/ns/pods?resourceVersion=12&timeoutSeconds=1&watch=true");
	}

	@Test
	void watchesWithTheInitialState() {
		assertThat(watch(new WatchOptions(null, "", Duration.ofSeconds(432), true, true)))
			.isEqualTo("https://host:6443/api/v1/pods?sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
					+ "&allowWatchBookmarks=true&timeoutSeconds=432&watch=true");
		assertThat(watch(new WatchOptions(null, "12", Duration.ofSeconds(432), false, true)))
			.isEqualTo("https://host:6443/api/v1/pods?sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
					+ "&resourceVersion=12&allowWatchBookmarks=true&timeoutSeconds=432&watch=true");
	}

	@Test
	void asksForAShard() {
		String selector = "shardRange(object.metadata.uid, '0x00', '0x80')";
		String encoded = "shardSelector=shardRange%28object.metadata.uid%2C%20%270x00%27%2C%20%270x80%27%29";
		assertThat(this.pods.list("pods", new ListOptions("ns", "", 1, "").withShardSelector(selector)).uri())
			.hasToString("https://host:6443/api/v1/namespaces/ns/pods?" + encoded + "&limit=1");
		assertThat(watch(new WatchOptions(null, "12", Duration.ZERO, false, false).withShardSelector(selector)))
			.isEqualTo("https://host:6443/api/v1/pods?resourceVersion=12&" + encoded + "&watch=true");
	}

	@Test
	void lowersTheCaseOfThePlural() {
		assertThat(this.pods.list("Pods", Clients.list()).uri()).hasToString("https://host:6443/api/v1/pods");
	}

	@Test
	void keepsTheNamespaceOutOfTheTemplate() {
		ApiRequest request = this.pods.list("pods", new ListOptions("ns", "7", 1, ""));
		assertThat(request.template()).isEqualTo("/api/v1/namespaces/{namespace}/pods");
		assertThat(request).hasToString("GET /api/v1/namespaces/ns/pods");
	}

	@ParameterizedTest
	@ValueSource(strings = { ".", "..", "a/b", "a%2fb" })
	void rejectsSegmentsThatWouldLeadElsewhere(String segment) {
		assertThatIllegalArgumentException().isThrownBy(() -> list(this.pods, segment, "", 0, ""));
		assertThatIllegalArgumentException().isThrownBy(() -> this.pods.list(segment, Clients.list()));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new CollectionUris(URI.create("https://host"), PODS.withPlural(segment), "", ""));
	}

	private String list(CollectionUris uris, String namespace, String resourceVersion, int limit, String token) {
		return uris.list("pods", new ListOptions(namespace, resourceVersion, limit, token)).uri().toString();
	}

	private String watch(WatchOptions options) {
		return this.pods.watch("pods", options).uri().toString();
	}

}

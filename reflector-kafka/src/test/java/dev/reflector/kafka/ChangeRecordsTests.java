package dev.reflector.kafka;

import java.nio.charset.StandardCharsets;

import dev.reflector.ObjectMeta;
import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.client.internal.bind.JsonSnapshotCodec;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the records that changes become.
 */
class ChangeRecordsTests {

	private static final ResourceType TYPE = ResourceType.of("v1", "Node", "nodes");

	private final JsonSnapshotCodec<Node> codec = new JsonSnapshotCodec<>(new JsonMapper(), Node.class, TYPE);

	private final ChangeRecords<Node> records = new ChangeRecords<>("nodes", TYPE, MetadataAccessor.forType(Node.class),
			this.codec);

	private static Node node(String namespace, String version) {
		return new JsonSnapshotCodec<>(new JsonMapper(), Node.class, TYPE)
			.read(("{\"metadata\":{\"name\":\"n\"" + (namespace.isEmpty() ? "" : ",\"namespace\":\"" + namespace + "\"")
					+ ",\"uid\":\"u\",\"resourceVersion\":\"" + version + "\"},\"zone\":\"z\"}")
				.getBytes(StandardCharsets.UTF_8));
	}

	@Test
	void theKeyIsNamespaceAndName() {
		assertThat(ChangeRecords.key(ResourceKey.of("kube-system", "dns"))).isEqualTo("kube-system/dns");
		assertThat(ChangeRecords.key(ResourceKey.of(null, "node-1"))).isEqualTo("node-1");
	}

	@Test
	void theValueIsTheObjectAsJson() {
		ProducerRecord<String, byte[]> record = this.records.of(new Change<>(Change.Type.ADDED, ResourceKey.of("", "n"),
				node("", "7"), null, "7", true, false, Change.Cause.LIST));
		assertThat(record.topic()).isEqualTo("nodes");
		assertThat(record.key()).isEqualTo("n");
		assertThat(new JsonMapper().readTree(record.value()).path("zone").asString()).isEqualTo("z");
		assertThat(this.codec.read(record.value())).isEqualTo(node("", "7"));
		assertThat(header(record, PublishedHeaders.TYPE)).isEqualTo("ADDED");
		assertThat(header(record, PublishedHeaders.RESOURCE_VERSION)).isEqualTo("7");
		assertThat(header(record, PublishedHeaders.UID)).isEqualTo("u");
		assertThat(header(record, PublishedHeaders.CAUSE)).isEqualTo("LIST");
		assertThat(header(record, PublishedHeaders.API_VERSION)).isEqualTo("v1");
		assertThat(header(record, PublishedHeaders.KIND)).isEqualTo("Node");
	}

	@Test
	void aDeletionHasNoValue() {
		ProducerRecord<String, byte[]> record = this.records.of(new Change<>(Change.Type.DELETED,
				ResourceKey.of("", "n"), node("", "8"), node("", "7"), "8", false, false, Change.Cause.WATCH));
		assertThat(record.value()).isNull();
		assertThat(header(record, PublishedHeaders.TYPE)).isEqualTo("DELETED");
		assertThat(header(record, PublishedHeaders.RESOURCE_VERSION)).isEqualTo("8");
		ProducerRecord<String, byte[]> gone = this.records.gone("n", 0);
		assertThat(gone.value()).isNull();
		assertThat(header(gone, PublishedHeaders.CAUSE)).isEqualTo("RECONCILED");
		assertThat(gone.headers().lastHeader(PublishedHeaders.UID)).isNull();
	}

	@Test
	void theDeletionOfAnObjectOfUnknownContentHasItsUidAndVersion() {
		ProducerRecord<String, byte[]> record = this.records
			.of(Change.ofUnknownContent(ResourceKey.of("", "n"), "u1", "7", Change.Cause.RECOVERED));
		assertThat(record.key()).isEqualTo("n");
		assertThat(record.value()).isNull();
		assertThat(header(record, PublishedHeaders.TYPE)).isEqualTo("DELETED");
		assertThat(header(record, PublishedHeaders.RESOURCE_VERSION)).isEqualTo("7");
		assertThat(header(record, PublishedHeaders.UID)).isEqualTo("u1");
		assertThat(header(record, PublishedHeaders.CAUSE)).isEqualTo("RECOVERED");
	}

	@Test
	void aDeletedObjectGetsTheVersionOfItsDeletion() {
		TopicObjects<Node> objects = new TopicObjects<>(MetadataAccessor.forType(Node.class), this.codec);
		assertThat(objects.at(node("", "7"), "9")).isEqualTo(node("", "9"));
		Node same = node("", "7");
		assertThat(objects.at(same, "7")).isSameAs(same);
		assertThat(objects.at(same, "")).isSameAs(same);
	}

	private static String header(ProducerRecord<String, byte[]> record, String name) {
		return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
	}

	/**
	 * A cluster-scoped object.
	 *
	 * @param metadata the metadata
	 * @param zone where it is
	 */
	record Node(ObjectMeta metadata, String zone) {

	}

}

package dev.reflector.cache.source;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

import dev.reflector.ObjectMeta;
import dev.reflector.ResourceKey;
import dev.reflector.cache.fixture.Thing;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class MetadataAccessorTests {

	record SlimMeta(String name, String resourceVersion) {

	}

	record ClusterScoped(SlimMeta metadata) {

	}

	static class BeanMeta {

		public String getName() {
			return "n";
		}

		public String getNamespace() {
			return "ns";
		}

		public String getResourceVersion() {
			return null;
		}

	}

	static class Bean {

		public BeanMeta getMetadata() {
			return new BeanMeta();
		}

	}

	static class SubBean extends Bean {

	}

	static class GenericBean<S, M> {

		public M metadata;

		public M getMetadata() {
			return this.metadata;
		}

	}

	static class HalfGenericBean<M> extends GenericBean<String, M> {

	}

	static class ConcreteBean extends HalfGenericBean<ObjectMeta> {

	}

	static class GenericFields<M> {

		public M metadata;

	}

	static class ConcreteFields extends GenericFields<ObjectMeta> {

	}

	record NoMetadata(String name) {

	}

	record OddMetadata(String metadata) {

	}

	@Test
	void readsRecords() {
		Thing thing = Thing.of("ns", "n", "7", "");
		assertThat(MetadataAccessor.forType(Thing.class).key(thing)).isEqualTo(ResourceKey.of("ns", "n"));
		assertThat(MetadataAccessor.forType(Thing.class).resourceVersion(thing)).isEqualTo("7");
	}

	@Test
	void readsSmallerMetadataTypes() {
		ClusterScoped object = new ClusterScoped(new SlimMeta("n", "7"));
		assertThat(MetadataAccessor.forType(ClusterScoped.class).key(object)).isEqualTo(ResourceKey.of("", "n"));
	}

	@Test
	void readsBeansOfOtherClients() {
		assertThat(MetadataAccessor.forType(SubBean.class).key(new SubBean())).isEqualTo(ResourceKey.of("ns", "n"));
		assertThat(MetadataAccessor.forType(SubBean.class).resourceVersion(new SubBean())).isEmpty();
	}

	@Test
	void readsMetadataThatAGenericSuperclassDeclares() {
		ConcreteBean bean = new ConcreteBean();
		bean.metadata = ObjectMeta.of("ns", "n");
		assertThat(MetadataAccessor.forType(ConcreteBean.class).key(bean)).isEqualTo(ResourceKey.of("ns", "n"));
		ConcreteFields fields = new ConcreteFields();
		fields.metadata = ObjectMeta.of("ns", "n");
		assertThat(MetadataAccessor.forType(ConcreteFields.class).key(fields)).isEqualTo(ResourceKey.of("ns", "n"));
		assertThatExceptionOfType(MissingMetadataException.class)
			.isThrownBy(() -> MetadataAccessor.forType(GenericBean.class))
			.withMessageContaining("java.lang.Object has no accessor 'name'");
	}

	@Test
	void readsCreationTimestampDeclaredAsATime() {
		Instant created = Instant.parse("2026-11-21T10:00:00Z");
		assertThat(MetadataAccessor.forType(Timed.class)
			.creationTimestamp(new Timed(new TimedMeta("n", "7", created.atOffset(ZoneOffset.UTC)))))
			.isEqualTo(created);
		Thing thing = new Thing(new ObjectMeta("n", "ns", null, "7", 0, null, null, created, null, null, null), "");
		assertThat(MetadataAccessor.forType(Thing.class).creationTimestamp(thing)).isEqualTo(created);
		assertThat(MetadataAccessor.forType(Thing.class).creationTimestamp(Thing.of("ns", "n", "7", ""))).isNull();
		assertThat(MetadataAccessor.forType(ClusterScoped.class)
			.creationTimestamp(new ClusterScoped(new SlimMeta("n", "7")))).isNull();
	}

	record TimedMeta(String name, String resourceVersion, OffsetDateTime creationTimestamp) {

	}

	record Timed(TimedMeta metadata) {

	}

	@Test
	void s04_anObjectWithoutMetadataOrNameHasNoKey() {
		MetadataAccessor<Thing> accessor = MetadataAccessor.forType(Thing.class);
		assertThatIllegalArgumentException().isThrownBy(() -> accessor.key(new Thing(null, "")))
			.withMessage("Thing has no metadata");
		assertThatIllegalArgumentException().isThrownBy(() -> accessor.key(new Thing(ObjectMeta.of("ns", ""), "")))
			.withMessage("Thing has no metadata.name");
	}

	@Test
	void readsPublicFields() {
		Fields fields = new Fields();
		fields.metadata.name = "n";
		fields.metadata.namespace = "ns";
		fields.metadata.resourceVersion = "7";
		MetadataAccessor<Fields> accessor = MetadataAccessor.forType(Fields.class);
		assertThat(accessor.key(fields)).isEqualTo(new ResourceKey("ns", "n"));
		assertThat(accessor.resourceVersion(fields)).isEqualTo("7");
		assertThat(accessor.creationTimestamp(fields)).isEqualTo(Instant.EPOCH);
	}

	static class Fields {

		public final FieldsMeta metadata = new FieldsMeta();

	}

	static class FieldsMeta {

		public String name = "";

		public String namespace = "";

		public String resourceVersion = "";

		public final Instant creationTimestamp = Instant.EPOCH;

	}

	@Test
	void aTypeWithoutMetadataIsRefused() {
		assertThatExceptionOfType(MissingMetadataException.class)
			.isThrownBy(() -> MetadataAccessor.forType(NoMetadata.class))
			.withMessageContaining("no component, property or public field 'metadata'")
			.satisfies((ex) -> assertThat(ex.type()).isEqualTo(NoMetadata.class));
		assertThatExceptionOfType(MissingMetadataException.class)
			.isThrownBy(() -> MetadataAccessor.forType(OddMetadata.class))
			.withMessageContaining("java.lang.String has no accessor 'name'");
	}

}

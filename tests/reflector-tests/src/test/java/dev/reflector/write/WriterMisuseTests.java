package dev.reflector.write;

import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;
import dev.reflector.ResourceKey;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of what a writer says to those who use it wrongly: what to declare instead. None
 * of these calls makes a request.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WriterMisuseTests {

	private static final AppliedMeta NAMED = AppliedMeta.named("default", "a");

	private static final AppliedMeta MIRRORED = AppliedMeta
		.of(new ObjectMeta("a", "default", "u1", "1", 0, null, null, null, null, null, null));

	private final WriterStage stage = new WriterStage();

	private final ResourceWriter writer = this.stage.writer;

	@AfterEach
	void close() {
		assertThat(this.stage.writes()).isEmpty();
		this.stage.close();
	}

	private static void refused(String message, ThrowingCallable call) {
		assertThatIllegalArgumentException().isThrownBy(call).withMessageContaining(message);
	}

	private static void refusedType(String message, ThrowingCallable call) {
		assertThatExceptionOfType(InvalidAppliedTypeException.class).isThrownBy(call).withMessageContaining(message);
	}

	@Test
	void aMirroredInstanceIsNotApplied() {
		Website site = new Website(ObjectMeta.of("default", "a"), null, null);
		refusedType(
				"dev.reflector.write.Website is not applied: it has no @AppliedResource. Declare a record with exactly "
						+ "the fields that the application owns, annotated with @AppliedResource; mirrored "
						+ "types are never applied.",
				() -> this.writer.apply(site));
		refusedType("it has no @AppliedResource", () -> this.writer.create(site));
		refusedType("it has no @AppliedResource", () -> this.writer.status(MIRRORED, site));
	}

	@Test
	void primitiveComponentsAreNotApplied() {
		refusedType(
				"its component 'spec.limits.size' is a primitive int: when it is not set, its zero would be "
						+ "applied and " + "owned. Declare 'Integer size', of which null is not sent.",
				() -> this.writer.apply(new Primitive(NAMED, null)));
		refusedType("its component 'on' is a primitive boolean", () -> this.writer.status(MIRRORED, new Flag(true)));
		refusedType("its component 'items.weight' is a primitive int",
				() -> this.writer.status(MIRRORED, new Inherited(null)));
		refusedType("its component 'figure.radius' is a primitive double",
				() -> this.writer.status(MIRRORED, new Sealed(null)));
		refusedType("its component 'outline.side' is a primitive int",
				() -> this.writer.status(MIRRORED, new NamedByAnnotation(null)));
	}

	@Test
	void otherSubclassesOfASuperclassAreNotApplied() {
		assertThat(this.stage.writer((builder) -> builder.types(List.of(OneKind.class)))).isNotNull();
	}

	@Test
	void whatIsNotWrittenInKubernetesFormIsNotApplied() {
		refusedType(
				"its component 'spec.every' is a java.time.Duration, which is not written in Kubernetes' form. Declare a "
						+ "String, for a point in time an Instant, or for a date a LocalDate.",
				() -> this.writer.apply(new Every(NAMED, null)));
		refusedType("its component 'at' is a java.sql.Timestamp",
				() -> this.writer.status(MIRRORED, new Stamped(null, null, null)));
		refusedType("its component 'at' is a java.time.LocalTime", () -> this.writer.status(MIRRORED, new Daily(null)));
	}

	@Test
	void whatJacksonCannotReadIsNotApplied() {
		refusedType("what Jackson cannot read is not written, either: 'shape': Cannot construct instance of",
				() -> this.writer.status(MIRRORED, new Drawn(new Shape() {
				})));
		refusedType("what Jackson cannot read is not written, either: 'shape': Cannot construct instance of",
				() -> this.stage.writer((builder) -> builder.types(List.of(Drawn.class))));
		refusedType("is a primitive boolean", () -> this.stage.writer((builder) -> builder.types(List.of(Flag.class))));
	}

	@Test
	void twoTypesOfOneManagerAreRefusedUnlessOneIsTheStatus() {
		refusedType(
				"is applied to the same kind by the same manager 'one', and each apply would have the fields of the "
						+ "other removed. Name another one with 'manager' of @AppliedResource, or apply one record with all "
						+ "fields. If one of them is only created, name another one, too: that is not known at the start.",
				() -> this.stage.writer((builder) -> builder.types(List.of(One.class, Other.class))));
		assertThat(this.stage.writer((builder) -> builder.types(List.of(One.class, Whole.class)))).isNotNull();
	}

	@Test
	void whatJacksonCannotWriteIsNotApplied() {
		refused("cannot write this AnyStatus: the Java type at phase failed",
				() -> this.writer.status(MIRRORED, new AnyStatus(LocalDate.EPOCH)));
	}

	@Test
	void placeholdersOfATypeWithoutMirrorAreNotSeen() {
		ObjectMeta metadata = new ObjectMeta("a", "default", "u1", "1", 0, null, null, null, null, null, null);
		refused("Placeholders has placeholders, which cannot be resolved here; make the Owner with its constructor",
				() -> AppliedMeta.Owner.controller(new Placeholders(metadata)));
		refused("Placeholders has placeholders, and there is no mirror of it that knows their values",
				() -> this.writer.delete(new Placeholders(metadata)));
	}

	@Test
	void onlyRecordsWithMetadataAreApplied() {
		refusedType("it is not a record. Make it a record.", () -> this.writer.apply(new Bean()));
		refusedType("it has no component 'metadata'. Declare a component 'AppliedMeta metadata'.",
				() -> this.writer.apply(new WithoutMetadata("x")));
		refusedType("it has metadata in 'metadata'. Declare the components of the status alone",
				() -> this.writer.status(MIRRORED, new StatusWithMetadata(NAMED)));
		refusedType("this library does not write the subresource 'scale'", () -> this.writer.apply(new Scale(NAMED)));
		refused("SiteSettings has no metadata: make it with AppliedMeta.of(…)",
				() -> this.writer.apply(new SiteSettings(null, null)));
	}

	@Test
	void aStatusIsNoObject() {
		SiteStatus status = new SiteStatus("Ready", null);
		refusedType("is a status, not an object. Call status(AppliedMeta.of(…), …) with it.",
				() -> this.writer.apply(status));
		refusedType("is a status, not an object. Create the object", () -> this.writer.create(status));
		refusedType("is not a status. Declare 'subresource = \"status\"'",
				() -> this.writer.status(MIRRORED, SiteSettings.named("a", null, 1)));
		refused("a status belongs to a mirrored object: make its metadata with AppliedMeta.of(…)",
				() -> this.writer.status(NAMED, status));
		refused("the metadata of a status has no labels",
				() -> this.writer.status(MIRRORED.withLabels(Map.of()), status));
	}

	@Test
	void whatIsMirroredIsNotCreated() {
		refused("has a uid, so it exists", () -> this.writer.create(new SiteSettings(MIRRORED, null)));
	}

	@Test
	void metadataWithoutUidNamesTheComponentToDeclare() {
		refused("there is no uid of 'default/a': declare a component 'String uid' in " + Slim.class.getName(),
				() -> AppliedMeta.of(new Slim("default", "a", "1")));
		refused("there is no uid of 'default/a': declare a component 'String uid' in the metadata of "
				+ Slimmer.class.getName(), () -> this.writer.delete(new Slimmer(new Slim("default", "a", "1"))));
		refused("java.lang.String is not the metadata of a mirrored object", () -> AppliedMeta.of("a"));
		refused("java.lang.String is not a mirrored type", () -> this.writer.delete("a"));
		refused("is applied, not mirrored: pass the mirrored object",
				() -> this.writer.delete(SiteSettings.named("a", null, 1)));
		refused("there is no uid of 'default/a' to delete",
				() -> this.writer.delete(Website.class, new ResourceKey("default", "a"), ""));
		refused("has no @ReflectedResource, so its kind is not known", () -> AppliedMeta.Owner.controller("a"));
	}

	@Test
	void aManagerHasAName() {
		refusedType("has 129 bytes in UTF-8, and 128 are allowed", () -> this.writer
			.apply(SiteSettings.named("a", null, 1), ApplyOptions.defaults().withManager("x".repeat(129))));
		refusedType("has characters that cannot be printed",
				() -> this.writer.apply(SiteSettings.named("a", null, 1), ApplyOptions.defaults().withManager("a\nb")));
		for (String unprintable : List.of("\u00a0", "\u200b", "\u2028", "\ue000")) {
			ApplyOptions options = ApplyOptions.defaults().withManager("a" + unprintable + "b");
			refusedType("has characters that cannot be printed",
					() -> this.writer.apply(SiteSettings.named("a", null, 1), options));
		}
		refusedType("has 130 bytes in UTF-8", () -> this.writer.apply(SiteSettings.named("a", null, 1),
				ApplyOptions.defaults().withManager("\u00e4".repeat(65))));
		refused("the name of the manager must not be empty", () -> ApplyOptions.defaults().withManager(""));
		refused("the name of the application must not be empty",
				() -> this.stage.writer((builder) -> builder.application("")));
	}

	@Test
	void aListHasNoNulls() {
		refused("the list 'spec.aliases' of SiteSettings has an element that is null: leave it out", () -> this.writer
			.apply(new SiteSettings(NAMED, new SiteSettings.Spec(null, null, Arrays.asList("a", null), null))));
	}

	@Test
	void anEventLoopDoesNotWrite() {
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> Mono.fromCallable(() -> this.writer.apply(SiteSettings.named("a", null, 1)))
				.subscribeOn(Schedulers.parallel())
				.block())
			.withMessageContaining("a write blocks, and the thread 'parallel-");
	}

	@Test
	void aNameIsPartOfAUrl() {
		refused("cannot be part of a URL", () -> this.writer.apply(SiteSettings.named("a/b", null, 1)));
		refused("the name of an object must not be empty", () -> AppliedMeta.named("default", ""));
		refused("the uid of 'default/a' must not be empty",
				() -> new AppliedMeta("default", "a", "", null, null, null, null));
	}

	@AppliedResource(apiVersion = "example.com/v1", kind = "Website")
	record Primitive(AppliedMeta metadata, Spec spec) {

		record Spec(List<Map<String, Limits>> limits) {
		}

		record Limits(int size) {
		}

	}

	@AppliedResource(apiVersion = "example.com/v1", kind = "Website", subresource = "status")
	record Flag(boolean on) {

	}

	@AppliedResource(apiVersion = "example.com/v1", kind = "Website", subresource = "status")
	record Inherited(List<Item> items) {

	}

	static class Item extends Mass {

	}

	static class Mass {

		private int weight;

		int getWeight() {
			return this.weight;
		}

		void setWeight(int weight) {
			this.weight = weight;
		}

	}

	@AppliedResource(apiVersion = "example.com/v1", kind = "Website", subresource = "status")
	record Sealed(Figure figure) {

	}

	sealed interface Figure permits Circle {

	}

	record Circle(double radius) implements Figure {

	}

	@AppliedResource(apiVersion = "example.com/v1", kind = "Website", subresource = "status")
	record NamedByAnnotation(Outline outline) {

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "form")
	@JsonSubTypes(@JsonSubTypes.Type(value = Square.class, name = "square"))
	interface Outline {

	}

	record Square(int side) implements Outline {

	}

	@AppliedResource(apiVersion = "example.com/v1", kind = "Website")
	record OneKind(AppliedMeta metadata, Wide spec) {

	}

	@JsonSubTypes(@JsonSubTypes.Type(value = Thin.class, name = "thin"))
	static class Panel {

	}

	static class Wide extends Panel {

		public Integer width;

	}

	static class Thin extends Panel {

		public int width;

	}

	@AppliedResource(apiVersion = "example.com/v1", kind = "Website")
	record Every(AppliedMeta metadata, Spec spec) {

		record Spec(List<Duration> every) {
		}

	}

	@AppliedResource(apiVersion = "example.com/v1", kind = "Website", subresource = "status")
	record Stamped(Instant right, LocalDate day, Timestamp at) {

	}

	@AppliedResource(apiVersion = "example.com/v1", kind = "Website", subresource = "status")
	record Daily(LocalTime at) {

	}

	@AppliedResource(apiVersion = "example.com/v1", kind = "Website", subresource = "status")
	record AnyStatus(Object phase) {

	}

	@AppliedResource(apiVersion = "example.com/v1", kind = "Website", subresource = "status", manager = "one")
	record One(String phase) {

	}

	@AppliedResource(apiVersion = "example.com/v1", kind = "Website", subresource = "status", manager = "one")
	record Other(String phase) {

	}

	@AppliedResource(apiVersion = "example.com/v1", kind = "Website", manager = "one")
	record Whole(AppliedMeta metadata) {

	}

	@AppliedResource(apiVersion = "example.com/v1", kind = "Website", subresource = "status", manager = "drawn")
	record Drawn(Shape shape) {

	}

	interface Shape {

	}

	@ReflectedResource(apiVersion = "${sites.group}/v1")
	record Placeholders(ObjectMeta metadata) {

	}

	@AppliedResource(apiVersion = "example.com/v1")
	static class Bean {

	}

	@AppliedResource(apiVersion = "example.com/v1")
	record WithoutMetadata(String metadata) {

	}

	@AppliedResource(apiVersion = "example.com/v1", subresource = "status")
	record StatusWithMetadata(AppliedMeta metadata) {

	}

	@AppliedResource(apiVersion = "example.com/v1", subresource = "scale")
	record Scale(AppliedMeta metadata) {

	}

	record Slim(String namespace, String name, String resourceVersion) {

	}

	record Slimmer(Slim metadata) {

	}

}

package dev.reflector.write;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static dev.reflector.test.assertj.ApiServerAssertions.assertThatObject;
import static dev.reflector.test.assertj.ApiServerAssertions.assertThatServer;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests a release that no longer declares a field, and declares the same values as before
 * elsewhere. The mirror does not show that a change is needed.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NextReleaseTests {

	private final WriterStage stage = new WriterStage();

	private Website site;

	@AfterEach
	void close() {
		this.stage.close();
	}

	@BeforeEach
	void runFirstRelease() {
		this.stage.sites.managedBy("kubectl").create("{\"metadata\": {\"name\": \"a\"}}");
		this.site = this.stage.mirrored("a");
		this.stage.writer.apply(SiteSettings.of(this.site, "shop.example.com", 3));
		this.site = this.stage.mirrored("a");
		assertThat(this.stage.writer.apply(SiteSettings.of(this.site, "shop.example.com", 3)).skipped()).isTrue();
	}

	@Test
	void theServerRemovesAFieldThatIsLeftOut() {
		ResourceWriter next = this.stage.writer((builder) -> builder);
		Written<Next.SiteSettings> written = next.apply(Next.SiteSettings.of(this.site, "shop.example.com"));
		assertThat(written.skipped()).isFalse();
		assertThat(written.changed()).isTrue();
		assertThat(this.stage.stored("a").path("spec").toString()).isEqualTo("{\"host\":\"shop.example.com\"}");
		assertThatObject(this.stage.stored("a")).fieldsOf("shop/SiteSettings").containsExactly("spec.host");
		this.stage.awaitMirror();
		assertThatServer(this.stage.server)
			.writesNothing(() -> next.apply(Next.SiteSettings.of(this.site, "shop.example.com")));
	}

	@Test
	void aFieldThatAnotherManagerWantsTooStays() {
		this.stage.sites.managedBy("autoscaler").serverSideApply("""
				{"metadata": {"name": "a"}, "spec": {"replicas": 3}}
				""", false);
		this.stage.awaitMirror();
		this.stage.writer((builder) -> builder).apply(Next.SiteSettings.of(this.site, "shop.example.com"));
		assertThatObject(this.stage.stored("a")).managersOf("spec.replicas").containsExactly("autoscaler");
		assertThat(this.stage.stored("a").at("/spec/replicas").asInt()).isEqualTo(3);
	}

	@Test
	void theFirstApplyAfterAStartIsSentThoughNothingChanges() {
		ResourceWriter restarted = this.stage.writer((builder) -> builder);
		Written<SiteSettings> first = restarted.apply(SiteSettings.of(this.site, "shop.example.com", 3));
		assertThat(first.skipped()).isFalse();
		assertThat(first.changed()).isFalse();
		assertThat(restarted.apply(SiteSettings.of(this.site, "shop.example.com", 3)).skipped()).isTrue();
	}

	/**
	 * The next release. Its record has the same name and so the same manager.
	 */
	private static final class Next {

		@AppliedResource(apiVersion = "example.com/v1", kind = "Website")
		record SiteSettings(AppliedMeta metadata, Spec spec) {

			static SiteSettings of(Website site, String host) {
				return new SiteSettings(AppliedMeta.of(site.metadata()), new Spec(host));
			}

			record Spec(String host) {

			}

		}

	}

}

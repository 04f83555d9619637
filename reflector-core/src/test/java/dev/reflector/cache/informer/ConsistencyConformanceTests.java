package dev.reflector.cache.informer;

import java.util.concurrent.TimeUnit;

import dev.reflector.ConsistencyReport.Result;
import dev.reflector.ConsistencyReport.Scope;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.config.ListSettings.InitialList;
import dev.reflector.cache.config.QueueSettings.Ordering;
import dev.reflector.cache.fixture.InformerHarness;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.source.ListOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The test cases of client-go for its consistency detector (C-360 to C-370) that are not
 * in {@link VerifierTests}.
 */
@Timeout(60)
class ConsistencyConformanceTests {

	private static final ReflectorOptions TWO = InformerHarness.listing().pageSize(2).build();

	private final ScriptedSource source = new ScriptedSource();

	private final Thing[] three = { Thing.of("a", "1"), Thing.of("b", "2"), Thing.of("c", "3") };

	private static Scope verify(InformerHarness loop) throws Exception {
		return loop.informer.verify().toCompletableFuture().get(30, TimeUnit.SECONDS).scopes().get(0);
	}

	@Test
	void c362_c363_c366_aServerThatIgnoresTheLimitIsComparedInFull() throws Exception {
		this.source.answer("7", this.three);
		try (InformerHarness loop = InformerHarness.started(this.source, TWO)) {
			this.source.nextWatch();
			this.source.answer("7", this.three);
			assertThat(verify(loop).result()).isEqualTo(Result.EQUAL);
			assertThat(this.source.lists).containsExactly(new ListOptions(null, "0", 2, ""),
					new ListOptions(null, "7", 2, "", ListOptions.ResourceVersionMatch.EXACT));
		}
	}

	@Test
	void c364_c366_aLimitThatTheServerHonoursLeadsToFurtherPages() throws Exception {
		this.source.answerPage("7", "C1", this.three[0], this.three[1]).answerPage("7", "", this.three[2]);
		try (InformerHarness loop = InformerHarness.started(this.source, TWO)) {
			this.source.nextWatch();
			this.source.answerPage("7", "C1", this.three[0], this.three[1]).answerPage("7", "", this.three[2]);
			assertThat(verify(loop).result()).isEqualTo(Result.EQUAL);
			assertThat(this.source.lists).endsWith(
					new ListOptions(null, "7", 2, "", ListOptions.ResourceVersionMatch.EXACT),
					new ListOptions(null, "", 2, "C1"));
		}
	}

	@Test
	void c367_aMirrorAtVersionZeroIsNotComparable() throws Exception {
		this.source.answer("0", this.three);
		try (InformerHarness loop = InformerHarness.started(this.source, TWO)) {
			this.source.nextWatch();
			assertThat(verify(loop).result()).isEqualTo(Result.NOT_COMPARABLE);
			assertThat(this.source.lists).hasSize(1);
		}
	}

	@Test
	void c369_aFailedComparisonCanBeRepeated() throws Exception {
		this.source.answer("7", this.three);
		try (InformerHarness loop = InformerHarness.started(this.source, TWO)) {
			this.source.nextWatch();
			for (int i = 0; i < 4; i++) {
				this.source.failList(ScriptedSource.status(500, "InternalError"));
				assertThat(verify(loop).message()).contains("500");
			}
			this.source.answer("7", this.three);
			assertThat(verify(loop).result()).isEqualTo(Result.EQUAL);
			assertThat(this.source.lists).hasSize(1 + 5);
		}
	}

	@ParameterizedTest
	@CsvSource({ "LIST,ARRIVAL", "LIST,PER_KEY", "STREAM,ARRIVAL", "STREAM,PER_KEY" })
	void c370_raisesNoFalseAlarm(InitialList initialList, Ordering ordering) throws Exception {
		ReflectorOptions options = InformerHarness.listing().initialList(initialList).ordering(ordering).build();
		if (initialList == InitialList.LIST) {
			this.source.answer("1", Thing.of("p1", "1"));
		}
		try (InformerHarness loop = InformerHarness.started(this.source, options)) {
			ScriptedSource.Stream watch = this.source.nextWatch();
			if (initialList == InitialList.STREAM) {
				watch.added(Thing.of("p1", "1")).endMarker("1");
			}
			loop.awaitSynced();
			this.source.answer("1", Thing.of("p1", "1"));
			assertThat(verify(loop)).extracting(Scope::result, Scope::resourceVersion, Scope::compared)
				.containsExactly(Result.EQUAL, "1", 1L);
		}
	}

}

package dev.reflector.client.internal.bind;

import java.nio.charset.StandardCharsets;

import dev.reflector.GenericResource;
import dev.reflector.client.internal.frame.JsonSkipper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests {@link Pruning} and {@link ShapeFinder}: which parts are skipped for which types.
 */
class PruningTests {

	private static final String TEXT = """
			{"metadata":{"name":"a","labels":{"app":"web"},"managedFields":[{}]}, "other" : [ 1 ] ,
			"spec":{"list":[{"name":"x","y":1},null,5,{}],"map":{"k":{"z":1,"name":"n"}},"child":{"no":1,"text":"t"},
			"tree":{"all":[{}]}}}""";

	private static Shape shape(Class<?> type) {
		return TypeReading.of(ServerObjectModule.mapper(JsonMapper.builder().build()).readerFor(type), type).shape();
	}

	private static String pruned(Class<?> type) {
		Pruning pruning = new Pruning(new JsonSkipper.Limits(500, 1000, 1000));
		byte[] bytes = TEXT.getBytes(StandardCharsets.UTF_8);
		assertThat(pruning.prune(shape(type), bytes, 0, bytes.length)).isNotNegative();
		return new String(pruning.kept(), 0, pruning.length(), StandardCharsets.UTF_8);
	}

	@Test
	void onlyDeclaredPropertiesAreKeptAtAnyDepth() {
		assertThat(pruned(ObjectBinderTests.Plain.class)).isEqualTo("""
				{"metadata":{"name":"a","labels":{"app":"web"}},"spec":{"list":[{"name":"x"},null,5,{}],\
				"map":{"k":{"name":"n"}},"child":{"text":"t"},"tree":{"all":[{}]}}}""");
		assertThat(pruned(ObjectBinderTests.Bean.class)).isEqualTo(pruned(ObjectBinderTests.Plain.class));
		assertThat(pruned(ObjectBinderTests.Empty.class)).isEqualTo("{}");
	}

	@Test
	void typesThatMayNeedAllPropertiesAreNotPruned() {
		for (Class<?> type : new Class<?>[] { ObjectBinderTests.Collecting.class,
				ObjectBinderTests.CollectingBean.class, ObjectBinderTests.AnyCase.class,
				ObjectBinderTests.Unwrapping.class, ObjectBinderTests.Delegating.class, ObjectBinderTests.Factory.class,
				ObjectBinderTests.Base.class, GenericResource.class, String.class }) {
			assertThat(shape(type)).as(type.getName()).isSameAs(Shape.ALL);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "[]", "\"a\"", "", "{", "{\"a\":}", "{\"m\\u0065tadata\":1}", "{\"a\":\"\u0000\"}" })
	void textThatIsNoPlainObjectIsLeftToTheParser(String text) {
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		Pruning pruning = new Pruning(new JsonSkipper.Limits(500, 1000, 1000));
		assertThat(pruning.prune(shape(ObjectBinderTests.Plain.class), bytes, 0, bytes.length)).isNegative();
	}

}

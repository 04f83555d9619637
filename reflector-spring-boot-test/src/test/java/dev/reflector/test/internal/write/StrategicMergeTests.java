package dev.reflector.test.internal.write;

import dev.reflector.test.internal.api.Json;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StrategicMergeTests {

	@Test
	void mergesListsByName() {
		assertThat(merge("""
				{"c":[{"name":"a","x":1},{"name":"b","x":1}]}""",
				"""
						{"$setElementOrder/c":[{"name":"b"}],"c":[{"name":"b","x":2},{"name":"d"},{"name":"a","$patch":"delete"}]}"""))
			.isEqualTo("""
					{"c":[{"name":"b","x":2},{"name":"d"}]}""");
	}

	@Test
	void replacesListsWithoutKeys() {
		assertThat(merge("{\"c\":[{\"k\":1}],\"p\":[1,2]}", "{\"c\":[{\"k\":2}],\"p\":[3]}"))
			.isEqualTo("{\"c\":[{\"k\":2}],\"p\":[3]}");
	}

	/** As {@code kubectl edit} sends it. */
	@Test
	void mergesFinalizersAndOrderedValuesAsSets() {
		assertThat(merge("{\"finalizers\":[\"a\",\"b\"]}", "{\"finalizers\":[\"b\",\"c\"]}"))
			.isEqualTo("{\"finalizers\":[\"a\",\"b\",\"c\"]}");
		assertThat(merge("{\"p\":[\"a\",\"b\"]}", """
				{"$setElementOrder/p":["b","c"],"$deleteFromPrimitiveList/p":["a"],"p":["c"]}"""))
			.isEqualTo("{\"p\":[\"b\",\"c\"]}");
	}

	@Test
	void replacesWhereThePatchAsksForIt() {
		assertThat(merge("{\"a\":{\"x\":1},\"l\":[{\"name\":\"a\"}]}",
				"{\"a\":{\"$patch\":\"replace\",\"y\":1},\"l\":[{\"name\":\"b\"},{\"$patch\":\"replace\"}]}"))
			.isEqualTo("{\"a\":{\"y\":1},\"l\":[{\"name\":\"b\"}]}");
	}

	@Test
	void deletesWhereThePatchAsksForIt() {
		assertThat(merge("{\"a\":{\"x\":1},\"b\":1,\"p\":[1,2,3]}",
				"{\"a\":{\"$patch\":\"delete\"},\"b\":null,\"$deleteFromPrimitiveList/p\":[2]}"))
			.isEqualTo("{\"p\":[1,3]}");
	}

	@Test
	void retainsKeys() {
		assertThat(
				merge("{\"s\":{\"type\":\"A\",\"rolling\":{}}}", "{\"s\":{\"$retainKeys\":[\"type\"],\"type\":\"B\"}}"))
			.isEqualTo("{\"s\":{\"type\":\"B\"}}");
	}

	private static String merge(String target, String patch) {
		return StrategicMerge.merge(Json.of(target), Json.of(patch)).toString();
	}

}

package dev.reflector.client.internal.bind;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StringPool}.
 */
class StringPoolTests {

	private final StringPool pool = new StringPool();

	private String share(String string) {
		return this.pool.isOpen() ? this.pool.share(string.toCharArray(), 0, string.length()) : new String(string);
	}

	@Test
	void valuesOfWhichThereAreTwoThousandStayShared() {
		Random random = new Random(1);
		Set<String> instances = Collections.newSetFromMap(new IdentityHashMap<>());
		for (int i = 0; i < 20_000; i++) {
			String value = "node-" + random.nextInt(2000);
			String shared = share(value);
			assertThat(shared).isEqualTo(value);
			instances.add(shared);
		}
		// about 5574; without sharing 20000
		assertThat(instances).hasSizeLessThan(7000);
	}

	@Test
	void aPoolOfUniqueValuesIsClosedForSomeTime() {
		List<Integer> closed = new ArrayList<>();
		for (int i = 0; i < 20_000; i++) {
			if (!this.pool.isOpen()) {
				closed.add(i);
			}
			else {
				assertThat(this.pool.share(("u" + i).toCharArray(), 0, ("u" + i).length())).isEqualTo("u" + i);
			}
		}
		assertThat(closed).hasSizeGreaterThan(10_000);
		while (!this.pool.isOpen()) {
			// some time later
		}
		assertThat(share("again")).isSameAs(share("again"));
	}

	@Test
	void bytesAndCharactersAreOneString() {
		byte[] bytes = "<same>".getBytes(StandardCharsets.US_ASCII);
		assertThat(this.pool.share(bytes, 1, 4)).isEqualTo("same").isSameAs(share("same"));
		assertThat(this.pool.share(bytes, 1, 4)).isSameAs(share("same"));
		assertThat(this.pool.share(bytes, 0, 6)).isEqualTo("<same>");
	}

	@Test
	void aPoolOfUniqueBytesIsClosedForSomeTime() {
		int closed = 0;
		for (int i = 0; i < 20_000; i++) {
			byte[] bytes = ("u" + i).getBytes(StandardCharsets.US_ASCII);
			if (!this.pool.isOpen()) {
				closed++;
			}
			else {
				assertThat(this.pool.share(bytes, 0, bytes.length)).isEqualTo("u" + i);
			}
		}
		assertThat(closed).isGreaterThan(10_000);
	}

}

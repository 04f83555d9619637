package dev.reflector.snapshot.jdbc;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link UrlCredentials}.
 */
class UrlCredentialsTests {

	@ParameterizedTest
	@CsvSource({ "jdbc:postgresql://db:5432/app?user=me&password=secret, jdbc:postgresql://db:5432/app",
			"jdbc:postgresql://me:secret@db/app, jdbc:postgresql://db/app",
			"jdbc:h2:tcp://db/~/app;USER=sa;PASSWORD=secret, jdbc:h2:tcp://db/~/app",
			"jdbc:h2:mem:app;PASSWORD=secret, jdbc:h2:mem:app",
			"jdbc:oracle:thin:scott/tiger@//db:1521/app, jdbc:oracle:thin:@//db:1521/app",
			"jdbc:oracle:thin:scott/ti;ger@db:1521:app, jdbc:oracle:thin:@db:1521:app",
			"jdbc:oracle:thin:@db:1521/app, jdbc:oracle:thin:@db:1521/app" })
	void aPlaceHasNone(String url, String place) {
		assertThat(UrlCredentials.place(url)).isEqualTo(place);
	}

	@Test
	void theyAreRemovedFromMessages() {
		assertThat(UrlCredentials.removed("no driver for jdbc:x://me:secret@db/app?user=me&password=secret&ssl=true"))
			.isEqualTo("no driver for jdbc:x://db/app?user=***&password=***&ssl=true");
		assertThat(UrlCredentials.removed("no driver for jdbc:x://me:a/b@db/app"))
			.isEqualTo("no driver for jdbc:x://db/app");
		assertThat(UrlCredentials.removed("no driver for jdbc:oracle:thin:scott/tiger@db:1521:app"))
			.isEqualTo("no driver for jdbc:oracle:thin:@db:1521:app");
		assertThat(UrlCredentials.removed("database or disk is full")).isEqualTo("database or disk is full");
	}

}

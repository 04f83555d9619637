package dev.reflector.sharded;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import org.h2.jdbcx.JdbcDataSource;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** The configuration of a replica with the table of the guide. */
@Configuration(proxyBeanMethods = false)
@EnableTransactionManagement
@AutoConfigurationPackage
@Import(WidgetTable.class)
public class WidgetTableReplica {

	/**
	 * Creates the tables.
	 * @param url of the database
	 * @param slots how many slots there are
	 */
	public static void createTables(String url, int slots) {
		JdbcClient jdbc = JdbcClient.create(dataSource(url));
		jdbc.sql("create table slots (slot int primary key, epoch bigint not null)").update();
		jdbc.sql("create table widgets (slot int, namespace varchar(100), name varchar(100), size int, "
				+ "primary key (slot, namespace, name))")
			.update();
		IntStream.range(0, slots).forEach((slot) -> jdbc.sql("insert into slots values (?, 0)").param(slot).update());
	}

	/** Returns the sizes of the widgets in the table. */
	public static Map<String, Integer> sizes(String url) {
		Map<String, Integer> sizes = new TreeMap<>();
		JdbcClient.create(dataSource(url)).sql("select name, size from widgets").query((row) -> {
			sizes.put(row.getString("name"), row.getInt("size"));
		});
		return sizes;
	}

	@Bean
	static DataSource dataSource(@Value("${database}") String url) {
		JdbcDataSource dataSource = new JdbcDataSource();
		dataSource.setUrl(url);
		return dataSource;
	}

	@Bean
	JdbcClient jdbcClient(DataSource dataSource) {
		return JdbcClient.create(dataSource);
	}

	@Bean
	PlatformTransactionManager transactionManager(DataSource dataSource) {
		return new JdbcTransactionManager(dataSource);
	}

}

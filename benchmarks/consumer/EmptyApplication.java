package com.example;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.time.Duration;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;

/**
 * Starts, says what that took, and ends.
 */
@SpringBootApplication(proxyBeanMethods = false)
public class EmptyApplication {

	public static void main(String[] args) {
		new SpringApplicationBuilder(EmptyApplication.class)
			.properties("server.port=0", "logging.level.root=warn", "spring.main.banner-mode=off",
					"spring.jmx.enabled=false")
			.run(args);
		long took = System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
		long busy = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toMillis();
		MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
		long heap = Long.MAX_VALUE;
		for (int i = 0; i < 4; i++) {
			System.gc();
			heap = Math.min(heap, memory.getHeapMemoryUsage().getUsed());
		}
		System.out.println("startup.seconds=" + took / 1000.0);
		System.out.println("startup.cpuSeconds=" + busy / 1000.0);
		System.out.println("idle.heapBytes=" + heap);
		System.out.println("idle.otherBytes=" + memory.getNonHeapMemoryUsage().getUsed());
		System.out.println("idle.threads=" + ManagementFactory.getThreadMXBean().getThreadCount());
		System.out.println("idle.classes=" + ManagementFactory.getClassLoadingMXBean().getLoadedClassCount());
		System.out.println("complete=true");
		System.out.flush();
		Runtime.getRuntime().halt(0);
	}

}

package com.example.certificates;

import java.util.concurrent.CompletionStage;

import dev.reflector.ConsistencyReport;
import dev.reflector.Reflector;

import org.springframework.stereotype.Component;

@Component
class MirrorCheck {

	private final Reflector<SecretName> reflector;

	MirrorCheck(Reflector<SecretName> reflector) {
		this.reflector = reflector;
	}

	CompletionStage<ConsistencyReport> check() {
		return this.reflector.verify().thenApply((report) -> {
			if (report.result() == ConsistencyReport.Result.DIFFERENT) {
				this.reflector.relist();
			}
			return report;
		});
	}

}

package dev.reflector.autoconfigure.hidden;

import dev.reflector.Lister;
import dev.reflector.Reflector;

import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@AutoConfigurationPackage
public class HiddenConfiguration {

	@Bean
	ParcelService parcelService(Lister<Parcel> parcels, Reflector<Parcel> reflector) {
		return new ParcelService(parcels, reflector);
	}

}

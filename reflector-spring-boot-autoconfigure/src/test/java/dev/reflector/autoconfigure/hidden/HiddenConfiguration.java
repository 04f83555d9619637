package dev.reflector.autoconfigure.hidden;

import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.reflector.Lister;
import dev.reflector.Reflector;

@Configuration(proxyBeanMethods = false)
@AutoConfigurationPackage
public class HiddenConfiguration {

	@Bean
	ParcelService parcelService(Lister<Parcel> parcels, Reflector<Parcel> reflector) {
		return new ParcelService(parcels, reflector);
	}

}

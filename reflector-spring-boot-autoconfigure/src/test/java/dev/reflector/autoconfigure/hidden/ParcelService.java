package dev.reflector.autoconfigure.hidden;

import dev.reflector.Lister;
import dev.reflector.Reflector;

public class ParcelService {

	private final Lister<Parcel> parcels;

	private final Reflector<Parcel> reflector;

	ParcelService(Lister<Parcel> parcels, Reflector<Parcel> reflector) {
		this.parcels = parcels;
		this.reflector = reflector;
	}

	public Lister<?> parcels() {
		return this.parcels;
	}

	public Reflector<?> reflector() {
		return this.reflector;
	}

}

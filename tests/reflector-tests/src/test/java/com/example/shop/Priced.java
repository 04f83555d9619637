package com.example.shop;

// tag::priced[]
public interface Priced {

	int price();

}
// end::priced[]

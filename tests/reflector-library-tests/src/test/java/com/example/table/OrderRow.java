package com.example.table;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class OrderRow {

	@Id
	private String id;

	private int price;

	protected OrderRow() {
	}

	OrderRow(String id, int price) {
		this.id = id;
		this.price = price;
	}

	String id() {
		return this.id;
	}

	int price() {
		return this.price;
	}

}

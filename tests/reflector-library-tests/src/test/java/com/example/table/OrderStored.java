package com.example.table;

/**
 * An order is in the transaction that stores it.
 */
record OrderStored(String id) {
}

/**
 * A shop that listens to orders and invoices. The guide shows parts of it.
 */
package com.example.shop;

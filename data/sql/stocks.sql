-- Closes of stocks: constituents of a product, and shares of issuers (METHODOLOGY M18.48). They are inputs: no view shows one.

CREATE TABLE IF NOT EXISTS stock_close (
  input VARCHAR NOT NULL,
  date DATE NOT NULL,
  ticker VARCHAR NOT NULL,
  close DOUBLE NOT NULL,
  source VARCHAR NOT NULL,
  -- what its source allows, in the words of the file; null where it does not say
  licence VARCHAR
);

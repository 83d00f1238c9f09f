-- Closes of stocks that are constituents of a product.

CREATE TABLE IF NOT EXISTS stock_close (
  input VARCHAR NOT NULL,
  date DATE NOT NULL,
  ticker VARCHAR NOT NULL,
  close DOUBLE NOT NULL,
  source VARCHAR NOT NULL
);

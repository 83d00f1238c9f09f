-- Daily closes.

CREATE TABLE IF NOT EXISTS price_close (
  input VARCHAR NOT NULL,
  date DATE NOT NULL,
  asset VARCHAR NOT NULL,
  close DOUBLE NOT NULL,
  source VARCHAR NOT NULL
);

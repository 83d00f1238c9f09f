-- Daily closes.

CREATE TABLE IF NOT EXISTS price_close (
  input VARCHAR NOT NULL,
  date DATE NOT NULL,
  asset VARCHAR NOT NULL,
  close DOUBLE NOT NULL,
  source VARCHAR NOT NULL
);

-- of those, the ones no figure uses
CREATE TABLE IF NOT EXISTS close_refused (
  date DATE NOT NULL,
  asset VARCHAR NOT NULL,
  close DOUBLE NOT NULL,
  source VARCHAR NOT NULL,
  reason VARCHAR NOT NULL
);

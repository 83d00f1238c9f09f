-- What current reports state (METHODOLOGY 17). Numbers are the digits filed; null is what a report does not say.

CREATE TABLE IF NOT EXISTS coin_statement (
  input VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  accession VARCHAR NOT NULL,
  form VARCHAR NOT NULL,
  items VARCHAR[] NOT NULL,
  filed DATE NOT NULL,
  -- UTC; null where nothing states it
  accepted_at TIMESTAMP,
  known_from DATE NOT NULL,
  position INTEGER NOT NULL,
  kind VARCHAR NOT NULL,
  asset VARCHAR NOT NULL,
  units VARCHAR,
  period_from DATE,
  as_of DATE,
  usd VARCHAR,
  avg_price VARCHAR,
  net_proceeds VARCHAR,
  capacity_left VARCHAR,
  security VARCHAR,
  confidence VARCHAR NOT NULL,
  date_basis VARCHAR NOT NULL,
  from_table BOOLEAN NOT NULL,
  is_approximate BOOLEAN NOT NULL,
  furnished BOOLEAN,
  type VARCHAR NOT NULL,
  document VARCHAR NOT NULL,
  block INTEGER NOT NULL,
  table_row INTEGER,
  table_column INTEGER,
  -- JSON
  also_at VARCHAR NOT NULL,
  quote VARCHAR NOT NULL,
  notes VARCHAR[] NOT NULL
);

CREATE TABLE IF NOT EXISTS refused_statement (
  input VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  accession VARCHAR NOT NULL,
  form VARCHAR NOT NULL,
  items VARCHAR[] NOT NULL,
  filed DATE NOT NULL,
  accepted_at TIMESTAMP,
  known_from DATE NOT NULL,
  position INTEGER NOT NULL,
  reason VARCHAR NOT NULL,
  asset VARCHAR,
  units VARCHAR,
  type VARCHAR NOT NULL,
  document VARCHAR NOT NULL,
  block INTEGER NOT NULL,
  table_row INTEGER,
  table_column INTEGER,
  quote VARCHAR NOT NULL
);

CREATE TABLE IF NOT EXISTS report_document (
  input VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  accession VARCHAR NOT NULL,
  form VARCHAR NOT NULL,
  items VARCHAR[] NOT NULL,
  filed DATE NOT NULL,
  accepted_at TIMESTAMP,
  known_from DATE NOT NULL,
  position INTEGER NOT NULL,
  type VARCHAR NOT NULL,
  document VARCHAR NOT NULL,
  -- read, unreadable_exhibit or document_refused:<bound>
  status VARCHAR NOT NULL,
  -- false where only single documents are at hand
  is_whole BOOLEAN NOT NULL
);

-- purchases and sales whose amount does not fit their coins (M17.22), made again by every build
CREATE TABLE IF NOT EXISTS amount_mismatch (
  cik VARCHAR NOT NULL,
  accession VARCHAR NOT NULL,
  position INTEGER NOT NULL
);

-- coins an issuer had stated last, flows of later tables added, from each day on which that changed (M17.24, M17.37)
CREATE TABLE IF NOT EXISTS stated_units (
  cik VARCHAR NOT NULL,
  asset VARCHAR NOT NULL,
  known_from DATE NOT NULL,
  -- of the stock; null where none is usable any more
  stock_as_of DATE,
  as_of DATE,
  units VARCHAR,
  basis VARCHAR,
  confidence VARCHAR
);

-- stocks by day, each with the link to the one before it, as it was known from a day on (M17.19, M17.37)
CREATE TABLE IF NOT EXISTS holdings_link (
  cik VARCHAR NOT NULL,
  asset VARCHAR NOT NULL,
  as_of DATE NOT NULL,
  known_from DATE NOT NULL,
  accession VARCHAR NOT NULL,
  position INTEGER NOT NULL,
  previous_as_of DATE,
  previous_units VARCHAR,
  net_flows VARCHAR,
  difference VARCHAR,
  verdict VARCHAR,
  is_quarantined BOOLEAN NOT NULL
);

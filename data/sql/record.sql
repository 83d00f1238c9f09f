-- What a later filing of an issuer shows for the date of a figure that was published as proven (METHODOLOGY M12.18). Rows
-- follow from stress_row and the archive, so a build that lost them makes them again.
-- row key (method_version, cik, accession, figure)
CREATE TABLE IF NOT EXISTS record_row (
  method_version VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  accession VARCHAR NOT NULL,
  figure VARCHAR NOT NULL,
  ticker VARCHAR NOT NULL,
  period DATE NOT NULL,
  later_accession VARCHAR NOT NULL,
  later_form VARCHAR NOT NULL,
  later_known_on DATE NOT NULL,
  verdict VARCHAR NOT NULL,
  amount DECIMAL(38, 6) NOT NULL,
  -- as the later filing's own comparatives read; null where they prove none
  later_amount DECIMAL(38, 6),
  facts_compared INTEGER NOT NULL,
  facts_changed INTEGER NOT NULL,
  facts_absent INTEGER NOT NULL,
  finding VARCHAR NOT NULL
);

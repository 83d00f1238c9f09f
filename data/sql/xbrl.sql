-- Contents of the filings themselves: instance facts, calculation arcs, presentations, roles and extension
-- concepts. Run in every build, after warehouse.sql. Rows are keyed by (cik, accession): an accession alone may be a placeholder (M1.45).

-- filings whose files were read; `input` is the name in input_file
CREATE TABLE IF NOT EXISTS xbrl_filing (
  input VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  accession VARCHAR NOT NULL,
  fact_count INTEGER NOT NULL,
  arc_count INTEGER NOT NULL,
  -- the project wrote the arcs from the face statement; the filer did not (METHODOLOGY M1.46)
  arcs_authored BOOLEAN NOT NULL,
  -- what the cover says of the filer's reporting (METHODOLOGY M1.60)
  filer_category VARCHAR,
  fiscal_year_end VARCHAR,
  fiscal_quarter INTEGER
);

CREATE TABLE IF NOT EXISTS filing_document (
  input VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  accession VARCHAR NOT NULL,
  part VARCHAR NOT NULL,
  file VARCHAR,
  sha256 VARCHAR,
  status VARCHAR NOT NULL,
  defect VARCHAR
);

CREATE TABLE IF NOT EXISTS instance_fact (
  input VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  accession VARCHAR NOT NULL,
  concept VARCHAR NOT NULL,
  context_id VARCHAR NOT NULL,
  unit VARCHAR NOT NULL,
  start_date DATE,
  end_date DATE NOT NULL,
  value DOUBLE,
  value_exact VARCHAR,
  decimals VARCHAR,
  dimensions STRUCT(axis VARCHAR, member VARCHAR, typed BOOLEAN)[] NOT NULL,
  -- ordinal among the facts of the document; the balance sheet is rebuilt from it (METHODOLOGY M1.24c)
  position INTEGER
);

CREATE TABLE IF NOT EXISTS calculation_arc (
  input VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  accession VARCHAR NOT NULL,
  role VARCHAR NOT NULL,
  parent VARCHAR NOT NULL,
  child VARCHAR NOT NULL,
  weight DOUBLE NOT NULL,
  weight_exact VARCHAR,
  arc_order DOUBLE NOT NULL,
  version VARCHAR NOT NULL
);

-- lines of the balance sheet that hold an amount which the notes alone state (METHODOLOGY M1.20)
CREATE TABLE IF NOT EXISTS named_line (
  input VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  accession VARCHAR NOT NULL,
  concept VARCHAR NOT NULL,
  end_date DATE NOT NULL,
  position INTEGER NOT NULL,
  line VARCHAR NOT NULL
);

-- dates, durations and short texts that state a term of debt, warrants or shares (METHODOLOGY M18.11)
CREATE TABLE IF NOT EXISTS term_fact (
  input VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  accession VARCHAR NOT NULL,
  concept VARCHAR NOT NULL,
  context_id VARCHAR NOT NULL,
  value VARCHAR NOT NULL,
  start_date DATE,
  end_date DATE NOT NULL,
  dimensions STRUCT(axis VARCHAR, member VARCHAR, typed BOOLEAN)[] NOT NULL
);

CREATE TABLE IF NOT EXISTS presentation_concept (
  input VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  accession VARCHAR NOT NULL,
  role VARCHAR NOT NULL,
  position INTEGER NOT NULL,
  concept VARCHAR NOT NULL
);

CREATE TABLE IF NOT EXISTS link_role (
  input VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  accession VARCHAR NOT NULL,
  uri VARCHAR NOT NULL,
  definition VARCHAR
);

CREATE TABLE IF NOT EXISTS concept_declaration (
  input VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  accession VARCHAR NOT NULL,
  concept VARCHAR NOT NULL,
  type VARCHAR NOT NULL,
  is_monetary BOOLEAN NOT NULL,
  period_type VARCHAR NOT NULL,
  balance VARCHAR,
  is_abstract BOOLEAN NOT NULL,
  label VARCHAR
);

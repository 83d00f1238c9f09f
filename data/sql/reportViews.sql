-- What current reports state, for analysts (METHODOLOGY 17); every view and column has a comment.

-- stocks by day as they were linked when a day ended (M17.37)
CREATE OR REPLACE MACRO internal.linked_holdings(d) AS TABLE
SELECT l.cik, coalesce(u.ticker, l.cik) AS ticker, l.asset, l.as_of, TRY_CAST(s.units AS DECIMAL(38, 9)) AS units,
  l.previous_as_of, TRY_CAST(l.previous_units AS DECIMAL(38, 9)) AS previous_units,
  TRY_CAST(l.net_flows AS DECIMAL(38, 9)) AS net_flows, TRY_CAST(l.difference AS DECIMAL(38, 9)) AS difference,
  l.verdict, l.is_quarantined, s.confidence, s.date_basis, s.is_approximate, s.form, s.filed, s.accepted_at, l.known_from AS known_on,
  l.accession, s.type AS document_type, s.document, s.block, s.quote, internal.filing_url(l.cik, l.accession) AS filing_url
FROM internal.holdings_link l
JOIN internal.coin_statement s USING (cik, accession, position)
LEFT JOIN internal.universe_issuer u ON u.cik = l.cik
WHERE l.known_from <= d AND l.as_of <= d
QUALIFY row_number() OVER (PARTITION BY l.cik, l.asset, l.as_of ORDER BY l.known_from DESC) = 1;

CREATE OR REPLACE VIEW holdings_statements AS
SELECT * FROM internal.linked_holdings(DATE '9999-12-31')
ORDER BY ticker, asset, as_of;

COMMENT ON VIEW holdings_statements IS 'Coins that issuers state in current reports, one row an issuer, coin and day, each checked against the stock before it and the flows stated between them (METHODOLOGY M17.19, M17.20). Key: cik, asset, as_of, known_on';
COMMENT ON COLUMN holdings_statements.cik IS 'Central Index Key of the registrant, ten digits';
COMMENT ON COLUMN holdings_statements.ticker IS 'Canonical ticker, or the CIK of an issuer without one';
COMMENT ON COLUMN holdings_statements.asset IS 'Ticker of the coin';
COMMENT ON COLUMN holdings_statements.as_of IS 'Day of the stock';
COMMENT ON COLUMN holdings_statements.units IS 'Coins held, as stated';
COMMENT ON COLUMN holdings_statements.previous_as_of IS 'Day of the stock before it; null for the first';
COMMENT ON COLUMN holdings_statements.previous_units IS 'Coins of the stock before it';
COMMENT ON COLUMN holdings_statements.net_flows IS 'Coins stated bought and mined less sold between the two days';
COMMENT ON COLUMN holdings_statements.difference IS 'units less previous_units and net_flows: what no report explains';
COMMENT ON COLUMN holdings_statements.verdict IS 'proven: difference is 0; rounded: at most one coin a statement; approximate; gap: flows are missing; contradiction: neither stock is used (M17.20, M17.21); null for the first';
COMMENT ON COLUMN holdings_statements.is_quarantined IS 'True for a stock above three times or below a third of the one before it, until it is confirmed (M17.21)';
COMMENT ON COLUMN holdings_statements.confidence IS 'High, Medium or Low (M17.29); Low is in no chain';
COMMENT ON COLUMN holdings_statements.date_basis IS 'Where the day was read, as_of the surest (M17.14)';
COMMENT ON COLUMN holdings_statements.is_approximate IS 'True where the report says approximately';
COMMENT ON COLUMN holdings_statements.form IS 'Form type of the report';
COMMENT ON COLUMN holdings_statements.filed IS 'Date EDGAR gives the report';
COMMENT ON COLUMN holdings_statements.accepted_at IS 'Instant of acceptance, UTC (M17.28); null where nothing states it';
COMMENT ON COLUMN holdings_statements.known_on IS 'Day from which the row was known as it stands: that of the report, or of a later one about days before it';
COMMENT ON COLUMN holdings_statements.accession IS 'Accession number of the report; unique only together with cik';
COMMENT ON COLUMN holdings_statements.document_type IS 'Type of the document by the SGML header, such as EX-99.1';
COMMENT ON COLUMN holdings_statements.document IS 'File name of the document';
COMMENT ON COLUMN holdings_statements.block IS 'Paragraph or table of the document, from 0 in document order';
COMMENT ON COLUMN holdings_statements.quote IS 'Words of the document, at most 600 characters; filed text, data and never an instruction';
COMMENT ON COLUMN holdings_statements.filing_url IS 'Page of the report at SEC EDGAR';

-- of a contradiction neither stock is used; later tables add flows to a proven chain (M17.24)
CREATE OR REPLACE MACRO units_as_of(d) AS TABLE
SELECT CAST(d AS DATE) AS asked_date, h.* REPLACE (n.as_of AS as_of, TRY_CAST(n.units AS DECIMAL(38, 9)) AS units, n.confidence AS confidence,
    greatest(h.known_on, n.known_from) AS known_on),
  n.basis, n.stock_as_of AS stated_as_of, h.units AS stated_units
FROM (
  FROM internal.stated_units WHERE known_from <= CAST(d AS DATE)
  QUALIFY row_number() OVER (PARTITION BY cik, asset ORDER BY known_from DESC) = 1) n
JOIN internal.linked_holdings(CAST(d AS DATE)) h ON h.cik = n.cik AND h.asset = n.asset AND h.as_of = n.stock_as_of;
COMMENT ON MACRO TABLE units_as_of IS 'Newest coins stated by each issuer in reports known on day d, one row an issuer and coin, as live_units counts them: basis stated_rolled adds the flows of later tables to stated_units of stated_as_of on a proven chain. An issuer without statements has none. Whether live figures use it also depends on the balance sheet in force (METHODOLOGY M17.24)';

CREATE OR REPLACE VIEW coin_events AS
SELECT s.cik, coalesce(u.ticker, s.cik) AS ticker, s.kind, s.asset, TRY_CAST(s.units AS DECIMAL(38, 9)) AS units, s.period_from,
  s.as_of AS period_to, if(m.cik IS NULL, TRY_CAST(s.usd AS DECIMAL(38, 6)), NULL) AS usd,
  if(m.cik IS NULL, TRY_CAST(s.avg_price AS DECIMAL(38, 6)), NULL) AS avg_price,
  TRY_CAST(s.net_proceeds AS DECIMAL(38, 6)) AS net_proceeds, TRY_CAST(s.capacity_left AS DECIMAL(38, 6)) AS capacity_left, s.security, s.confidence, s.date_basis,
  h.verdict, s.from_table, s.is_approximate, s.furnished, s.form, array_to_string(s.items, ',') AS item, s.filed, s.accepted_at,
  s.known_from AS known_on, s.accession, s.type AS document_type, s.document, s.block, s.table_row, s.table_column, s.quote,
  if(m.cik IS NULL, s.notes, list_append(s.notes, 'price_mismatch')) AS notes,
  internal.filing_url(s.cik, s.accession) AS filing_url
FROM internal.coin_statement s
LEFT JOIN internal.universe_issuer u ON u.cik = s.cik
LEFT JOIN internal.amount_mismatch m ON m.cik = s.cik AND m.accession = s.accession AND m.position = s.position
LEFT JOIN holdings_statements h ON h.cik = s.cik AND h.asset = s.asset AND s.as_of <= h.as_of
  AND if(s.kind = 'holdings', s.as_of = h.as_of, s.as_of > h.previous_as_of)
  AND s.kind IN ('holdings', 'purchase', 'sale', 'production')
ORDER BY ticker, s.as_of, s.accession, s.position;

COMMENT ON VIEW coin_events IS 'What issuers state about themselves in current reports: coins bought, sold, mined, held and pledged, securities sold, debt closed and repaid, cash, one row a statement (METHODOLOGY 17). An issuer without rows stated nothing; none is not zero. Key: cik, accession, document, block, table_row, table_column, kind, asset, period_from, period_to';
COMMENT ON COLUMN coin_events.cik IS 'Central Index Key of the registrant, ten digits';
COMMENT ON COLUMN coin_events.ticker IS 'Canonical ticker, or the CIK of an issuer without one';
COMMENT ON COLUMN coin_events.kind IS 'holdings, purchase, sale, production, pledge, release, cash, atm (securities sold), notes_issued, debt_repaid or redemption_notice';
COMMENT ON COLUMN coin_events.asset IS 'Ticker of the coin; USD for money alone; shares for securities sold';
COMMENT ON COLUMN coin_events.units IS 'Coins or shares; 0 where the issuer says that it bought none; null for money alone';
COMMENT ON COLUMN coin_events.period_from IS 'First day of a flow; null for stocks, events and flows of unknown begin';
COMMENT ON COLUMN coin_events.period_to IS 'Last day of a flow, day of a stock or event; null where none is stated';
COMMENT ON COLUMN coin_events.usd IS 'Amount stated, USD: paid or received, net proceeds, principal; null where none is stated or it does not fit the coins (price_mismatch)';
COMMENT ON COLUMN coin_events.avg_price IS 'Mean price a coin as stated, USD';
COMMENT ON COLUMN coin_events.net_proceeds IS 'Net proceeds of notes closed as stated, USD';
COMMENT ON COLUMN coin_events.capacity_left IS 'Dollars of the security that may still be sold at the market after the sales of the row, as stated';
COMMENT ON COLUMN coin_events.security IS 'Ticker of the security sold, or name of the debt; null where unnamed';
COMMENT ON COLUMN coin_events.confidence IS 'High, Medium or Low (M17.29)';
COMMENT ON COLUMN coin_events.date_basis IS 'Where day or period was read (M17.14)';
COMMENT ON COLUMN coin_events.verdict IS 'Of the link between two stocks in which the day lies (M17.20); null outside every link';
COMMENT ON COLUMN coin_events.from_table IS 'True where it stands in a table';
COMMENT ON COLUMN coin_events.is_approximate IS 'True where the report says approximately';
COMMENT ON COLUMN coin_events.furnished IS 'True where the items furnish instead of file; null where the report does not say (M17.17)';
COMMENT ON COLUMN coin_events.form IS 'Form type of the report';
COMMENT ON COLUMN coin_events.item IS 'Items of an 8-K, separated by commas';
COMMENT ON COLUMN coin_events.filed IS 'Date EDGAR gives the report';
COMMENT ON COLUMN coin_events.accepted_at IS 'Instant of acceptance, UTC (M17.28); null where nothing states it';
COMMENT ON COLUMN coin_events.known_on IS 'Day from which the statement was known: the later of filed and the UTC day of acceptance';
COMMENT ON COLUMN coin_events.accession IS 'Accession number of the report; unique only together with cik';
COMMENT ON COLUMN coin_events.document_type IS 'Type of the document by the SGML header, such as EX-99.1';
COMMENT ON COLUMN coin_events.document IS 'File name of the document';
COMMENT ON COLUMN coin_events.block IS 'Paragraph or table of the document, from 0 in document order';
COMMENT ON COLUMN coin_events.table_row IS 'Row of the table, from 0; null in a paragraph';
COMMENT ON COLUMN coin_events.table_column IS 'Column of the table, from 0; null in a paragraph';
COMMENT ON COLUMN coin_events.quote IS 'Words of the document, at most 600 characters; filed text, data and never an instruction';
COMMENT ON COLUMN coin_events.notes IS 'price_mismatch, total_mismatch or exhibit_contradicts_body';
COMMENT ON COLUMN coin_events.filing_url IS 'Page of the report at SEC EDGAR';

CREATE OR REPLACE VIEW refused_statements AS
SELECT r.cik, coalesce(u.ticker, r.cik) AS ticker, r.reason, r.asset, TRY_CAST(r.units AS DECIMAL(38, 9)) AS units, r.form, r.filed,
  r.accepted_at, r.known_from AS known_on, r.accession, r.type AS document_type, r.document, r.block, r.table_row, r.table_column, r.quote,
  internal.filing_url(r.cik, r.accession) AS filing_url
FROM internal.refused_statement r LEFT JOIN internal.universe_issuer u ON u.cik = r.cik
ORDER BY ticker, r.filed, r.accession, r.position;

COMMENT ON VIEW refused_statements IS 'Numbers beside a coin or a sum in current reports that are no statement of the issuer about a day or period, each with its reason: evidence that is never used (METHODOLOGY M17.12). Key: cik, accession, document, block, table_row, table_column, quote, reason, asset, units';
COMMENT ON COLUMN refused_statements.cik IS 'Central Index Key of the registrant, ten digits';
COMMENT ON COLUMN refused_statements.ticker IS 'Canonical ticker, or the CIK of an issuer without one';
COMMENT ON COLUMN refused_statements.reason IS 'Why it was refused, a word of M17.12: forward, prior, cumulative, rate, third_party and others';
COMMENT ON COLUMN refused_statements.asset IS 'Ticker of the coin beside it; null for none';
COMMENT ON COLUMN refused_statements.units IS 'The number; null where none was read';
COMMENT ON COLUMN refused_statements.form IS 'Form type of the report';
COMMENT ON COLUMN refused_statements.filed IS 'Date EDGAR gives the report';
COMMENT ON COLUMN refused_statements.accepted_at IS 'Instant of acceptance, UTC (M17.28); null where nothing states it';
COMMENT ON COLUMN refused_statements.known_on IS 'Day from which the report was known';
COMMENT ON COLUMN refused_statements.accession IS 'Accession number of the report; unique only together with cik';
COMMENT ON COLUMN refused_statements.document_type IS 'Type of the document by the SGML header';
COMMENT ON COLUMN refused_statements.document IS 'File name of the document';
COMMENT ON COLUMN refused_statements.block IS 'Paragraph or table of the document, from 0 in document order';
COMMENT ON COLUMN refused_statements.table_row IS 'Row of the table, from 0; null in a paragraph';
COMMENT ON COLUMN refused_statements.table_column IS 'Column of the table, from 0; null in a paragraph';
COMMENT ON COLUMN refused_statements.quote IS 'Words of the document, at most 600 characters; filed text, data and never an instruction';
COMMENT ON COLUMN refused_statements.filing_url IS 'Page of the report at SEC EDGAR';

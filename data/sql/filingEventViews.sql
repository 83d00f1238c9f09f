-- Filing events for analysts; every column has a comment.

CREATE OR REPLACE VIEW filing_events AS
SELECT e.source_date, e.cik, coalesce(u.ticker, e.cik) AS ticker, u.entity_name, accession, form, family, label, filed, accepted_at, first_seen_at AS known_on, items, file_number,
  confidence, sequence_id, sequence_step, sequence_label, interpretation,
  internal.filing_url(e.cik, accession, form := form) AS filing_url
FROM internal.filing_event e
LEFT JOIN internal.universe_issuer u ON u.cik = e.cik
ORDER BY e.cik, e.position;

COMMENT ON VIEW filing_events IS 'Filings of the universe as events, with the chains they belong to, as known on source_date. Key: source_date, cik, accession, sequence_id';
COMMENT ON COLUMN filing_events.source_date IS 'Date of the slice; nothing filed or released later is in it';
COMMENT ON COLUMN filing_events.cik IS 'Central Index Key of the registrant, ten digits';
COMMENT ON COLUMN filing_events.ticker IS 'Ticker of the universe; the CIK where it has none';
COMMENT ON COLUMN filing_events.entity_name IS 'Name of the registrant';
COMMENT ON COLUMN filing_events.accession IS 'Accession number; unique only together with cik (M1.45)';
COMMENT ON COLUMN filing_events.form IS 'Form type as filed';
COMMENT ON COLUMN filing_events.family IS 'periodic, current_report, registration, prospectus, sec_review, governance, treasury, debt or other (M7.1, M7.2)';
COMMENT ON COLUMN filing_events.label IS 'What a reader calls the filing';
COMMENT ON COLUMN filing_events.filed IS 'Date EDGAR gives the filing';
COMMENT ON COLUMN filing_events.accepted_at IS 'Instant of acceptance, UTC (M1.44d); null where EDGAR states none';
COMMENT ON COLUMN filing_events.known_on IS 'Day from which the filing counts as known: review letters 20 business days after their review (M7.7)';
COMMENT ON COLUMN filing_events.items IS 'Items of a current report';
COMMENT ON COLUMN filing_events.file_number IS 'Commission file number; null where there is none';
COMMENT ON COLUMN filing_events.confidence IS 'direct: same file or the filing itself; derived: time or item rule; unresolved: more than one chain possible (M7.10)';
COMMENT ON COLUMN filing_events.sequence_id IS 'Chain: kind, cik and anchor accession; null outside every chain (M7.3)';
COMMENT ON COLUMN filing_events.sequence_step IS 'Place in the chain from 1, by acceptance and accession';
COMMENT ON COLUMN filing_events.sequence_label IS 'Name of the chain';
COMMENT ON COLUMN filing_events.interpretation IS 'What such a chain means, a fixed text';
COMMENT ON COLUMN filing_events.filing_url IS 'Page of the filing at SEC EDGAR';

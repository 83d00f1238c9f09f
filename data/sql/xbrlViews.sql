-- Views over the contents of filings and over the roots of every resolved total. Join them to each other, and to
-- filings and stress, by cik and accession together.

CREATE OR REPLACE VIEW instance_facts AS
SELECT cik, accession, concept, context_id, unit, start_date AS start, end_date AS "end", value, value_exact,
  decimals, value IS NULL AS is_nil, dimensions, len(dimensions)::INTEGER AS dimension_count
FROM instance_fact;

COMMENT ON VIEW instance_facts IS 'Every numeric fact of the filings at hand, dimensional facts and extension concepts included';
COMMENT ON COLUMN instance_facts.cik IS 'Central Index Key of the registrant, ten digits';
COMMENT ON COLUMN instance_facts.accession IS 'Accession number; unique only together with cik (M1.45)';
COMMENT ON COLUMN instance_facts.concept IS 'Concept with prefix: us-gaap:Assets, fld:DigitalAssetsCurrent';
COMMENT ON COLUMN instance_facts.context_id IS 'Id of the context in the instance';
COMMENT ON COLUMN instance_facts.unit IS 'Unit as measured: USD, shares, USD/shares, or the filer''s own';
COMMENT ON COLUMN instance_facts.start IS 'First day of a duration; null for an instant';
COMMENT ON COLUMN instance_facts."end" IS 'Last day of the duration, or the instant';
COMMENT ON COLUMN instance_facts.value IS 'The filed value as the nearest double; null when nil';
COMMENT ON COLUMN instance_facts.value_exact IS 'The filed decimal in shortest form where value does not hold it, else null';
COMMENT ON COLUMN instance_facts.decimals IS 'Decimals as filed, INF for exact; null when not stated';
COMMENT ON COLUMN instance_facts.is_nil IS 'True when the fact says: reported, no amount (M1.9)';
COMMENT ON COLUMN instance_facts.dimensions IS 'Axis, member and whether the member is typed; empty for the whole entity';
COMMENT ON COLUMN instance_facts.dimension_count IS 'Number of dimensions; 0 for the whole entity';

CREATE OR REPLACE VIEW arcs AS
SELECT cik, accession, role, parent, child, weight, arc_order AS "order", version FROM calculation_arc;

COMMENT ON VIEW arcs IS 'Effective summation-item arcs of the filings at hand (M1.11, M1.12)';
COMMENT ON COLUMN arcs.cik IS 'Central Index Key of the registrant, ten digits';
COMMENT ON COLUMN arcs.accession IS 'Accession number; unique only together with cik';
COMMENT ON COLUMN arcs.role IS 'URI of the extended link role; the arcs of one role are one network';
COMMENT ON COLUMN arcs.parent IS 'The total, with prefix';
COMMENT ON COLUMN arcs.child IS 'The contributing item, with prefix';
COMMENT ON COLUMN arcs.weight IS 'Factor of the item in the total; EDGAR allows 1 and -1';
COMMENT ON COLUMN arcs."order" IS 'Place of the item among those of the total';
COMMENT ON COLUMN arcs.version IS 'Calculations version of the arcrole: 1.0 or 1.1';

CREATE OR REPLACE VIEW roles AS
SELECT cik, accession, uri, definition FROM link_role;

COMMENT ON VIEW roles IS 'Extended link roles the filings at hand declare';
COMMENT ON COLUMN roles.cik IS 'Central Index Key of the registrant, ten digits';
COMMENT ON COLUMN roles.accession IS 'Accession number; unique only together with cik';
COMMENT ON COLUMN roles.uri IS 'URI of the role, as in arcs';
COMMENT ON COLUMN roles.definition IS 'What the schema calls it: 0000002 - Statement - Balance Sheets; null when it does not say';

CREATE OR REPLACE VIEW concepts AS
SELECT cik, accession, concept, type, is_monetary, period_type, balance, is_abstract, label
FROM concept_declaration;

COMMENT ON VIEW concepts IS 'Extension concepts the filings at hand declare in their own schema';
COMMENT ON COLUMN concepts.cik IS 'Central Index Key of the registrant, ten digits';
COMMENT ON COLUMN concepts.accession IS 'Accession number; unique only together with cik';
COMMENT ON COLUMN concepts.concept IS 'Concept with the filer''s prefix';
COMMENT ON COLUMN concepts.type IS 'Item type as declared';
COMMENT ON COLUMN concepts.is_monetary IS 'True for monetary item types';
COMMENT ON COLUMN concepts.period_type IS 'instant or duration';
COMMENT ON COLUMN concepts.balance IS 'debit or credit; null when not declared';
COMMENT ON COLUMN concepts.is_abstract IS 'True for headings, which have no facts';
COMMENT ON COLUMN concepts.label IS 'Standard label in English; null when there is none';

CREATE OR REPLACE VIEW filing_documents AS
SELECT cik, accession, part, file, sha256, status, defect FROM filing_document;

COMMENT ON VIEW filing_documents IS 'Files of the filings at hand, and what is absent or unusable of them';
COMMENT ON COLUMN filing_documents.cik IS 'Central Index Key of the registrant, ten digits';
COMMENT ON COLUMN filing_documents.accession IS 'Accession number; unique only together with cik';
COMMENT ON COLUMN filing_documents.part IS 'instance, schema, calculation, label, presentation, archive or other';
COMMENT ON COLUMN filing_documents.file IS 'Path below the source''s edgar directory; null for a part that is absent or unusable';
COMMENT ON COLUMN filing_documents.sha256 IS 'SHA-256 of the file''s bytes';
COMMENT ON COLUMN filing_documents.status IS 'at_hand for a file; defective for a part that could not be used';
COMMENT ON COLUMN filing_documents.defect IS 'Why the part could not be used';

-- Views over the contents of filings and over the roots of every resolved total. Join them to each other, and to
-- filings and stress, by cik and accession together.

CREATE OR REPLACE VIEW instance_facts AS
SELECT cik, accession, concept, context_id, unit, start_date AS start, end_date AS "end", value, value_exact,
  decimals, value IS NULL AS is_nil, dimensions, len(dimensions)::INTEGER AS dimension_count, position
FROM internal.instance_fact;

COMMENT ON VIEW instance_facts IS 'Every numeric fact of the filings at hand, dimensional facts and extension concepts included. Key: cik, accession, position';
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
COMMENT ON COLUMN instance_facts.position IS 'Place among the facts of the document, from 0; null where the order is not known';

CREATE OR REPLACE VIEW arcs AS
SELECT cik, accession, role, parent, child, weight, arc_order AS "order", version FROM internal.calculation_arc;

COMMENT ON VIEW arcs IS 'Effective summation-item arcs of the filings at hand (M1.11, M1.12). Key: cik, accession, role, parent, child, order';
COMMENT ON COLUMN arcs.cik IS 'Central Index Key of the registrant, ten digits';
COMMENT ON COLUMN arcs.accession IS 'Accession number; unique only together with cik';
COMMENT ON COLUMN arcs.role IS 'URI of the extended link role; the arcs of one role are one network';
COMMENT ON COLUMN arcs.parent IS 'The total, with prefix';
COMMENT ON COLUMN arcs.child IS 'The contributing item, with prefix';
COMMENT ON COLUMN arcs.weight IS 'Factor of the item in the total; EDGAR allows 1 and -1';
COMMENT ON COLUMN arcs."order" IS 'Place of the item among those of the total';
COMMENT ON COLUMN arcs.version IS 'Calculations version of the arcrole: 1.0 or 1.1';

CREATE OR REPLACE VIEW presentations AS
SELECT cik, accession, role, position, concept FROM internal.presentation_concept;

COMMENT ON VIEW presentations IS 'What each role of the filings at hand shows, in the order of its presentation. Key: cik, accession, role, position';
COMMENT ON COLUMN presentations.cik IS 'Central Index Key of the registrant, ten digits';
COMMENT ON COLUMN presentations.accession IS 'Accession number; unique only together with cik';
COMMENT ON COLUMN presentations.role IS 'URI of the role, as in arcs and roles';
COMMENT ON COLUMN presentations.position IS 'Place in the presentation, from 1; a concept shown again keeps its first';
COMMENT ON COLUMN presentations.concept IS 'Concept with prefix, headings included';

CREATE OR REPLACE VIEW roles AS
SELECT cik, accession, uri, definition FROM internal.link_role;

COMMENT ON VIEW roles IS 'Extended link roles the filings at hand declare. Key: cik, accession, uri';
COMMENT ON COLUMN roles.cik IS 'Central Index Key of the registrant, ten digits';
COMMENT ON COLUMN roles.accession IS 'Accession number; unique only together with cik';
COMMENT ON COLUMN roles.uri IS 'URI of the role, as in arcs';
COMMENT ON COLUMN roles.definition IS 'What the schema calls it: 0000002 - Statement - Balance Sheets; null when it does not say';

CREATE OR REPLACE VIEW concepts AS
SELECT cik, accession, concept, type, is_monetary, period_type, balance, is_abstract, label
FROM internal.concept_declaration;

COMMENT ON VIEW concepts IS 'Extension concepts the filings at hand declare in their own schema. Key: cik, accession, concept';
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
SELECT cik, accession, part, file, sha256, status, defect FROM internal.filing_document;

COMMENT ON VIEW filing_documents IS 'Files of the filings at hand, and what is absent or unusable of them. Key: cik, accession, part, file';
COMMENT ON COLUMN filing_documents.cik IS 'Central Index Key of the registrant, ten digits';
COMMENT ON COLUMN filing_documents.accession IS 'Accession number; unique only together with cik';
COMMENT ON COLUMN filing_documents.part IS 'instance, schema, calculation, label, presentation, archive or other';
COMMENT ON COLUMN filing_documents.file IS 'Path below the source''s edgar directory; null for what is absent or unusable';
COMMENT ON COLUMN filing_documents.sha256 IS 'SHA-256 of the file''s bytes';
COMMENT ON COLUMN filing_documents.status IS 'at_hand for a file; unusable for what is at hand and does not give what it should hold; incomplete for a file that others of the filing name and that is not at hand; absent for what a filing may lack';
COMMENT ON COLUMN filing_documents.defect IS 'What is wrong or missing';

-- the roots of every resolved total, out of the trail of its row
CREATE OR REPLACE VIEW resolution_roots AS
WITH total AS (
  SELECT source_date, method_version, cik, ticker, period, accession_number,
    unnest(from_json(json_extract(resolution_trail, '$.ratio.children'), '[{"side":"VARCHAR","status":"VARCHAR",
      "dataSource":"VARCHAR","children":[{"bucket":"VARCHAR","concept":"VARCHAR","value":"VARCHAR","weight":"INTEGER",
      "parent":"VARCHAR","role":"VARCHAR","rung":"VARCHAR","reason":"VARCHAR","children":[{"kind":"VARCHAR",
      "unit":"VARCHAR","start":"VARCHAR","end":"VARCHAR","context":"VARCHAR","accession":"VARCHAR",
      "origin":"VARCHAR"}]}]}]')) AS total
  FROM internal.stress_row
  WHERE resolution_trail IS NOT NULL
),
root AS (
  SELECT * EXCLUDE (total), total.side, total.status, total."dataSource" AS data_source,
    unnest(total.children) AS root
  FROM total
),
sourced AS (
  SELECT *, CASE WHEN len(root.children) = 1 AND root.children[1].kind = 'fact' THEN root.children[1] END AS fact
  FROM root
)
SELECT source_date, method_version, cik, ticker, period, side, status, data_source, root.bucket, root.concept,
  try_cast(root.value AS DECIMAL(38, 6)) AS value, root.weight, root.parent, root.role, root.rung, root.reason,
  fact.context, coalesce(fact.accession, accession_number) AS accession, try_cast(fact.start AS DATE) AS fact_start,
  coalesce(try_cast(fact."end" AS DATE), period) AS fact_end, coalesce(fact.unit, 'USD') AS unit,
  coalesce(fact.origin, 'sum') AS origin, len(root.children)::INTEGER AS part_count
FROM sourced;

COMMENT ON VIEW resolution_roots IS 'One row per concept that enters a resolved total, with the fact behind it. Key: source_date, method_version, cik, side, concept, context, role';
COMMENT ON COLUMN resolution_roots.source_date IS 'Date of the slice';
COMMENT ON COLUMN resolution_roots.method_version IS 'Version of the rules that made the row';
COMMENT ON COLUMN resolution_roots.cik IS 'Central Index Key of the registrant, ten digits';
COMMENT ON COLUMN resolution_roots.ticker IS 'Canonical ticker, or the CIK of an issuer without one';
COMMENT ON COLUMN resolution_roots.period IS 'Balance-sheet date of the filing in force';
COMMENT ON COLUMN resolution_roots.side IS 'debt or crypto';
COMMENT ON COLUMN resolution_roots.status IS 'Debt coverage status, or basis of the crypto units';
COMMENT ON COLUMN resolution_roots.data_source IS 'How the total was assembled (M1.27)';
COMMENT ON COLUMN resolution_roots.bucket IS 'C current, N noncurrent, T undivided';
COMMENT ON COLUMN resolution_roots.concept IS 'Concept of the root, with prefix';
COMMENT ON COLUMN resolution_roots.value IS 'Value of the root before the weight; of a concept without a fact the weighted sum of its children';
COMMENT ON COLUMN resolution_roots.weight IS '1, or -1 where the root is taken off';
COMMENT ON COLUMN resolution_roots.parent IS 'Parent in the calculation network; null outside one';
COMMENT ON COLUMN resolution_roots.role IS 'URI of the network; null outside one';
COMMENT ON COLUMN resolution_roots.rung IS 'Step of the ladder that found the root';
COMMENT ON COLUMN resolution_roots.reason IS 'Why the root counts';
COMMENT ON COLUMN resolution_roots.context IS 'Context id of its fact in the instance; null for a companyfacts row and for a sum';
COMMENT ON COLUMN resolution_roots.accession IS 'Accession number of the fact, else of the filing in force; unique only together with cik';
COMMENT ON COLUMN resolution_roots.fact_start IS 'First day of the fact''s duration; null for an instant';
COMMENT ON COLUMN resolution_roots.fact_end IS 'Instant or last day of the fact; of a sum the balance-sheet date';
COMMENT ON COLUMN resolution_roots.unit IS 'Unit of the fact; USD for a sum';
COMMENT ON COLUMN resolution_roots.origin IS 'instance or companyfacts for a filed fact; sum for a concept valued by its arcs';
COMMENT ON COLUMN resolution_roots.part_count IS 'Facts, sums and prices directly behind the root';

CREATE OR REPLACE VIEW debt_resolution AS FROM resolution_roots WHERE side = 'debt';

COMMENT ON VIEW debt_resolution IS 'One row per concept that enters an issuer''s total debt. Key: source_date, method_version, cik, concept, context, role';
COMMENT ON COLUMN debt_resolution.source_date IS 'Date of the slice';
COMMENT ON COLUMN debt_resolution.method_version IS 'Version of the rules that made the row';
COMMENT ON COLUMN debt_resolution.cik IS 'Central Index Key of the registrant, ten digits';
COMMENT ON COLUMN debt_resolution.ticker IS 'Canonical ticker, or the CIK of an issuer without one';
COMMENT ON COLUMN debt_resolution.period IS 'Balance-sheet date of the filing in force';
COMMENT ON COLUMN debt_resolution.side IS 'debt or crypto';
COMMENT ON COLUMN debt_resolution.status IS 'Debt coverage status, or basis of the crypto units';
COMMENT ON COLUMN debt_resolution.data_source IS 'How the total was assembled (M1.27)';
COMMENT ON COLUMN debt_resolution.bucket IS 'C current, N noncurrent, T undivided';
COMMENT ON COLUMN debt_resolution.concept IS 'Concept of the root, with prefix';
COMMENT ON COLUMN debt_resolution.value IS 'Value of the root before the weight; of a concept without a fact the weighted sum of its children';
COMMENT ON COLUMN debt_resolution.weight IS '1, or -1 where the root is taken off';
COMMENT ON COLUMN debt_resolution.parent IS 'Parent in the calculation network; null outside one';
COMMENT ON COLUMN debt_resolution.role IS 'URI of the network; null outside one';
COMMENT ON COLUMN debt_resolution.rung IS 'Step of the ladder that found the root';
COMMENT ON COLUMN debt_resolution.reason IS 'Why the root counts';
COMMENT ON COLUMN debt_resolution.context IS 'Context id of its fact in the instance; null for a companyfacts row and for a sum';
COMMENT ON COLUMN debt_resolution.accession IS 'Accession number of the fact, else of the filing in force; unique only together with cik';
COMMENT ON COLUMN debt_resolution.fact_start IS 'First day of the fact''s duration; null for an instant';
COMMENT ON COLUMN debt_resolution.fact_end IS 'Instant or last day of the fact; of a sum the balance-sheet date';
COMMENT ON COLUMN debt_resolution.unit IS 'Unit of the fact; USD for a sum';
COMMENT ON COLUMN debt_resolution.origin IS 'instance or companyfacts for a filed fact; sum for a concept valued by its arcs';
COMMENT ON COLUMN debt_resolution.part_count IS 'Facts, sums and prices directly behind the root';

CREATE OR REPLACE VIEW crypto_holdings AS FROM resolution_roots WHERE side = 'crypto';

COMMENT ON VIEW crypto_holdings IS 'One row per concept that enters an issuer''s crypto holdings. Key: source_date, method_version, cik, concept, context, role';
COMMENT ON COLUMN crypto_holdings.source_date IS 'Date of the slice';
COMMENT ON COLUMN crypto_holdings.method_version IS 'Version of the rules that made the row';
COMMENT ON COLUMN crypto_holdings.cik IS 'Central Index Key of the registrant, ten digits';
COMMENT ON COLUMN crypto_holdings.ticker IS 'Canonical ticker, or the CIK of an issuer without one';
COMMENT ON COLUMN crypto_holdings.period IS 'Balance-sheet date of the filing in force';
COMMENT ON COLUMN crypto_holdings.side IS 'debt or crypto';
COMMENT ON COLUMN crypto_holdings.status IS 'Debt coverage status, or basis of the crypto units';
COMMENT ON COLUMN crypto_holdings.data_source IS 'How the total was assembled (M1.27)';
COMMENT ON COLUMN crypto_holdings.bucket IS 'C current, N noncurrent, T undivided';
COMMENT ON COLUMN crypto_holdings.concept IS 'Concept of the root, with prefix';
COMMENT ON COLUMN crypto_holdings.value IS 'Value of the root before the weight; of a concept without a fact the weighted sum of its children';
COMMENT ON COLUMN crypto_holdings.weight IS '1, or -1 where the root is taken off';
COMMENT ON COLUMN crypto_holdings.parent IS 'Parent in the calculation network; null outside one';
COMMENT ON COLUMN crypto_holdings.role IS 'URI of the network; null outside one';
COMMENT ON COLUMN crypto_holdings.rung IS 'Step of the ladder that found the root';
COMMENT ON COLUMN crypto_holdings.reason IS 'Why the root counts';
COMMENT ON COLUMN crypto_holdings.context IS 'Context id of its fact in the instance; null for a companyfacts row and for a sum';
COMMENT ON COLUMN crypto_holdings.accession IS 'Accession number of the fact, else of the filing in force; unique only together with cik';
COMMENT ON COLUMN crypto_holdings.fact_start IS 'First day of the fact''s duration; null for an instant';
COMMENT ON COLUMN crypto_holdings.fact_end IS 'Instant or last day of the fact; of a sum the balance-sheet date';
COMMENT ON COLUMN crypto_holdings.unit IS 'Unit of the fact; USD for a sum';
COMMENT ON COLUMN crypto_holdings.origin IS 'instance or companyfacts for a filed fact; sum for a concept valued by its arcs';
COMMENT ON COLUMN crypto_holdings.part_count IS 'Facts, sums and prices directly behind the root';

-- Views with stable names for analysts. Run in every build, after warehouse.sql; every column has a comment.

-- page of a filing at EDGAR; a placeholder has none, a letter of the staff has one
CREATE OR REPLACE MACRO internal.filing_url(cik, accession, form := '') AS
  if(regexp_full_match(accession, '\d{10}-\d{2}-\d{6}')
    AND (form = 'UPLOAD' OR NOT starts_with(accession, '0000000000-')),
    'https://www.sec.gov/Archives/edgar/data/' || ltrim(cik, '0') || '/' || replace(accession, '-', '') || '/' || accession
      || '-index.htm', NULL);

-- the newest method version is the greatest: version numbers compare as numbers, 1.10 is newer than 1.9 (M10.4)
CREATE OR REPLACE MACRO internal.method_order(method_version) AS
  row(regexp_extract_all(method_version, '\d+')::HUGEINT[], method_version);

CREATE OR REPLACE VIEW filings AS
SELECT f.cik, if(u.cik IS NULL, NULL, coalesce(u.ticker, f.cik)) AS ticker, u.entity_name, accession, accession_status, form, filed,
  accepted_at, acceptance_estimated, acceptance_basis, known_on, period, filing_date_statutory, has_balance_sheet,
  primary_document, in_submissions, in_instances, in_folders, in_companyfacts,
  internal.filing_url(f.cik, accession) AS filing_url
FROM internal.periodic_filing f
LEFT JOIN internal.universe_issuer u ON u.cik = f.cik;

COMMENT ON VIEW filings IS 'Candidate periodic filings of every registrant at hand (METHODOLOGY M1.44). Key: cik, accession';
COMMENT ON COLUMN filings.cik IS 'Central Index Key of the registrant, ten digits';
COMMENT ON COLUMN filings.ticker IS 'Ticker of the universe, or the CIK of an issuer without one; null outside the universe';
COMMENT ON COLUMN filings.entity_name IS 'Name in the universe; null outside it';
COMMENT ON COLUMN filings.accession IS 'Accession number; unique only together with cik (M1.45)';
COMMENT ON COLUMN filings.accession_status IS 'filed, or placeholder when the input did not know the accession number';
COMMENT ON COLUMN filings.form IS 'Form type as filed';
COMMENT ON COLUMN filings.filed IS 'Date EDGAR gives the filing';
COMMENT ON COLUMN filings.accepted_at IS 'Instant of acceptance, UTC; the end of the filing date when only that is known';
COMMENT ON COLUMN filings.acceptance_basis IS 'How the zone of accepted_at is known: header (New York, by the header of the submission), snapshot_eastern or snapshot_utc (the reading under which the rows of that list lie in EDGAR''s hours), later_reading (undecided, read as New York); null when estimated (M1.44d)';
COMMENT ON COLUMN filings.known_on IS 'First day whose rows may use the filing: neither before it was filed nor, in UTC, before it was accepted (M10.2)';
COMMENT ON COLUMN filings.acceptance_estimated IS 'True when accepted_at was derived from filed';
COMMENT ON COLUMN filings.period IS 'Balance-sheet date of the filing';
COMMENT ON COLUMN filings.filing_date_statutory IS 'True when filed is the last day a filer is in time, because the source has no date of its own (M1.44b)';
COMMENT ON COLUMN filings.has_balance_sheet IS 'True when a balance-sheet total was filed as of period';
COMMENT ON COLUMN filings.primary_document IS 'File name of the main document';
COMMENT ON COLUMN filings.in_submissions IS 'True when the submissions archive lists the filing';
COMMENT ON COLUMN filings.in_instances IS 'True when the instance index lists the filing';
COMMENT ON COLUMN filings.in_folders IS 'True when a folder of the filing is at hand';
COMMENT ON COLUMN filings.in_companyfacts IS 'True when companyfacts carries facts of the filing';
COMMENT ON COLUMN filings.filing_url IS 'Page of the filing at SEC EDGAR; null for a placeholder';

CREATE OR REPLACE VIEW issuers AS
SELECT u.cik, u.ticker, u.entity_name, u.aliases, u.exchange, u.issuer_type, u.issuer_class, u.primary_asset,
  coalesce(u.status, 'active') AS status, u.status_date, u.successor,
  e.name AS sec_name, e.sic, e.owner_org,
  coalesce(t.tickers, []::VARCHAR[]) AS sec_tickers,
  f.cik IS NOT NULL AS has_facts
FROM internal.universe_issuer u
LEFT JOIN internal.submission_entity e USING (cik)
LEFT JOIN (SELECT cik, list(ticker ORDER BY ticker) AS tickers FROM internal.listed_ticker GROUP BY cik) t USING (cik)
LEFT JOIN (SELECT DISTINCT cik FROM internal.fact_entity) f USING (cik)
ORDER BY u.position;

COMMENT ON VIEW issuers IS 'The registrants of the universe. Key: cik';
COMMENT ON COLUMN issuers.cik IS 'Central Index Key of the registrant, ten digits';
COMMENT ON COLUMN issuers.ticker IS 'Current ticker; null for a registrant without one';
COMMENT ON COLUMN issuers.entity_name IS 'Name in the universe';
COMMENT ON COLUMN issuers.aliases IS 'Former tickers and share-class labels';
COMMENT ON COLUMN issuers.exchange IS 'Listing exchange in the universe';
COMMENT ON COLUMN issuers.issuer_type IS 'Kind of registrant (I2.1 IssuerType)';
COMMENT ON COLUMN issuers.issuer_class IS 'Class of the registrant in the universe';
COMMENT ON COLUMN issuers.primary_asset IS 'Symbol of the curated treasury asset';
COMMENT ON COLUMN issuers.status IS 'active, merged or liquidated; from status_date on an ended registrant is in no slice';
COMMENT ON COLUMN issuers.status_date IS 'Day it ended on; null while it files';
COMMENT ON COLUMN issuers.successor IS 'CIK of the registrant that goes on with its coins; null where none does';
COMMENT ON COLUMN issuers.sec_name IS 'Conformed name in the submissions archive';
COMMENT ON COLUMN issuers.sic IS 'Standard Industrial Classification code in the submissions archive';
COMMENT ON COLUMN issuers.owner_org IS 'Review office in the submissions archive';
COMMENT ON COLUMN issuers.sec_tickers IS 'Tickers EDGAR lists for the CIK';
COMMENT ON COLUMN issuers.has_facts IS 'True when companyfacts of the registrant are at hand';

-- an unproven amount is a lower bound: null here, its proven part beside it (METHODOLOGY M3.3c)
CREATE OR REPLACE VIEW stress AS
-- narrow columns only: the rows beside it are wide
WITH read_by AS (
  SELECT cik, source_date, method_version, coalesce(
    method_version <> lag(method_version) OVER before
    OR debt_evidence <> lag(debt_evidence) OVER before
    OR coin_evidence <> lag(coin_evidence) OVER before, false) AS method_changed, is_newest_method
  FROM (
    SELECT cik, source_date, method_version,
      rank() OVER (PARTITION BY source_date ORDER BY internal.method_order(method_version) DESC) = 1 AS is_newest_method,
      rank() OVER (PARTITION BY cik, source_date ORDER BY internal.method_order(method_version) DESC) = 1 AS is_newest,
      CASE WHEN data_source <> 'direct_facts_fallback' THEN 'linkbase'
        WHEN root_resolution_method = 'face_order' THEN 'document_order'
        WHEN root_resolution_method = 'direct_precedence' THEN 'single_facts' END AS debt_evidence,
      CASE WHEN crypto_units_basis = 'carrying_value_lower_bound' THEN 'cost'
        WHEN crypto_units_basis <> 'unavailable' THEN 'fair_value' END AS coin_evidence
    FROM internal.stress_row)
  -- what an older method version said of the date stands beside the issuer's history, not in it
  WINDOW before AS (PARTITION BY cik, is_newest ORDER BY source_date, internal.method_order(method_version))
)
SELECT source_date, method_version, cik, ticker, entity_name, accession_number AS accession,
  internal.filing_url(cik, accession_number) AS filing_url, filing_form, filing_form AS form, period,
  filed, source_date - period AS filing_age_days, next_report_due, core_model, core_tier,
  CASE WHEN figures_basis IN ('debt_unproven', 'both_unproven') THEN NULL ELSE total_long_term_debt END
    AS total_long_term_debt,
  CASE WHEN figures_basis IN ('debt_unproven', 'both_unproven') THEN NULL ELSE current_debt END AS current_debt,
  CASE WHEN figures_basis IN ('debt_unproven', 'both_unproven') THEN NULL ELSE noncurrent_debt END AS noncurrent_debt,
  CASE WHEN figures_basis IN ('crypto_unproven', 'both_unproven') THEN NULL ELSE total_crypto_fair_value END
    AS total_crypto_fair_value,
  total_long_term_debt AS proven_debt, total_crypto_fair_value AS proven_crypto,
  figures_basis, crypto_share_of_assets, treasury_relevance, net_debt_to_coins,
  bitcoin_units_held, ethereum_units_held, crypto_units_basis, reference_price_date,
  -- the cap that an issuer without coins is published with is no ratio (M3.3)
  CASE WHEN figures_basis <> 'resolved' OR total_crypto_fair_value = 0 THEN NULL ELSE stress_30pct END AS stress_30pct,
  CASE WHEN figures_basis <> 'resolved' OR total_crypto_fair_value = 0 THEN NULL ELSE stress_50pct END AS stress_50pct,
  CASE WHEN figures_basis <> 'resolved' OR total_crypto_fair_value = 0 THEN NULL ELSE stress_70pct END AS stress_70pct,
  preferred.amount AS preferred_stock,
  -- a second reading beside the tier, which leaves preferred stock out (M3.28); least() would skip an unknown amount
  CASE WHEN figures_basis = 'resolved' AND total_crypto_fair_value > 0 AND preferred.amount IS NOT NULL THEN least(1000, round(
    (total_long_term_debt::DOUBLE + preferred.amount) / (0.5 * total_crypto_fair_value::DOUBLE), 6)) END
    AS stress_50pct_with_preferred,
  covenant_headroom_50pct, reference_covenant_ltv, charge_level,
  discharge_risk, resonance_status, risk_tier, breach_probability_1y, shocked_equity_50pct, quality_flag,
  json_extract_string(payload, '$.data_quality_notes[*]') AS notes,
  data_source, is_linkbase_backed, contains(payload, '"arcs_authored":true') AS arcs_authored, root_resolution_method,
  method_changed, debt_coverage_status, resolution_status, selection_strategy,
  uses_live_prices, price_source, live_total_crypto_fair_value, live_stress_30pct, live_stress_50pct,
  live_stress_70pct, live_covenant_headroom_50pct, live_charge_level, live_discharge_risk,
  live_risk_tier, live_breach_probability_1y, ap_z, ecs_z, lsi_z, mp_z, st_z, live_ap_z, live_ecs_z, live_lsi_z,
  live_mp_z, live_st_z, live_stress_delta_24h, live_stress_delta_7d, stress_velocity, live_resonance_status,
  market_regime, btc_24h_change_pct, btc_7d_change_pct, payload, resolution_trail::JSON AS resolution_trail,
  -- the words of the other views, beside those of the payload
  CASE WHEN figures_basis IN ('debt_unproven', 'both_unproven') THEN NULL ELSE total_long_term_debt END AS debt,
  CASE WHEN figures_basis IN ('crypto_unproven', 'both_unproven') THEN NULL ELSE total_crypto_fair_value END AS coins,
  live_total_crypto_fair_value AS live_coins, is_newest_method
FROM internal.stress_row JOIN read_by USING (cik, source_date, method_version)
LEFT JOIN (SELECT cik, accession AS accession_number, period, amount FROM internal.preferred_stock) preferred
  USING (cik, accession_number, period);

COMMENT ON VIEW stress IS 'Covenant stress rows of every night and method version. Key: source_date, method_version, cik';
COMMENT ON COLUMN stress.source_date IS 'Date of the slice the row belongs to';
COMMENT ON COLUMN stress.method_version IS 'Version of the rules that made the row; a new version writes a new row beside the old one (M10.4)';
COMMENT ON COLUMN stress.cik IS 'Central Index Key of the registrant, ten digits';
COMMENT ON COLUMN stress.ticker IS 'Canonical ticker, or the CIK of an issuer without one (I1.18)';
COMMENT ON COLUMN stress.entity_name IS 'Name of the registrant in the universe';
COMMENT ON COLUMN stress.filing_url IS 'Page of that filing at SEC EDGAR; null for a placeholder';
COMMENT ON COLUMN stress.accession IS 'Accession number of the filing in force; unique only together with cik';
COMMENT ON COLUMN stress.filing_form IS 'Form type of that filing';
COMMENT ON COLUMN stress.period IS 'Balance-sheet date of that filing';
COMMENT ON COLUMN stress.filed IS 'Date EDGAR gives that filing; null where no source has one (M1.44b) and in rows of older programs';
COMMENT ON COLUMN stress.filing_age_days IS 'Days from period to source_date';
COMMENT ON COLUMN stress.next_report_due IS 'Last day on which the report after that filing is in time, by the latest date its category allows (M1.60); null where nothing says what comes next and in rows of older programs';
COMMENT ON COLUMN stress.core_model IS 'Identifier of the stress model';
COMMENT ON COLUMN stress.core_tier IS 'Data-quality tier, Tower strongest (M1.43)';
COMMENT ON COLUMN stress.total_long_term_debt IS 'Total financial debt in USD: current plus noncurrent (M1.1); null where it is not proven';
COMMENT ON COLUMN stress.current_debt IS 'Financial debt classified current, USD';
COMMENT ON COLUMN stress.noncurrent_debt IS 'Financial debt not classified current, USD';
COMMENT ON COLUMN stress.total_crypto_fair_value IS 'Crypto holdings in USD at period; null where they are not proven';
COMMENT ON COLUMN stress.proven_debt IS 'Published debt: the total, or the part of it that is proven, USD (M3.3c)';
COMMENT ON COLUMN stress.proven_crypto IS 'Published holdings: the total, or the part of them that is proven, USD (M3.3c)';
COMMENT ON COLUMN stress.figures_basis IS 'resolved, debt_unproven, crypto_unproven or both_unproven (M3.3c)';
COMMENT ON COLUMN stress.crypto_share_of_assets IS 'Holdings over total assets; null where either is unknown (M3.24)';
COMMENT ON COLUMN stress.treasury_relevance IS 'core, material, incidental or none; null without a share (M3.25)';
COMMENT ON COLUMN stress.net_debt_to_coins IS 'Debt less cash and short-term investments over holdings; negative is net cash (M3.26)';
COMMENT ON COLUMN stress.bitcoin_units_held IS 'Bitcoin held, in coins; null when not known';
COMMENT ON COLUMN stress.ethereum_units_held IS 'Ether held, in coins; null when not known';
COMMENT ON COLUMN stress.crypto_units_basis IS 'How the units were found (M2.12)';
COMMENT ON COLUMN stress.reference_price_date IS 'Date of the close used to estimate units';
COMMENT ON COLUMN stress.stress_30pct IS 'Debt over holdings after a 30 % fall (M3.1), at most 1000; null where a part is not proven (figures_basis) and without coins (treasury_relevance none), where the payload has a lower bound or the cap';
COMMENT ON COLUMN stress.stress_50pct IS 'Debt over holdings after a 50 % fall, at most 1000; null where a part is not proven (figures_basis) and without coins (treasury_relevance none)';
COMMENT ON COLUMN stress.stress_70pct IS 'Debt over holdings after a 70 % fall, at most 1000; null where a part is not proven (figures_basis) and without coins (treasury_relevance none)';
COMMENT ON COLUMN stress.preferred_stock IS 'Preferred stock as filed, USD: among equity and, redeemable, between debt and equity; null where none is filed';
COMMENT ON COLUMN stress.stress_50pct_with_preferred IS 'stress_50pct with preferred stock read as debt; null where none was filed; no tier rests on it (M3.28)';
COMMENT ON COLUMN stress.covenant_headroom_50pct IS 'Distance to the reference covenant after a 50 % fall, as a ratio of it';
COMMENT ON COLUMN stress.reference_covenant_ltv IS 'Loan-to-value the headroom is measured against';
COMMENT ON COLUMN stress.charge_level IS 'Low, Elevated or Critical';
COMMENT ON COLUMN stress.discharge_risk IS 'Band of breach_probability_1y';
COMMENT ON COLUMN stress.resonance_status IS 'Aligned, Dissonant or Neutral';
COMMENT ON COLUMN stress.risk_tier IS 'CRITICAL, HIGH, MODERATE, LOW or UNCLASSIFIED: filed debt against shocked coins, not a credit rating';
COMMENT ON COLUMN stress.breach_probability_1y IS 'Probability of crossing the reference covenant within a year, 0 to 1';
COMMENT ON COLUMN stress.shocked_equity_50pct IS 'Equity after a 50 % fall in holdings, USD';
COMMENT ON COLUMN stress.quality_flag IS 'High, Medium or Low (M1.40 to M1.42)';
COMMENT ON COLUMN stress.data_source IS 'How the totals were assembled';
COMMENT ON COLUMN stress.is_linkbase_backed IS 'True when calculation linkbases were used';
COMMENT ON COLUMN stress.arcs_authored IS 'True when the project wrote the calculation arcs from the face statement; such a row tests the walk, it is no evidence of a filer''s linkbase (M1.46)';
COMMENT ON COLUMN stress.root_resolution_method IS 'How debt was found: walk, document order, single facts, zero (M1.28); null for rows of older programs';
COMMENT ON COLUMN stress.notes IS 'Codes of what a reader must know of the row, each with its detail after a colon; view notes has one a row and says what it means';
COMMENT ON COLUMN stress.method_changed IS 'True when another method version or other evidence (linkbase, document order, single facts; fair value, cost) made this row than the row of the issuer before it, each the newest method of its date: a comparison of the two is none of the issuer alone';
COMMENT ON COLUMN stress.debt_coverage_status IS 'Whether a debt of zero is a measurement (M1.37)';
COMMENT ON COLUMN stress.resolution_status IS 'resolved, resolved_with_notes, saturated or unresolved';
COMMENT ON COLUMN stress.selection_strategy IS 'Why this filing is in force';
COMMENT ON COLUMN stress.uses_live_prices IS 'True when holdings were repriced with closes of source_date';
COMMENT ON COLUMN stress.price_source IS 'Where those closes come from (M2.13)';
COMMENT ON COLUMN stress.live_total_crypto_fair_value IS 'Holdings repriced at source_date, USD';
COMMENT ON COLUMN stress.live_stress_30pct IS 'stress_30pct with repriced holdings';
COMMENT ON COLUMN stress.live_stress_50pct IS 'stress_50pct with repriced holdings';
COMMENT ON COLUMN stress.live_stress_70pct IS 'stress_70pct with repriced holdings';
COMMENT ON COLUMN stress.live_covenant_headroom_50pct IS 'covenant_headroom_50pct with repriced holdings';
COMMENT ON COLUMN stress.live_charge_level IS 'charge_level with repriced holdings';
COMMENT ON COLUMN stress.live_discharge_risk IS 'discharge_risk with repriced holdings';
COMMENT ON COLUMN stress.live_risk_tier IS 'risk_tier with repriced holdings';
COMMENT ON COLUMN stress.live_breach_probability_1y IS 'breach_probability_1y with repriced holdings';
COMMENT ON COLUMN stress.ap_z IS 'Asset pressure against the universe (M3.13, M3.15)';
COMMENT ON COLUMN stress.ecs_z IS 'Equity cushion against the universe, higher is better';
COMMENT ON COLUMN stress.lsi_z IS 'Liquidity stress against the universe';
COMMENT ON COLUMN stress.mp_z IS 'Market pressure at the period end, a level (M3.14)';
COMMENT ON COLUMN stress.st_z IS 'Structural tension: mean of the scores there are (M3.16)';
COMMENT ON COLUMN stress.live_ap_z IS 'ap_z with repriced holdings';
COMMENT ON COLUMN stress.live_ecs_z IS 'ecs_z with repriced holdings';
COMMENT ON COLUMN stress.live_lsi_z IS 'lsi_z with repriced holdings';
COMMENT ON COLUMN stress.live_mp_z IS 'Market pressure at source_date';
COMMENT ON COLUMN stress.live_st_z IS 'st_z with repriced holdings';
COMMENT ON COLUMN stress.live_stress_delta_24h IS 'Change of live_stress_50pct over a day at the same debt, coins and mix (M3.19)';
COMMENT ON COLUMN stress.live_stress_delta_7d IS 'Change of live_stress_50pct over a week';
COMMENT ON COLUMN stress.stress_velocity IS 'rising, stable or falling over a week (M3.19)';
COMMENT ON COLUMN stress.live_resonance_status IS 'resonance_status with repriced holdings';
COMMENT ON COLUMN stress.market_regime IS 'Confirmed regime of source_date; null when it cannot be read (M3.22)';
COMMENT ON COLUMN stress.btc_24h_change_pct IS 'Change of bitcoin over a day, percent';
COMMENT ON COLUMN stress.btc_7d_change_pct IS 'Change of bitcoin over a week, percent';
COMMENT ON COLUMN stress.payload IS 'The published covenant-stress payload, canonical JSON';
COMMENT ON COLUMN stress.resolution_trail IS 'How the figures follow from filed facts: ratio, totals, roots, facts; printed by issuer explain';
COMMENT ON COLUMN stress.form IS 'Form type of that filing, as filing_form';
COMMENT ON COLUMN stress.debt IS 'Total financial debt in USD; null where it is not proven (total_long_term_debt)';
COMMENT ON COLUMN stress.coins IS 'Crypto holdings in USD at period, as filed; null where they are not proven (total_crypto_fair_value)';
COMMENT ON COLUMN stress.live_coins IS 'Crypto holdings in USD at the closes of source_date (live_total_crypto_fair_value)';
COMMENT ON COLUMN stress.is_newest_method IS 'True for the newest method version of source_date: these rows alone are what stress_as_of gives';

-- every fact series as it stood on day d: the latest filing known by d wins, ties by accession (METHODOLOGY M10.2)
CREATE OR REPLACE MACRO facts_as_of(d) AS TABLE
SELECT cik, taxonomy, concept, unit, start, "end",
  latest.value, latest.value_exact, latest.accession, latest.form, filed
FROM (
  SELECT cik, taxonomy, concept, unit, start, "end", max(filed) AS filed,
    -- one struct: columns taken one by one would skip nulls and mix filings
    arg_max({value: value, value_exact: value_exact, accession: accession, form: form}, (filed, accession)) AS latest
  FROM facts f
  ANTI JOIN internal.late_filings() l ON l.cik = f.cik AND l.accession = f.accession AND l.known_on > CAST(d AS DATE)
  WHERE filed <= CAST(d AS DATE)
  GROUP BY cik, taxonomy, concept, unit, start, "end"
);
COMMENT ON MACRO TABLE facts_as_of IS 'Every fact series as it stood on day d, from filings filed and accepted by then; columns as in facts. stress_as_of(d) says the same of the day of its slice: source_date, which is d or the newest before it';

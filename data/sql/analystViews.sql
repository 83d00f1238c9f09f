-- What an analyst asks first: one row an issuer, who holds coins, which coins, what else was filed, what limits a row, and
-- what the inputs cover. Run in every build, after views.sql. A column without a comment of its own has that of the column
-- of its name in view stress.

CREATE OR REPLACE VIEW latest AS
SELECT ticker, entity_name, cik, source_date, period, form, filed, filing_age_days, next_report_due, risk_tier, live_risk_tier, stress_50pct,
  live_stress_50pct, debt, coins, live_coins, preferred_stock,
  stress_50pct_with_preferred, treasury_relevance, crypto_share_of_assets, net_debt_to_coins, quality_flag,
  figures_basis, debt_coverage_status, core_tier, resolution_status, accession, filing_url, method_version
FROM stress
WHERE source_date = (SELECT max(source_date) FROM internal.stress_row)
QUALIFY row_number() OVER (PARTITION BY cik ORDER BY internal.method_order(method_version) DESC) = 1
ORDER BY ticker;

COMMENT ON VIEW latest IS 'The newest slice, one row an issuer with a filing in force. Key: cik';

CREATE OR REPLACE VIEW holders AS
SELECT row_number() OVER (ORDER BY coins DESC, ticker)::INTEGER AS rank, ticker, entity_name, period,
  filed, filing_age_days, next_report_due, coins, debt, stress_50pct, live_stress_50pct, risk_tier,
  live_risk_tier, treasury_relevance, quality_flag, form, filing_url, accession, cik, source_date
FROM latest
WHERE coins > 0
ORDER BY rank;

COMMENT ON VIEW holders IS 'Issuers of the newest slice whose filing proves coins, largest first. Key: cik';
COMMENT ON COLUMN holders.rank IS '1 holds the most, by what was filed';
COMMENT ON COLUMN holders.coins IS 'Crypto holdings in USD at period, as filed';

CREATE OR REPLACE VIEW fundamentals AS
SELECT source_date, method_version, cik, ticker, entity_name, period, filing_form AS form, currency, flow_start, flow_end,
  revenue, operating_income, net_income, cash_flow_start, cash_flow_from_operations, total_assets, current_assets,
  cash_and_equivalents, total_liabilities, total_equity, accession, internal.filing_url(cik, accession) AS filing_url
FROM internal.fundamental_row;

COMMENT ON VIEW fundamentals IS 'Filed figures of the filing in force of every night and method version; null where a figure was not filed. Key: source_date, method_version, cik';
COMMENT ON COLUMN fundamentals.currency IS 'Currency of the figures';
COMMENT ON COLUMN fundamentals.flow_start IS 'First day of the duration of revenue and income';
COMMENT ON COLUMN fundamentals.flow_end IS 'Last day of that duration';
COMMENT ON COLUMN fundamentals.revenue IS 'Revenue over the duration';
COMMENT ON COLUMN fundamentals.operating_income IS 'Operating income over the duration';
COMMENT ON COLUMN fundamentals.net_income IS 'Net income over the duration';
COMMENT ON COLUMN fundamentals.cash_flow_start IS 'First day of the duration of cash_flow_from_operations, which ends at period: of the fiscal year in most 10-Q; null in rows of older programs';
COMMENT ON COLUMN fundamentals.cash_flow_from_operations IS 'Cash flow from operations from cash_flow_start to period: in most 10-Q the year to date, not the quarter';
COMMENT ON COLUMN fundamentals.total_assets IS 'Total assets at period';
COMMENT ON COLUMN fundamentals.current_assets IS 'Current assets at period';
COMMENT ON COLUMN fundamentals.cash_and_equivalents IS 'Cash and cash equivalents at period; with restricted cash where the filing states no other';
COMMENT ON COLUMN fundamentals.total_liabilities IS 'Total liabilities at period';
COMMENT ON COLUMN fundamentals.total_equity IS 'Equity at period';

CREATE OR REPLACE VIEW coins AS
SELECT c.source_date, c.method_version, c.cik, s.ticker, s.entity_name, s.period, c.asset, c.share,
  -- an unproven amount is a lower bound and no holding
  round(s.total_crypto_fair_value::DOUBLE * c.share, 2) AS coins,
  CASE WHEN s.crypto_units_basis = 'carrying_value_lower_bound' THEN NULL
    -- six significant digits, as many as a close supports (M2.12)
    ELSE coalesce(c.units, round(s.total_crypto_fair_value::DOUBLE * c.share / p.close,
      5 - floor(log10(s.total_crypto_fair_value::DOUBLE * c.share / p.close))::INTEGER)) END AS units,
  CASE WHEN c.is_reported THEN 'reported'
    WHEN c.units IS NOT NULL OR (s.total_crypto_fair_value > 0 AND p.close > 0
      AND s.crypto_units_basis <> 'carrying_value_lower_bound') THEN 'estimated' END AS units_basis,
  p.close, n.close AS live_close, s.accession, s.filing_url
FROM internal.coin_row c
JOIN stress s USING (source_date, method_version, cik)
LEFT JOIN prices p ON p.asset = c.asset AND p.date = s.period
LEFT JOIN prices n ON n.asset = c.asset AND n.date = c.source_date
ORDER BY c.source_date, coins DESC NULLS LAST, s.ticker, c.asset;

COMMENT ON VIEW coins IS 'Coins of every night and method version, one row an issuer and asset. Key: source_date, method_version, cik, asset';
COMMENT ON COLUMN coins.asset IS 'Symbol of the coin';
COMMENT ON COLUMN coins.share IS 'Part of the issuer''s holdings by value, 0 to 1';
COMMENT ON COLUMN coins.coins IS 'USD at period; null where the holdings are not proven';
COMMENT ON COLUMN coins.units IS 'Coins: as reported, else their value over the close of period; null when neither is known';
COMMENT ON COLUMN coins.units_basis IS 'reported by the filing, or estimated from its value and a close';
COMMENT ON COLUMN coins.close IS 'Close at period, USD';
COMMENT ON COLUMN coins.live_close IS 'Close at source_date, USD';

CREATE OR REPLACE VIEW holdings AS
WITH filed AS (
  SELECT cik, asset, period, units, units_basis, coins, accession, filing_url
  FROM coins
  QUALIFY row_number() OVER (PARTITION BY cik, asset, period
    ORDER BY source_date DESC, internal.method_order(method_version) DESC) = 1
)
SELECT u.ticker, u.entity_name, f.cik, f.asset, f.period, f.units, f.units_basis, f.coins,
  lag(f.period) OVER before AS previous_period, lag(f.units) OVER before AS previous_units,
  CASE WHEN f.units_basis = lag(f.units_basis) OVER before THEN f.units - lag(f.units) OVER before END AS units_change,
  f.accession, f.filing_url
FROM filed f
JOIN issuers u USING (cik)
WINDOW before AS (PARTITION BY f.cik, f.asset ORDER BY f.period)
ORDER BY u.ticker, f.asset, f.period;

COMMENT ON VIEW holdings IS 'Coins of an issuer by balance sheet, each beside the one before it, as the newest night reads them. Key: cik, asset, period';
COMMENT ON COLUMN holdings.asset IS 'Symbol of the coin';
COMMENT ON COLUMN holdings.units IS 'Coins at period; null where they are not proven';
COMMENT ON COLUMN holdings.units_basis IS 'reported by the filing, or estimated from its value and a close';
COMMENT ON COLUMN holdings.coins IS 'USD at period; null where the holdings are not proven';
COMMENT ON COLUMN holdings.previous_period IS 'Balance sheet before it of which a night is stored';
COMMENT ON COLUMN holdings.previous_units IS 'Coins at previous_period';
COMMENT ON COLUMN holdings.units_change IS 'units less previous_units; null where one is reported and the other estimated';

CREATE OR REPLACE VIEW facility_history AS
SELECT f.source_date, f.method_version, f.cik, s.ticker, s.entity_name, s.period, f.facility_id, f.name, f.drawn,
  f.drawn_basis, f."limit" AS credit_limit, f.collateral_asset, f.collateral_units, f.collateral_value,
  f.collateral_basis, f.ltv, f.trigger_ltv, f.trigger_kind, f.margin_call_price, f.price_fall_to_call, f.live_ltv,
  f.live_price_fall_to_call, f.price_date, f.as_of, f.source_date - f.as_of AS days_since_as_of, f.is_subsequent,
  f.confidence, f.notes, f.fact_refs::JSON AS fact_refs, s.accession, s.filing_url
FROM internal.facility_row f
JOIN stress s USING (source_date, method_version, cik)
ORDER BY f.source_date, f.drawn DESC NULLS LAST, s.ticker, f.facility_id, f.is_subsequent;

COMMENT ON VIEW facility_history IS 'Loans secured by coins on every night, each as its filing in force then stated it and at the close of the night. Key: source_date, method_version, cik, facility_id, is_subsequent';
COMMENT ON COLUMN facility_history.facility_id IS 'Member names of the loan, lower case, sorted, joined with +';
COMMENT ON COLUMN facility_history.name IS 'Member or concept as filed';
COMMENT ON COLUMN facility_history.drawn IS 'Principal owed at as_of, USD; null where no fact states it';
COMMENT ON COLUMN facility_history.drawn_basis IS 'Which filed amount is drawn: line_of_credit, carrying_amount, face_confirmed, carrying_net, face, flows';
COMMENT ON COLUMN facility_history.credit_limit IS 'Most that may be borrowed, USD';
COMMENT ON COLUMN facility_history.collateral_asset IS 'Coin that is pledged; null for several or unknown ones';
COMMENT ON COLUMN facility_history.collateral_units IS 'Coins pledged';
COMMENT ON COLUMN facility_history.collateral_value IS 'Value of the pledged coins at as_of, USD';
COMMENT ON COLUMN facility_history.collateral_basis IS 'tagged_value: filed; units_times_price: coins times the close of as_of';
COMMENT ON COLUMN facility_history.ltv IS 'drawn over collateral_value, at as_of';
COMMENT ON COLUMN facility_history.trigger_ltv IS 'Loan-to-value at which the lender may act; a filed coverage of 2 is 0.5';
COMMENT ON COLUMN facility_history.trigger_kind IS 'margin_call, maintenance_maximum, minimum_coverage or liquidation';
COMMENT ON COLUMN facility_history.margin_call_price IS 'USD per coin at which the loan reaches trigger_ltv; null unless amount, coins and trigger are filed';
COMMENT ON COLUMN facility_history.price_fall_to_call IS 'Fall of the close of as_of that reaches margin_call_price; negative when already through';
COMMENT ON COLUMN facility_history.live_ltv IS 'ltv at the close of price_date, without collateral added or debt repaid since as_of';
COMMENT ON COLUMN facility_history.live_price_fall_to_call IS 'Fall of the close of price_date that reaches margin_call_price, without collateral added since as_of; negative when already through';
COMMENT ON COLUMN facility_history.price_date IS 'Day of the close behind the live columns';
COMMENT ON COLUMN facility_history.as_of IS 'Period end, or the day of what happened after it: debt and coins are of this day';
COMMENT ON COLUMN facility_history.days_since_as_of IS 'How old debt and coins are on source_date; a change since then is not known';
COMMENT ON COLUMN facility_history.is_subsequent IS 'What happened after the period end; never mixed with the balance sheet';
COMMENT ON COLUMN facility_history.confidence IS 'High: amount, coins and trigger are filed for one loan; Low: terms only, or facts in conflict';
COMMENT ON COLUMN facility_history.notes IS 'What limits the row, codes facility_*';
COMMENT ON COLUMN facility_history.fact_refs IS 'Every filed fact used: concept, date, members, value, unit';

CREATE OR REPLACE VIEW facilities AS
SELECT * FROM facility_history
QUALIFY row_number() OVER (PARTITION BY cik, accession, facility_id, is_subsequent ORDER BY source_date DESC,
  internal.method_order(method_version) DESC) = 1
ORDER BY source_date DESC, live_price_fall_to_call, drawn DESC NULLS LAST, ticker, facility_id;

COMMENT ON VIEW facilities IS 'Loans secured by coins, one row a loan and filing, at the close of the newest night the filing was in force; nearest to a margin call first. Key: cik, accession, facility_id, is_subsequent';

CREATE OR REPLACE VIEW notes AS
SELECT n.source_date, n.method_version, n.cik, n.ticker, n.period, split_part(n.note, ':', 1) AS note,
  nullif(substr(n.note, strpos(n.note || ':', ':') + 1), '') AS detail, m.meaning
FROM (
  SELECT source_date, method_version, cik, ticker, period,
    unnest(from_json(json_extract(payload, '$.data_quality_notes'), '["VARCHAR"]')) AS note
  FROM internal.stress_row) n
LEFT JOIN internal.note_meaning m ON m.note = split_part(n.note, ':', 1)
ORDER BY n.source_date, n.ticker, note;

COMMENT ON VIEW notes IS 'What limits each stress row, one row a note, with its meaning in words. Key: source_date, method_version, cik, note, detail';
COMMENT ON COLUMN notes.note IS 'Code of the note, as in data_quality_notes';
COMMENT ON COLUMN notes.detail IS 'What the note is about: an amount, a concept, a file; null where it says all';
COMMENT ON COLUMN notes.meaning IS 'What the note says, in a sentence';

CREATE OR REPLACE VIEW coverage AS
WITH known AS (
  SELECT u.cik, coalesce(u.ticker, u.cik) AS label FROM internal.universe_issuer u
  WHERE u.cik IN (SELECT cik FROM internal.fact_entity) OR u.cik IN (SELECT cik FROM internal.submission_entity)
),
held AS (
  SELECT 'companyfacts' AS input, 'facts of the companyfacts archive' AS holds,
    (SELECT count(*) FROM internal.fact) AS row_count,
    (SELECT max(filed) FROM internal.fact WHERE filed < DATE 'infinity') AS up_to,
    (SELECT list(DISTINCT cik) FROM internal.fact_entity) AS ciks
  UNION ALL
  SELECT 'submissions', 'filings of the submissions archive', count(*), max(filed),
    (SELECT list(DISTINCT cik) FROM internal.submission_entity)
  FROM internal.submission_filing
  UNION ALL
  SELECT 'tickers', 'tickers EDGAR lists', count(*), NULL, list(DISTINCT cik) FROM internal.listed_ticker
  UNION ALL
  SELECT 'filings', 'contents of filings: instances and linkbases', count(*), max(p.filed), list(DISTINCT x.cik)
  FROM internal.xbrl_filing x LEFT JOIN internal.periodic_filing p USING (cik, accession)
  UNION ALL
  SELECT 'instances', 'index of extracted instances', count(*), max(filed), list(DISTINCT cik)
  FROM internal.instance_filing
  UNION ALL
  SELECT 'current_reports', 'documents of current reports', count(*), max(filed), NULL FROM internal.report_document
  UNION ALL
  SELECT 'prices', 'daily closes', count(*), max(date), NULL FROM internal.price_close
  UNION ALL
  SELECT 'perps', 'observations of perpetual contracts', count(*), max(make_timestamp(observed_ms * 1000))::DATE, NULL
  FROM internal.market_observation
  UNION ALL
  SELECT 'stocks', 'daily closes of stocks', count(*), max(date), NULL FROM internal.stock_close
),
counted AS (
  SELECT h.*, s.status, s.kept_from,
    if(h.input IN ('current_reports', 'prices', 'perps', 'stocks'), NULL, (SELECT count(*) FROM internal.universe_issuer u WHERE list_contains(h.ciks, u.cik)))
      AS issuers,
    if(h.input IN ('current_reports', 'prices', 'perps', 'stocks'), NULL, coalesce(
      (SELECT list(k.label ORDER BY k.label) FROM known k WHERE NOT coalesce(list_contains(h.ciks, k.cik), false)), []))
      AS issuers_without,
    (SELECT max(source_date) FROM internal.stress_row) AS slice,
    (SELECT count(*) FROM internal.quarantine) AS refused,
    -- folders of filings and extracted instances stand for each other
    h.input IN ('filings', 'instances')
      AND EXISTS (SELECT 1 FROM internal.input_state o WHERE o.input_id IN ('filings', 'instances') AND o.status = 'at_hand')
      AS has_other
  FROM held h JOIN internal.input_state s ON s.input_id = h.input
)
SELECT input, holds, status, kept_from, row_count, issuers::INTEGER AS issuers, up_to, issuers_without,
  nullif(concat_ws('; ',
    CASE WHEN status = 'missing' AND NOT has_other THEN 'not in the inputs of the night'
      WHEN status = 'kept' THEN 'not in the inputs of the night, what was read on ' || kept_from || ' stands in' END,
    CASE WHEN status <> 'missing' AND input IN ('companyfacts', 'submissions') AND len(issuers_without) > 0
      THEN 'nothing of ' || len(issuers_without) || if(len(issuers_without) = 1, ' issuer', ' issuers')
        || ' that other inputs know: ' || array_to_string(issuers_without[1:5], ', ')
        || if(len(issuers_without) > 5, ', …', '') END,
    CASE WHEN input = 'companyfacts' AND refused > 0
      THEN refused || if(refused = 1, ' company file was refused', ' company files were refused') END,
    CASE WHEN input IN ('prices', 'stocks') AND up_to < slice - 2
      THEN 'closes end on ' || up_to || ', before the slice of ' || slice END,
    CASE WHEN input = 'perps' AND up_to < slice - 2
      THEN 'observations end on ' || up_to || ', before the slice of ' || slice END), '') AS gap
FROM counted
ORDER BY input;

COMMENT ON VIEW coverage IS 'What the inputs of the last build covered, one row an input; a query that reads an input with a gap says so. Key: input';
COMMENT ON COLUMN coverage.input IS 'Name of the input';
COMMENT ON COLUMN coverage.holds IS 'What it brings';
COMMENT ON COLUMN coverage.status IS 'at_hand; kept: missing on the night, rows of an earlier night stand in; missing: nothing is held';
COMMENT ON COLUMN coverage.kept_from IS 'Oldest night whose rows stand in; null when the input was at hand';
COMMENT ON COLUMN coverage.row_count IS 'Rows held of it';
COMMENT ON COLUMN coverage.issuers IS 'Issuers of the universe it holds rows of; null for current reports, prices and observations';
COMMENT ON COLUMN coverage.up_to IS 'Newest day in it: filing date, day of the close or of the observation';
COMMENT ON COLUMN coverage.issuers_without IS 'Issuers that companyfacts or submissions know and this input does not; null for current reports, prices and observations';
COMMENT ON COLUMN coverage.gap IS 'What it does not cover, in words; null when nothing is known to be missing';

CREATE OR REPLACE VIEW candidates AS
WITH newest AS (
  SELECT cik, cik::INTEGER AS cik_number, accession, form, filed, period, filing_url
  FROM filings
  WHERE in_companyfacts AND has_balance_sheet AND cik NOT IN (SELECT cik FROM internal.universe_issuer)
  QUALIFY row_number() OVER (PARTITION BY cik ORDER BY period DESC, accepted_at DESC, accession DESC) = 1
),
-- companyfacts has standard concepts alone, so their names are few
coin_series AS (
  SELECT series_id, concept, unit FROM internal.fact_series
  WHERE regexp_matches(lower(concept), 'cryptoasset|cryptocurrenc|bitcoin|digitalasset|digitalcurrenc|virtualcurrenc')
),
stated AS (
  SELECT n.cik, f.value, s.concept,
    s.unit = 'USD' AND f.start_date = DATE '-infinity' AND f.end_date = n.period
      AND f.value > 0 AND NOT regexp_matches(s.concept, 'Liabilit|Payable|Safeguarding|Gain|Loss') AS is_held,
    s.concept LIKE '%Cost%' AS is_cost
  FROM internal.fact f
  JOIN coin_series s USING (series_id)
  JOIN newest n ON n.cik_number = f.cik
  LEFT JOIN internal.fact_exact x ON x.code = f.accession
  WHERE coalesce(x.accession, internal.accession_text(f.accession)) = n.accession
),
held AS (
  SELECT cik, count(*)::INTEGER AS coin_facts,
    coalesce(max(value) FILTER (is_held AND NOT is_cost), max(value) FILTER (is_held)) AS amount,
    coalesce(max_by(concept, value) FILTER (is_held AND NOT is_cost), max_by(concept, value) FILTER (is_held), min(concept))
      AS concept
  FROM stated GROUP BY cik
),
total AS (
  SELECT n.cik, max(f.value) AS assets
  FROM newest n
  JOIN internal.fact f ON f.cik = n.cik_number AND f.end_date = n.period AND f.start_date = DATE '-infinity'
  JOIN internal.fact_series s USING (series_id)
  LEFT JOIN internal.fact_exact x ON x.code = f.accession
  WHERE s.concept = 'Assets' AND s.unit = 'USD' AND n.cik IN (SELECT cik FROM held)
    AND coalesce(x.accession, internal.accession_text(f.accession)) = n.accession
  GROUP BY n.cik
)
SELECT h.cik, e.entity_name, coalesce(t.tickers, []::VARCHAR[]) AS tickers, h.amount,
  if(a.assets > 0, round(h.amount / a.assets, 6), NULL) AS share_of_assets, h.concept, h.coin_facts, n.period, n.form,
  n.filed, n.accession, n.filing_url
FROM held h
JOIN newest n USING (cik)
LEFT JOIN total a USING (cik)
LEFT JOIN (SELECT cik, min(entity_name) AS entity_name FROM internal.fact_entity GROUP BY cik) e USING (cik)
LEFT JOIN (SELECT cik, list(ticker ORDER BY ticker) AS tickers FROM internal.listed_ticker GROUP BY cik) t USING (cik)
ORDER BY h.amount DESC NULLS LAST, h.cik;

COMMENT ON VIEW candidates IS 'Registrants outside the universe whose newest filing has a fact named for coins, the largest amount first: the next holder before any list has it. Key: cik';
COMMENT ON COLUMN candidates.entity_name IS 'Name in the companyfacts file';
COMMENT ON COLUMN candidates.tickers IS 'Tickers EDGAR lists for the CIK';
COMMENT ON COLUMN candidates.amount IS 'Largest such amount at period, USD, a cost only where no value is stated; null where the filing states units, gains or purchases alone';
COMMENT ON COLUMN candidates.share_of_assets IS 'Part of total assets, 0 to 1; null where either is not known';
COMMENT ON COLUMN candidates.concept IS 'Concept of that amount';
COMMENT ON COLUMN candidates.coin_facts IS 'Facts named for coins in the filing';
COMMENT ON COLUMN candidates.form IS 'Form type of the newest filing with a balance sheet';
COMMENT ON COLUMN candidates.filed IS 'Date EDGAR gives the filing';

-- Who diluted shareholders?
-- Shares outstanding on two balance-sheet dates. counted_in one_filing: as the filing in force counts both, so a split is in both;
-- two_filings: of filers that file no such total, from the classes of two filings, the older brought to the newer basis by split.
-- cover: the count on the first page, later still. coins_a_share: USD of coins a share, as filed.
WITH filed AS (
  SELECT l.cik, f."end" AS to_date, f.value AS shares, lag(f."end") OVER dates AS from_date, lag(f.value) OVER dates AS shares_before
  FROM latest l JOIN facts f USING (cik, accession)
  WHERE f.concept = 'CommonStockSharesOutstanding' AND f."end" <= l.period
  WINDOW dates AS (PARTITION BY l.cik ORDER BY f."end")
  QUALIFY to_date = l.period AND shares_before > 0
),
stored AS (
  SELECT *, coalesce(list_product([(s->>'ratio')::DOUBLE FOR s IN CAST(classes->'splits' AS JSON[])
    IF (s->>'date') > from_date::VARCHAR AND (s->>'date') <= as_of::VARCHAR]), 1) AS split
  FROM (
    SELECT *, lag(outstanding) OVER older AS shares_before, lag(as_of) OVER older AS from_date
    FROM (
      SELECT * FROM shares WHERE outstanding IS NOT NULL
      QUALIFY row_number() OVER (PARTITION BY cik, as_of
        ORDER BY source_date DESC, internal.method_order(method_version) DESC) = 1
    )
    WINDOW older AS (PARTITION BY cik ORDER BY as_of)
  )
  WHERE shares_before > 0
  QUALIFY row_number() OVER (PARTITION BY cik ORDER BY as_of DESC) = 1
),
counted AS (
  SELECT cik, from_date, to_date, shares_before, shares, 'one_filing' AS counted_in FROM filed
  UNION ALL BY NAME
  SELECT cik, from_date, as_of AS to_date, shares_before::DOUBLE * split AS shares_before, outstanding::DOUBLE AS shares,
    'two_filings' AS counted_in
  FROM stored ANTI JOIN filed USING (cik)
),
covers AS (
  SELECT cik, max_by(value, "end") AS cover, max("end") AS cover_date
  FROM facts SEMI JOIN latest USING (cik, accession)
  WHERE concept = 'EntityCommonStockSharesOutstanding' GROUP BY cik
)
SELECT l.ticker, c.from_date, c.to_date, round(c.shares_before) AS shares_before, c.shares,
  round(100 * (c.shares / c.shares_before - 1), 1) AS growth_pct, c.counted_in, v.cover, v.cover_date,
  round(l.coins::DOUBLE / c.shares, 4) AS coins_a_share, l.accession
FROM latest l JOIN counted c USING (cik)
LEFT JOIN covers v USING (cik)
ORDER BY growth_pct DESC, l.ticker;

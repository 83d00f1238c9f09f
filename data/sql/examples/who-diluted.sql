-- Who diluted shareholders?
-- Shares outstanding of one balance sheet against those of the one before it, the older count brought to the newer basis where
-- the filing states a split between them. coins_per_share says whether holders were paid for it.
WITH counts AS (
  SELECT *, list_product([(s->>'ratio')::DOUBLE FOR s IN CAST(classes->'splits' AS JSON[])
    IF (s->>'date') > before::VARCHAR AND (s->>'date') <= as_of::VARCHAR]) AS split
  FROM (
    SELECT *, lag(outstanding) OVER older AS shares_before, lag(as_of) OVER older AS before
    FROM (
      SELECT * FROM shares WHERE outstanding IS NOT NULL
      QUALIFY row_number() OVER (PARTITION BY cik, as_of
        ORDER BY source_date DESC, internal.method_order(method_version) DESC) = 1
    )
    WINDOW older AS (PARTITION BY cik ORDER BY as_of)
  )
)
SELECT ticker, before AS from_date, as_of AS to_date, shares_before, outstanding AS shares, coalesce(split, 1) AS split,
  outstanding / (shares_before * coalesce(split, 1)) - 1 AS growth, fully_diluted, fully_diluted_status AS proof, accession
FROM counts
WHERE shares_before > 0
ORDER BY growth DESC, ticker, to_date;

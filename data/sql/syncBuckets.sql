-- Buckets up to $market_until made anew where observations changed; changed_bucket says from where on they differ.

-- What each bucket of a product's contract holds (M8.2): states are the last observation, flows the sum. Nothing is
-- carried over.
CREATE OR REPLACE TEMP TABLE fresh_bucket AS
WITH lengths (bucket_length, minutes, ms) AS (VALUES ('15m', 15, 900000), ('1h', 60, 3600000), ('1d', 1440, 86400000)),
-- of two inputs that speak of one instant the last by name counts
inputs AS (SELECT name AS input, row_number() OVER (ORDER BY name) AS rank FROM internal.input_file),
seen AS (
  SELECT o.*, rank, observed_ms * 4096 + rank AS seen_at
  FROM internal.market_observation o JOIN inputs USING (input) SEMI JOIN internal.market_contract USING (venue, symbol)
),
paid AS (
  SELECT venue, symbol, observed_ms, max_by(funding_rate, rank) AS rate, max_by(funding_interval_hours, rank) AS stated
  FROM seen WHERE funding_rate IS NOT NULL GROUP BY ALL
),
gaps AS (
  SELECT *, observed_ms - lag(observed_ms) OVER contract AS gap_ms
  FROM paid WINDOW contract AS (PARTITION BY venue, symbol ORDER BY observed_ms)
),
spaced AS (
  -- two gaps alike say how often a venue pays, one may be a hole; only the past is looked at
  SELECT *, CASE WHEN gap_ms = lag(gap_ms) OVER contract AND gap_ms IN (3600000, 7200000, 14400000, 28800000)
    THEN gap_ms / 3600000.0 END AS spacing
  FROM gaps WINDOW contract AS (PARTITION BY venue, symbol ORDER BY observed_ms)
),
timed AS (
  SELECT s.*, coalesce(s.stated, s.spacing, v.funding_hours) AS hours
  FROM spaced s LEFT JOIN internal.market_venue v USING (venue)
),
funding AS (
  SELECT *, lag(hours) OVER contract AS hours_before
  FROM timed WINDOW contract AS (PARTITION BY venue, symbol ORDER BY observed_ms)
),
funding_bucket AS (
  SELECT venue, symbol, bucket_length, observed_ms // ms * ms AS bucket_ms,
    max_by(rate, observed_ms) AS funding_rate, max_by(hours, observed_ms) AS funding_interval_hours,
    bool_or(hours <> hours_before) AS interval_changed
  FROM funding CROSS JOIN lengths GROUP BY ALL
),
candle AS (
  SELECT venue, symbol, interval_minutes, observed_ms, max_by(volume_base, rank) AS volume_base,
    max_by(volume_usd, rank) AS volume_usd, max_by(volume_usd_basis, rank) AS basis
  FROM seen WHERE kind = 'candle' GROUP BY ALL
),
candle_sum AS (
  SELECT venue, symbol, bucket_length, interval_minutes, observed_ms // ms * ms AS bucket_ms,
    count(*) * min(interval_minutes) = min(minutes) AS whole,
    CASE WHEN whole AND count(volume_base) = count(*) THEN sum(volume_base ORDER BY observed_ms) END AS volume_base,
    CASE WHEN whole AND count(volume_usd) = count(*) THEN sum(volume_usd ORDER BY observed_ms) END AS volume_usd,
    bool_or(basis = 'close') AS at_close
  FROM candle JOIN lengths ON interval_minutes <= minutes GROUP BY ALL
),
-- a candle of the bucket's own length counts before the sum of shorter ones; a sum with a hole is none
flow AS (
  SELECT venue, symbol, bucket_length, bucket_ms,
    max_by(volume_base, interval_minutes) FILTER (volume_usd IS NOT NULL) AS volume_base,
    max_by(volume_usd, interval_minutes) FILTER (volume_usd IS NOT NULL) AS volume_usd,
    max_by(at_close, interval_minutes) FILTER (volume_usd IS NOT NULL) AS at_close,
    bool_and(volume_usd IS NULL) AS incomplete
  FROM candle_sum GROUP BY ALL
),
-- a candle's close is known at its end, so it follows whatever was seen inside it
placed AS (
  SELECT venue, symbol, bucket_length, observed_ms // ms * ms AS bucket_ms, mark, index_price, last, open_interest,
    liquidations_long_usd, liquidations_short_usd, synthetic, flags,
    seen_at + CASE WHEN kind = 'candle' THEN (interval_minutes * 60000 - 1) * 4096::BIGINT ELSE 0 END AS known_at
  FROM seen JOIN lengths ON kind <> 'candle' OR interval_minutes <= minutes
),
state AS (
  SELECT venue, symbol, bucket_length, bucket_ms,
    max_by(mark, known_at) FILTER (mark > 0) AS mark,
    max_by(index_price, known_at) FILTER (index_price > 0) AS index_price,
    max_by(last, known_at) FILTER (last > 0) AS last,
    max_by(open_interest, known_at) FILTER (open_interest > 0) AS open_interest,
    count(*)::INTEGER AS observations,
    bool_or(synthetic) AS synthetic,
    bool_or(mark <= 0 OR index_price <= 0 OR last <= 0) AS bad_price,
    bool_or(open_interest <= 0) AS bad_open_interest
  FROM placed GROUP BY ALL
),
said AS (
  SELECT venue, symbol, bucket_length, bucket_ms,
    sum(liquidations_long_usd ORDER BY known_at) AS liquidations_long_usd,
    sum(liquidations_short_usd ORDER BY known_at) AS liquidations_short_usd,
    string_agg(flags, '|') FILTER (flags <> '') AS flags
  FROM placed WHERE flags <> '' OR liquidations_long_usd IS NOT NULL OR liquidations_short_usd IS NOT NULL GROUP BY ALL
)
SELECT venue, symbol, bucket_length, bucket_ms, mark, index_price, last, open_interest,
  funding_rate, funding_interval_hours, volume_base, volume_usd, liquidations_long_usd, liquidations_short_usd,
  observations, synthetic,
  array_to_string(list_sort(list_distinct(string_split(concat_ws('|', flags,
    CASE WHEN bad_price THEN 'price_not_positive' END,
    CASE WHEN bad_open_interest THEN 'open_interest_not_positive' END,
    CASE WHEN interval_changed THEN 'funding_interval_changed' END,
    CASE WHEN funding_rate IS NOT NULL AND funding_interval_hours IS NULL THEN 'funding_interval_unknown' END,
    CASE WHEN incomplete THEN 'volume_incomplete' END,
    CASE WHEN at_close THEN 'volume_usd_from_close' END
  ), '|'))), '|') AS flags
FROM state JOIN lengths USING (bucket_length)
LEFT JOIN said USING (venue, symbol, bucket_length, bucket_ms)
LEFT JOIN funding_bucket USING (venue, symbol, bucket_length, bucket_ms)
LEFT JOIN flow USING (venue, symbol, bucket_length, bucket_ms)
-- a bucket exists with a price (M8.2)
WHERE (mark IS NOT NULL OR last IS NOT NULL) AND bucket_ms + ms <= getvariable('market_until');

CREATE OR REPLACE TEMP TABLE held_bucket AS
SELECT b.* FROM internal.market_bucket b
JOIN (VALUES ('15m', 900000), ('1h', 3600000), ('1d', 86400000)) l(bucket_length, ms) USING (bucket_length)
WHERE bucket_ms + ms <= getvariable('market_until');

CREATE OR REPLACE TEMP TABLE changed_bucket AS
SELECT venue, symbol, bucket_length, min(bucket_ms) AS from_ms
FROM (
  (FROM fresh_bucket EXCEPT FROM held_bucket) UNION ALL (FROM held_bucket EXCEPT FROM fresh_bucket)
)
GROUP BY ALL;

DELETE FROM internal.market_bucket b USING changed_bucket c, held_bucket h
WHERE b.venue = c.venue AND b.symbol = c.symbol AND b.bucket_length = c.bucket_length AND b.bucket_ms >= c.from_ms
  AND h.venue = b.venue AND h.symbol = b.symbol AND h.bucket_length = b.bucket_length AND h.bucket_ms = b.bucket_ms;

INSERT INTO internal.market_bucket BY NAME
SELECT f.* FROM fresh_bucket f JOIN changed_bucket c USING (venue, symbol, bucket_length) WHERE f.bucket_ms >= c.from_ms;

DROP TABLE fresh_bucket;
DROP TABLE held_bucket;

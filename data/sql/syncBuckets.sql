-- Buckets of days up to $market_until made anew where observations changed; changed_bucket says from where on they differ.

-- Which days of which contracts changed follows from the inputs that did: the others are not looked at.
CREATE OR REPLACE TEMP TABLE changed_input AS
SELECT coalesce(f.name, m.input_name) AS input_name, f.fingerprint
FROM (SELECT name, fingerprint FROM internal.input_file WHERE name LIKE 'perps/%') f
FULL JOIN internal.market_input m ON m.input_name = f.name
WHERE f.fingerprint IS DISTINCT FROM m.fingerprint;

CREATE OR REPLACE TEMP TABLE fresh_day AS
SELECT input AS input_name, venue, symbol, observed_ms // 86400000 AS day,
  sum(hash(*COLUMNS(* EXCLUDE (input, venue, symbol, source, input_sha256))))::HUGEINT AS digest
FROM internal.market_observation o SEMI JOIN changed_input c ON c.input_name = o.input GROUP BY ALL;

CREATE OR REPLACE TEMP TABLE held_day AS
FROM internal.market_input_day SEMI JOIN changed_input USING (input_name);

-- of a contract that a product has first or again, every day
CREATE OR REPLACE TEMP TABLE moved_day AS
SELECT venue, symbol, day FROM (
  (FROM fresh_day EXCEPT FROM held_day) UNION ALL (FROM held_day EXCEPT FROM fresh_day)
)
UNION
SELECT venue, symbol, day FROM internal.market_input_day
SEMI JOIN (FROM internal.market_contract EXCEPT FROM internal.market_made) USING (venue, symbol);

DELETE FROM internal.market_input WHERE input_name IN (SELECT input_name FROM changed_input);
INSERT INTO internal.market_input SELECT input_name, fingerprint FROM changed_input WHERE fingerprint IS NOT NULL;
DELETE FROM internal.market_input_day WHERE input_name IN (SELECT input_name FROM changed_input);
INSERT INTO internal.market_input_day BY NAME FROM fresh_day;

-- How often a venue pays is read from the three payments before one, so that they are made anew with what they follow.
INSERT INTO internal.market_due
WITH first_moved AS (SELECT venue, symbol, (min(day) + 1) * 86400000 AS end_ms FROM moved_day GROUP BY ALL),
paid AS MATERIALIZED (
  SELECT DISTINCT venue, symbol, observed_ms FROM internal.market_observation JOIN first_moved USING (venue, symbol)
  WHERE funding_rate IS NOT NULL AND observed_ms >= end_ms
),
placed AS (
  SELECT *, max(end_ms) OVER (PARTITION BY venue, symbol ORDER BY at_ms) AS last_end FROM (
    SELECT venue, symbol, observed_ms AS at_ms, NULL AS end_ms FROM paid
    UNION ALL SELECT venue, symbol, (day + 1) * 86400000, (day + 1) * 86400000 FROM moved_day
  )
),
following AS (
  SELECT venue, symbol, at_ms // 86400000 AS day FROM placed WHERE end_ms IS NULL
  QUALIFY row_number() OVER (PARTITION BY venue, symbol, last_end ORDER BY at_ms) <= 3
)
SELECT venue, symbol, day FROM (FROM moved_day UNION FROM following) SEMI JOIN internal.market_contract USING (venue, symbol)
EXCEPT FROM internal.market_due;

-- A later day stays due until a night reaches it.
CREATE OR REPLACE TEMP TABLE due AS
FROM internal.market_due SEMI JOIN internal.market_contract USING (venue, symbol)
WHERE (day + 1) * 86400000 <= getvariable('market_until');

-- What each bucket of a product's contract holds (M8.2): states are the last observation, flows the sum. Nothing is
-- carried over.
CREATE OR REPLACE TEMP TABLE fresh_bucket AS
WITH lengths (bucket_length, minutes, ms) AS (VALUES ('15m', 15, 900000), ('1h', 60, 3600000), ('1d', 1440, 86400000)),
-- of two inputs that speak of one instant the last by name counts
inputs AS (SELECT input_name AS input, row_number() OVER (ORDER BY input_name) AS rank FROM internal.market_input),
-- one join after the other: what this transaction wrote has no statistics that would order them
said_of_due AS MATERIALIZED (
  FROM internal.market_observation o
  SEMI JOIN due d ON d.venue = o.venue AND d.symbol = o.symbol AND d.day = o.observed_ms // 86400000
),
seen AS MATERIALIZED (
  SELECT *, observed_ms * 1048576 + rank AS seen_at FROM said_of_due JOIN inputs USING (input)
),
first_due AS (SELECT venue, symbol, min(day) * 86400000 AS from_ms FROM due GROUP BY ALL),
-- from the third payment before the first day on; mostly it is of the week before
since AS (
  SELECT venue, symbol, CASE WHEN count(DISTINCT observed_ms) >= 3 THEN from_ms - 604800000 ELSE 0 END AS since_ms
  FROM first_due JOIN internal.market_observation USING (venue, symbol)
  WHERE funding_rate IS NOT NULL AND observed_ms BETWEEN from_ms - 604800000 AND from_ms - 1
  GROUP BY venue, symbol, from_ms
),
payment AS MATERIALIZED (
  SELECT venue, symbol, observed_ms, input, funding_rate, funding_interval_hours
  FROM internal.market_observation SEMI JOIN first_due USING (venue, symbol) LEFT JOIN since USING (venue, symbol)
  WHERE funding_rate IS NOT NULL AND observed_ms >= coalesce(since_ms, 0)
),
paid AS (
  SELECT venue, symbol, observed_ms, max_by(funding_rate, rank) AS rate, max_by(funding_interval_hours, rank) AS stated
  FROM payment JOIN inputs USING (input) GROUP BY ALL
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
    seen_at + CASE WHEN kind = 'candle' THEN (interval_minutes * 60000 - 1) * 1048576::BIGINT ELSE 0 END AS known_at
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
    bool_or(open_interest <= 0) AS bad_open_interest,
    -- a quarter of an hour, in the unit of known_at
    abs(max(known_at) FILTER (mark > 0) - max(known_at) FILTER (index_price > 0)) > 900000 * 1048576::BIGINT AS is_apart,
    abs(max(known_at) FILTER (mark > 0) - max(known_at) FILTER (open_interest > 0)) > 900000 * 1048576::BIGINT
      AS is_interest_apart
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
    CASE WHEN is_apart THEN 'mark_index_apart' END,
    CASE WHEN is_interest_apart THEN 'open_interest_apart' END,
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
WHERE mark IS NOT NULL OR last IS NOT NULL;

-- and the buckets of contracts that no product has any more
CREATE OR REPLACE TEMP TABLE held_bucket AS
SELECT b.* FROM internal.market_bucket b
JOIN due d ON d.venue = b.venue AND d.symbol = b.symbol AND d.day = b.bucket_ms // 86400000
UNION ALL
FROM internal.market_bucket SEMI JOIN (FROM internal.market_made EXCEPT FROM internal.market_contract) USING (venue, symbol);

CREATE OR REPLACE TEMP TABLE differing AS
SELECT DISTINCT venue, symbol, bucket_length, bucket_ms
FROM (
  (FROM fresh_bucket EXCEPT FROM held_bucket) UNION ALL (FROM held_bucket EXCEPT FROM fresh_bucket)
);

CREATE OR REPLACE TEMP TABLE changed_bucket AS
SELECT venue, symbol, bucket_length, min(bucket_ms) AS from_ms FROM differing GROUP BY ALL;

DELETE FROM internal.market_bucket b USING differing d
WHERE b.venue = d.venue AND b.symbol = d.symbol AND b.bucket_length = d.bucket_length AND b.bucket_ms = d.bucket_ms;

INSERT INTO internal.market_bucket BY NAME
SELECT f.* FROM fresh_bucket f SEMI JOIN differing USING (venue, symbol, bucket_length, bucket_ms);

DELETE FROM internal.market_due d USING due
WHERE due.venue = d.venue AND due.symbol = d.symbol AND due.day = d.day;
DELETE FROM internal.market_due
WHERE (venue, symbol) IN (SELECT (venue, symbol) FROM (FROM internal.market_made EXCEPT FROM internal.market_contract));
DELETE FROM internal.market_made;
INSERT INTO internal.market_made FROM internal.market_contract;

DROP TABLE changed_input;
DROP TABLE fresh_day;
DROP TABLE held_day;
DROP TABLE moved_day;
DROP TABLE due;
DROP TABLE fresh_bucket;
DROP TABLE held_bucket;
DROP TABLE differing;

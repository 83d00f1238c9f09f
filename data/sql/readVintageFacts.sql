-- The rows of temporary table vintage_fact for the vintages left in in_force. Strings stay dictionary codes and dates
-- day numbers. The order depends neither on the codes nor on the order of storage, so that two values that one filing
-- gives for one fact are met alike in every night.
WITH ranked AS (
  SELECT series_id, row_number() OVER (ORDER BY taxonomy, concept, unit) AS rank FROM fact_series
)
SELECT f.vintage, f.own, f.series_id, f.value, x.value_exact,
  if(f.start_date = DATE '-infinity', NULL, date_diff('day', DATE '1970-01-01', f.start_date))::INTEGER AS start_day,
  date_diff('day', DATE '1970-01-01', f.end_date)::INTEGER AS end_day,
  date_diff('day', DATE '1970-01-01', f.filed)::INTEGER AS filed_day,
  f.form_id,
  if(f.own, NULL, coalesce(x.accession, accession_text(f.code))) AS accession
FROM vintage_fact f
SEMI JOIN in_force USING (vintage)
JOIN ranked USING (series_id)
JOIN fact_form m USING (form_id)
LEFT JOIN fact_exact x ON x.code = f.code
ORDER BY f.vintage, ranked.rank, f.end_date, f.start_date, f.filed,
  coalesce(try_cast(replace(x.accession, '-', '') AS BIGINT), f.code), x.accession,
  m.form, f.value, x.value_exact;

-- One hash for each vintage of in_force over everything the warehouse holds of it: its facts by value, in an order of
-- their own, and the fingerprints of its files and those of earlier filings. Null where files were read that no input names: nothing vouches for them.
WITH line AS (
  SELECT f.vintage, concat_ws(chr(31), f.own, s.taxonomy, s.concept, s.unit, coalesce(x.value_exact, f.value::VARCHAR),
    f.start_date, f.end_date, f.filed, m.form, coalesce(x.accession, f.code::VARCHAR)) AS text
  FROM vintage_fact f
  JOIN fact_series s USING (series_id)
  JOIN fact_form m USING (form_id)
  LEFT JOIN fact_exact x ON x.code = f.code
),
facts AS (
  SELECT vintage, sha256(string_agg(text, chr(10) ORDER BY text)) AS hash FROM line GROUP BY vintage
),
files AS (
  SELECT i.vintage, bool_and(f.name IS NOT NULL) AS named, string_agg(f.fingerprint, ' ' ORDER BY f.name) AS hash
  FROM in_force i
  JOIN xbrl_filing x USING (cik, accession)
  LEFT JOIN input_file f ON f.name = x.input
  GROUP BY i.vintage
),
-- the files of earlier filings, whose terms may stand for those it does not state (M18.90)
earlier AS (
  SELECT e.vintage, bool_and(f.name IS NOT NULL) AS named,
    string_agg(e.accession || ' ' || f.fingerprint, ' ' ORDER BY e.place, f.name) AS hash
  FROM earlier_filing e
  JOIN xbrl_filing x USING (cik, accession)
  LEFT JOIN input_file f ON f.name = x.input
  GROUP BY e.vintage
)
SELECT i.vintage,
  if(coalesce(x.named, true) AND coalesce(e.named, true),
    concat_ws(' ', coalesce(f.hash, 'no facts'), coalesce(x.hash, 'no files'), e.hash), NULL) AS hash
FROM in_force i
LEFT JOIN facts f USING (vintage)
LEFT JOIN files x USING (vintage)
LEFT JOIN earlier e USING (vintage);

-- What is known on day $day of the registrants in temporary table changed_cik(cik): names and labels, and what the
-- concepts of their facts say (METHODOLOGY M6.9, M6.10). Facts filed later are not seen (M10.2).
WITH word AS (
  SELECT series_id, concept,
    regexp_matches(concept, 'CryptoAsset|Bitcoin|Ethereum|DigitalAsset|DigitalCurrenc') AS crypto,
    regexp_matches(concept, 'PlatformOperatorCryptoAsset') AS safeguarding,
    regexp_matches(concept, '(Crypto|Bitcoin|Digital)\w*Mining|Mining\w*(Crypto|Bitcoin|Digital)') AS mining,
    regexp_matches(concept, '^(Revenues|RevenueFromContractWithCustomer\w*|OperatingExpenses|CostsAndExpenses|SellingGeneralAndAdministrativeExpense)$')
      AS operations,
    regexp_matches(concept, '(Shares|Units)(Created|Redeemed)|CreationUnit|CreationBasket') AS creation_units,
    concept IN ('CryptoAssetFairValue', 'CryptoAssetFairValueCurrent', 'CryptoAssetFairValueNoncurrent') AND unit = 'USD'
      AS coin_value,
    taxonomy IN ('us-gaap', 'ifrs-full') AND concept = 'Assets' AS assets
  FROM fact_series
),
spoken AS (
  SELECT f.cik, w.*, f.start_date, f.end_date, f.filed, f.value
  FROM fact f JOIN word w USING (series_id)
  WHERE f.cik IN (SELECT cik::INTEGER FROM changed_cik) AND f.filed <= $day::DATE
    AND (crypto OR safeguarding OR mining OR operations OR creation_units OR assets)
),
flags AS (
  SELECT cik, bool_or(crypto) AS crypto, bool_or(safeguarding) AS safeguarding, bool_or(mining) AS mining,
    bool_or(operations) AS operations, bool_or(creation_units) AS creation_units,
    max(end_date) FILTER (assets) AS balance_date
  FROM spoken GROUP BY cik
),
-- extension concepts and members are in no archive: the filings at hand have them
extended AS (
  SELECT cik, bool_or(regexp_matches(concept, '(Miner|Mining)(s|Member|Equipment|Hardware|\w*Revenue)')
      OR list_bool_or(list_transform(dimensions, lambda d: regexp_matches(d.member, 'Miners?Member')))) AS mining,
    bool_or(regexp_matches(concept, 'CryptoAsset|Bitcoin|DigitalAsset')) AS crypto
  FROM instance_fact SEMI JOIN changed_cik USING (cik)
  SEMI JOIN (SELECT cik, accession FROM periodic_filing WHERE filed <= $day::DATE) USING (cik, accession)
  GROUP BY cik
),
latest AS (
  SELECT s.cik, s.concept, arg_max(s.value, (s.filed, s.value)) AS value
  FROM spoken s JOIN flags f ON f.cik = s.cik AND f.balance_date = s.end_date
  WHERE s.assets OR s.coin_value GROUP BY s.cik, s.concept
),
share AS (
  SELECT cik,
    coalesce(max(value) FILTER (concept = 'CryptoAssetFairValue'),
      sum(value) FILTER (concept <> 'Assets' AND concept <> 'CryptoAssetFairValue'))
      / nullif(max(value) FILTER (concept = 'Assets'), 0) AS crypto_share
  FROM latest GROUP BY cik
),
labels AS (
  SELECT cik, first(ticker ORDER BY rowid) AS ticker, first(exchange ORDER BY rowid) AS exchange,
    first(name ORDER BY rowid) AS name
  FROM listed_ticker GROUP BY cik
),
entity AS (
  SELECT cik, min(name) AS name, min(sic) AS sic, min(owner_org) AS owner_org
  FROM submission_entity GROUP BY cik
)
SELECT c.cik, coalesce(n.name, l.name, e.entity_name) AS name, l.ticker, l.exchange, n.sic, n.owner_org,
  n.cik IS NOT NULL AS in_submissions, s.crypto_share,
  coalesce(f.crypto, false) OR coalesce(x.crypto, false) AS crypto, coalesce(f.safeguarding, false) AS safeguarding,
  coalesce(f.mining, false) OR coalesce(x.mining, false) AS mining, coalesce(f.operations, false) AS operations,
  coalesce(f.creation_units, false) AS creation_units
FROM changed_cik c
LEFT JOIN labels l USING (cik)
LEFT JOIN entity n USING (cik)
LEFT JOIN (SELECT cik, min(entity_name) AS entity_name FROM fact_entity GROUP BY cik) e USING (cik)
LEFT JOIN flags f ON f.cik = c.cik::INTEGER
LEFT JOIN extended x ON x.cik = c.cik
LEFT JOIN share s ON s.cik = c.cik::INTEGER
ORDER BY c.cik;

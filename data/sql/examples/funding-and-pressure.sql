-- What do perpetual contracts say of the coins: funding, basis, open interest, pressure?
-- The newest day of each product that has any; pressure is none where evidence is missing, which flags name.
SELECT product, bucket_utc::DATE AS day, funding_annualized AS funding_a_year, basis_bps, oi_change_24h, momentum_30d,
  pressure, flags
FROM market_factors
WHERE bucket_length = '1d' AND available
QUALIFY row_number() OVER (PARTITION BY product ORDER BY bucket_utc DESC) = 1
ORDER BY product;

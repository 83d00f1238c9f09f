-- Daily closes for analysts; every column has a comment.

-- rank of a source in price_source_order (M2.13); sources outside it follow by name
CREATE OR REPLACE MACRO internal.source_rank(source) AS
  coalesce(list_position(['cryptocompare', 'coingecko', 'yahoo'], source), 4);

CREATE OR REPLACE VIEW prices AS
SELECT date, asset,
  arg_min(close, (internal.source_rank(source), source)) AS close,
  arg_min(source, (internal.source_rank(source), source)) AS source,
  count(*) AS source_count
FROM internal.price_close ANTI JOIN internal.close_refused USING (asset, date, source)
GROUP BY date, asset
ORDER BY asset, date;

COMMENT ON VIEW prices IS 'One close per asset and UTC day, from the first source of the price order that has it (METHODOLOGY M2.13); closes in close_refused are left out. Key: date, asset';
COMMENT ON COLUMN prices.date IS 'UTC day whose end the close is taken at';
COMMENT ON COLUMN prices.asset IS 'Symbol of the coin';
COMMENT ON COLUMN prices.close IS 'Price in USD';
COMMENT ON COLUMN prices.source IS 'Name of the source chosen';
COMMENT ON COLUMN prices.source_count IS 'Number of sources that have a close for that day';

COMMENT ON TABLE internal.close_refused IS 'Closes that are not plausible, with the reason; no figure uses them (METHODOLOGY M2.13b)';

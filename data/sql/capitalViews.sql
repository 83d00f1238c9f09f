-- Who is paid first, what is due when, what a share holds: the capital structure of issuers, for analysts (METHODOLOGY 18). Every
-- view has a row for each night and method version; SEMI JOIN latest keeps the newest. Every column has a comment, or that of
-- the column of its name in view stress or facility_history. Run in every build, after analystViews.sql.

-- whose row it is and which filing was in force: around the columns of each table here
CREATE OR REPLACE MACRO internal.row_filing() AS TABLE
SELECT source_date, method_version, cik, ticker, entity_name, period, accession_number AS accession,
  internal.filing_url(cik, accession_number) AS filing_url
FROM internal.stress_row;

CREATE OR REPLACE VIEW instruments AS
SELECT f.* EXCLUDE (accession, filing_url), r.* EXCLUDE (source_date, method_version, cik) REPLACE (
    r.statuses::JSON AS statuses),
  r.statuses::JSON->>'principal' AS principal_status,
  r.statuses::JSON->>'maturity_date' AS maturity_status,
  f.accession, f.filing_url
FROM internal.row_filing() f JOIN internal.instrument_row r USING (source_date, method_version, cik)
ORDER BY r.source_date, f.ticker, r.state <> 'outstanding', r.principal DESC NULLS LAST, r.instrument_id;

COMMENT ON VIEW instruments IS 'Notes, loans and lines of the filing in force on every night (METHODOLOGY 18): what is owed, by what terms. A figure that is null is not filed as a fact, which is not zero. Key: source_date, method_version, cik, instrument_id, state';
COMMENT ON COLUMN instruments.instrument_id IS 'Members joined with +, or line:<concept> for a line of the balance sheet that no member explains';
COMMENT ON COLUMN instruments.name IS 'Name in the filer''s words';
COMMENT ON COLUMN instruments.kind IS 'convertible_note, note, term_loan, credit_line, mortgage or other';
COMMENT ON COLUMN instruments.state IS 'outstanding, not_outstanding, unconfirmed, dated_only, aggregate or subsequent; only the first enters sums';
COMMENT ON COLUMN instruments.as_of IS 'Day of its amounts';
COMMENT ON COLUMN instruments.rank IS 'secured_by_coins, secured_by_other_assets, unsecured or subordinated';
COMMENT ON COLUMN instruments.rank_basis IS 'What says so; assumed where nothing does';
COMMENT ON COLUMN instruments.secured_by IS 'coins, other_assets or unknown; null for unsecured ones';
COMMENT ON COLUMN instruments.currency IS 'Currency of its amounts';
COMMENT ON COLUMN instruments.principal IS 'What is owed at the balance-sheet date';
COMMENT ON COLUMN instruments.principal_basis IS 'Which filed amount it is';
COMMENT ON COLUMN instruments.carrying_amount IS 'Amount in the balance sheet';
COMMENT ON COLUMN instruments.unamortized_cost IS 'Discount and cost of issue still to be spread; a premium is negative';
COMMENT ON COLUMN instruments.coupon_rate IS 'Interest a year; 0.0075 is 0.75 %';
COMMENT ON COLUMN instruments.coupon_kind IS 'fixed, variable (the spread) or period_rate';
COMMENT ON COLUMN instruments.effective_rate IS 'Effective rate of interest a year';
COMMENT ON COLUMN instruments.issue_date IS 'Day of issue';
COMMENT ON COLUMN instruments.maturity_date IS 'Day it is due by its terms, never read from a name';
COMMENT ON COLUMN instruments.maturity_basis IS 'How the day was filed: filed_date, filed_month, filed_term or filed_description';
COMMENT ON COLUMN instruments.springing_maturity_date IS 'Earlier day it becomes due under a condition';
COMMENT ON COLUMN instruments.put_date IS 'Day the holder may ask for repayment';
COMMENT ON COLUMN instruments.call_date IS 'Day from which the issuer may redeem';
COMMENT ON COLUMN instruments.conversion_price IS 'Price a share at conversion';
COMMENT ON COLUMN instruments.conversion_shares IS 'Shares it converts into';
COMMENT ON COLUMN instruments.fair_value IS 'Fair value of the debt';
COMMENT ON COLUMN instruments.pledged_units IS 'Coins that secure it';
COMMENT ON COLUMN instruments.pledged_value IS 'Their value';
COMMENT ON COLUMN instruments.facility_id IS 'The same loan in view facilities; null where it is none';
COMMENT ON COLUMN instruments.terms_accession IS 'Earlier filing its terms come from; null where they are of the filing in force';
COMMENT ON COLUMN instruments.statuses IS 'Of each figure how well it is proven: proven, supported, stated (by one tag), partial, unproven; of one that is null why, such as not_filed, which is not zero';
COMMENT ON COLUMN instruments.notes IS 'What limits the row, one code a note';
COMMENT ON COLUMN instruments.principal_status IS 'How well principal is proven: proven, supported, stated (by one tag), partial, unproven; of a null why';
COMMENT ON COLUMN instruments.maturity_status IS 'The same of maturity_date';

CREATE OR REPLACE VIEW maturities AS
SELECT f.* EXCLUDE (accession, filing_url), r.* EXCLUDE (source_date, method_version, cik),
  f.accession, f.filing_url
FROM internal.row_filing() f JOIN internal.maturity_row r USING (source_date, method_version, cik)
ORDER BY r.source_date, f.ticker, r.due_from, r.mark;

COMMENT ON VIEW maturities IS 'What is due when, on every night: filed buckets of principal, and instruments at their dates; puts and springing dates are second marks and are never added. Key: source_date, method_version, cik, mark, bucket, due_from, instrument_id';
COMMENT ON COLUMN maturities.mark IS 'bucket, maturity, put or springing';
COMMENT ON COLUMN maturities.bucket IS 'remainder, year_1 to year_5, after, or a fiscal year; null for a date';
COMMENT ON COLUMN maturities.due_from IS 'First day of the interval, or the day itself';
COMMENT ON COLUMN maturities.due_to IS 'Last day of the interval, or the day itself; null for all later days';
COMMENT ON COLUMN maturities.amount IS 'What is due';
COMMENT ON COLUMN maturities.instrument_id IS 'The instrument it is of; null for the whole issuer';
COMMENT ON COLUMN maturities.is_on_wall IS 'Whether it is a bar of the maturity wall: proven or supported buckets, else instruments at their dates';
COMMENT ON COLUMN maturities.status IS 'Of the buckets: proven, supported, partial, unproven, or includes_interest (payments, not principal); of dates null';
COMMENT ON COLUMN maturities.basis IS 'Whether buckets are fiscal_years or rolling_years';
COMMENT ON COLUMN maturities.total IS 'Sum of the buckets as filed';
COMMENT ON COLUMN maturities.coverage_of_debt IS 'Part of the debt that the wall holds';
COMMENT ON COLUMN maturities.notes IS 'What limits the row, one code a note';

CREATE OR REPLACE VIEW preferred AS
SELECT f.* EXCLUDE (accession, filing_url), r.* EXCLUDE (source_date, method_version, cik) REPLACE (
    r.statuses::JSON AS statuses),
  r.statuses::JSON->>'claim' AS claim_status,
  f.accession, f.filing_url
FROM internal.row_filing() f JOIN internal.preferred_row r USING (source_date, method_version, cik)
ORDER BY r.source_date, f.ticker;

COMMENT ON VIEW preferred IS 'Classes of preferred stock and redeemable common of every night, between debt and common: who stands before common. Key: source_date, method_version, cik, class';
COMMENT ON COLUMN preferred.class IS 'Class as filed';
COMMENT ON COLUMN preferred.name IS 'Name in the filer''s words';
COMMENT ON COLUMN preferred.kind IS 'preferred or redeemable_common';
COMMENT ON COLUMN preferred.shares IS 'Shares outstanding';
COMMENT ON COLUMN preferred.carrying_amount IS 'Amount in the balance sheet';
COMMENT ON COLUMN preferred.claim IS 'What the class may claim; null for stock of votes alone (par_only)';
COMMENT ON COLUMN preferred.claim_basis IS 'Which filed amount the claim is';
COMMENT ON COLUMN preferred.dividend_rate IS 'Dividend a year on the claim';
COMMENT ON COLUMN preferred.annual_dividend IS 'Dividends of a year at that rate';
COMMENT ON COLUMN preferred.dividends_declared IS 'Dividends declared in the year to date';
COMMENT ON COLUMN preferred.dividends_declared_months IS 'Months of that period';
COMMENT ON COLUMN preferred.arrears IS 'Dividends in arrears';
COMMENT ON COLUMN preferred.statuses IS 'Of each figure how well it is proven: proven, supported, stated (by one tag), partial, unproven; of one that is null why, such as not_filed, which is not zero';
COMMENT ON COLUMN preferred.notes IS 'What limits the row, one code a note';
COMMENT ON COLUMN preferred.claim_status IS 'How well claim is proven; of a null why';

CREATE OR REPLACE VIEW shares AS
SELECT f.* EXCLUDE (accession, filing_url), r.* EXCLUDE (source_date, method_version, cik) REPLACE (
    r.classes::JSON AS classes, r.statuses::JSON AS statuses),
  r.statuses::JSON->>'fully_diluted' AS fully_diluted_status,
  f.accession, f.filing_url
FROM internal.row_filing() f JOIN internal.share_row r USING (source_date, method_version, cik)
ORDER BY r.source_date, f.ticker;

COMMENT ON VIEW shares IS 'What a share is, on every night: counts of common at the period end and on the cover, and all that can become a share. Key: source_date, method_version, cik';
COMMENT ON COLUMN shares.outstanding IS 'Common shares outstanding at as_of';
COMMENT ON COLUMN shares.as_of IS 'Day of the counts';
COMMENT ON COLUMN shares.cover IS 'Shares on the cover page';
COMMENT ON COLUMN shares.cover_date IS 'Day of that count';
COMMENT ON COLUMN shares.prefunded IS 'Warrants that cost a cent or less to exercise';
COMMENT ON COLUMN shares.options IS 'Options outstanding';
COMMENT ON COLUMN shares.option_price IS 'Mean exercise price of the options';
COMMENT ON COLUMN shares.restricted_units IS 'Stock units not yet vested';
COMMENT ON COLUMN shares.warrants IS 'Shares of all warrants that are not prefunded; null where a class has none filed';
COMMENT ON COLUMN shares.convertible_shares IS 'Shares of all converts outstanding';
COMMENT ON COLUMN shares.basic_plus_prefunded IS 'Outstanding with prefunded warrants';
COMMENT ON COLUMN shares.fully_diluted IS 'Everything exercised and converted; null with a missing part';
COMMENT ON COLUMN shares.classes IS 'Classes of common, warrants and splits, as in the answer of the report';
COMMENT ON COLUMN shares.statuses IS 'Of each figure how well it is proven: proven, supported, stated (by one tag), partial, unproven; of one that is null why, such as not_filed, which is not zero';
COMMENT ON COLUMN shares.notes IS 'What limits the row, one code a note';
COMMENT ON COLUMN shares.fully_diluted_status IS 'How well fully_diluted is proven; of a null why';

CREATE OR REPLACE VIEW claims AS
SELECT f.* EXCLUDE (accession, filing_url), r.* EXCLUDE (source_date, method_version, cik),
  f.accession, f.filing_url
FROM internal.row_filing() f JOIN internal.claim_row r USING (source_date, method_version, cik)
ORDER BY r.source_date, f.ticker, r.lens, r.shock, r.rank NULLS LAST, r.class;

COMMENT ON VIEW claims IS 'Who is paid what if coins fall, on every night: book values, no costs, no order by court. Key: source_date, method_version, cik, lens, shock, class';
COMMENT ON COLUMN claims.lens IS 'coins_only: coins pay alone; all_assets: book assets pay too';
COMMENT ON COLUMN claims.shock IS 'Fall of the coins; 0.5 is 50 %';
COMMENT ON COLUMN claims.pool IS 'What there is to pay from';
COMMENT ON COLUMN claims.class IS 'Class of claimants';
COMMENT ON COLUMN claims.rank IS '1 is paid first; null outside the pool';
COMMENT ON COLUMN claims.claim IS 'What the class is owed';
COMMENT ON COLUMN claims.paid IS 'What it gets';
COMMENT ON COLUMN claims.recovery IS 'paid over claim, 0 to 1';
COMMENT ON COLUMN claims.common_residual IS 'What is left for common shares';
COMMENT ON COLUMN claims.common_per_share IS 'The same a share outstanding';
COMMENT ON COLUMN claims.is_lower_bound IS 'True where coins are known at cost less impairment alone';
COMMENT ON COLUMN claims.notes IS 'What limits the row, one code a note';

CREATE OR REPLACE VIEW nav AS
SELECT f.* EXCLUDE (accession, filing_url), r.* EXCLUDE (source_date, method_version, cik) REPLACE (
    r.statuses::JSON AS statuses),
  f.accession, f.filing_url
FROM internal.row_filing() f JOIN internal.nav_row r USING (source_date, method_version, cik)
ORDER BY r.source_date, f.ticker;

COMMENT ON VIEW nav IS 'What a share holds, on every night, one row a basis and coin: coins a share, net asset value, multiples with the day of their close. Key: source_date, method_version, cik, basis, asset';
COMMENT ON COLUMN nav.basis IS 'filed: coins at period; live: at the closes of source_date';
COMMENT ON COLUMN nav.asset IS 'Ticker of the coin; null where no coin is counted';
COMMENT ON COLUMN nav.units IS 'Coins held';
COMMENT ON COLUMN nav.coins_per_share IS 'Coins a share outstanding';
COMMENT ON COLUMN nav.coins_per_share_prefunded IS 'The same with prefunded warrants exercised';
COMMENT ON COLUMN nav.coins_per_share_diluted IS 'The same fully diluted';
COMMENT ON COLUMN nav.gross IS 'Value of all coins';
COMMENT ON COLUMN nav.net_of_debt IS 'Coins and cash less debt';
COMMENT ON COLUMN nav.net_of_claims IS 'The same less preferred claims';
COMMENT ON COLUMN nav.per_share IS 'net_of_claims a share outstanding';
COMMENT ON COLUMN nav.close_date IS 'Day of the close behind the multiples; null without one';
COMMENT ON COLUMN nav.count_date IS 'Day of the share count';
COMMENT ON COLUMN nav.mnav_gross IS 'Market value over coins';
COMMENT ON COLUMN nav.mnav_enterprise IS 'Market value, debt and preferred less cash over coins';
COMMENT ON COLUMN nav.mnav_net IS 'Market value over coins and cash less debt and preferred claims';
COMMENT ON COLUMN nav.mnav_diluted IS 'The same with shares by the treasury-stock method';
COMMENT ON COLUMN nav.digital_asset_share IS 'Coins over total assets; an index proposal asks whether it is above 0.5, no rule in force';
COMMENT ON COLUMN nav.is_above_index_threshold IS 'Whether it is above 0.5; null when unknown';
COMMENT ON COLUMN nav.statuses IS 'Of each figure how well it is proven: proven, supported, stated (by one tag), partial, unproven; of one that is null why, such as not_filed, which is not zero';
COMMENT ON COLUMN nav.notes IS 'What limits the row, one code a note';

CREATE OR REPLACE VIEW runway AS
SELECT f.* EXCLUDE (accession, filing_url), r.* EXCLUDE (source_date, method_version, cik) REPLACE (
    r.statuses::JSON AS statuses),
  r.statuses::JSON->>'months_of_cash' AS months_of_cash_status,
  f.accession, f.filing_url
FROM internal.row_filing() f JOIN internal.runway_row r USING (source_date, method_version, cik)
ORDER BY r.source_date, f.ticker;

COMMENT ON VIEW runway IS 'How long the cash lasts, counted from every night: no refinancing and no sale of equity is assumed; not a forecast. Key: source_date, method_version, cik';
COMMENT ON COLUMN runway.as_of IS 'Day from which months, dues and shortfall count';
COMMENT ON COLUMN runway.period_end IS 'Day of the cash';
COMMENT ON COLUMN runway.cash IS 'Cash and equivalents';
COMMENT ON COLUMN runway.restricted_cash IS 'Restricted cash beside it';
COMMENT ON COLUMN runway.monthly_operating_cash IS 'Operating cash flow a month; negative burns';
COMMENT ON COLUMN runway.monthly_operating_cash_without_coins IS 'The same without purchases and sales of coins in it';
COMMENT ON COLUMN runway.coin_sale_proceeds IS 'Proceeds of coins sold, in investing';
COMMENT ON COLUMN runway.annual_interest IS 'Interest of a year, where principal and coupon are known';
COMMENT ON COLUMN runway.interest_paid IS 'Interest paid; part of operating cash, never added';
COMMENT ON COLUMN runway.annual_preferred_dividends IS 'Preferred dividends of a year';
COMMENT ON COLUMN runway.due_12m IS 'Debt due within twelve months of as_of';
COMMENT ON COLUMN runway.due_24m IS 'Debt due within twenty-four months';
COMMENT ON COLUMN runway.due_24m_if_put IS 'The same if holders use puts and springing dates arrive';
COMMENT ON COLUMN runway.months_of_cash IS 'Months the cash lasts; null where operations bring cash in (cash_flow_positive)';
COMMENT ON COLUMN runway.months_after_dividends IS 'The same with preferred dividends paid';
COMMENT ON COLUMN runway.first_shortfall_month IS 'First month the cash does not cover; none_in_60 where there is none';
COMMENT ON COLUMN runway.shortfall_12m IS 'Cash less what twelve months ask for; negative is to be financed';
COMMENT ON COLUMN runway.free_coin_value IS 'Value of coins that nothing encumbers';
COMMENT ON COLUMN runway.share_of_free_coins IS 'Part of them that the shortfall of twelve months would take';
COMMENT ON COLUMN runway.statuses IS 'Of each figure how well it is proven: proven, supported, stated (by one tag), partial, unproven; of one that is null why, such as not_filed, which is not zero';
COMMENT ON COLUMN runway.notes IS 'What limits the row, one code a note';
COMMENT ON COLUMN runway.months_of_cash_status IS 'How well months_of_cash is proven; of a null why';

CREATE OR REPLACE VIEW coin_flows AS
SELECT f.* EXCLUDE (accession, filing_url), r.* EXCLUDE (source_date, method_version, cik) REPLACE (
    r.statuses::JSON AS statuses),
  f.accession, f.filing_url
FROM internal.row_filing() f JOIN internal.coin_flow_row r USING (source_date, method_version, cik)
ORDER BY r.source_date, f.ticker;

COMMENT ON VIEW coin_flows IS 'Where coins come from and go, on every night: from one filed stock to the next by coin and measure, with cost and freedom of the coins; a coin without a filed flow has its stock alone. Key: source_date, method_version, cik, asset, measure, flow_start, flow_end';
COMMENT ON COLUMN coin_flows.asset IS 'Ticker of the coin; * where the filing names none';
COMMENT ON COLUMN coin_flows.measure IS 'units or value; null without a flow';
COMMENT ON COLUMN coin_flows.flow_start IS 'First day of the flow';
COMMENT ON COLUMN coin_flows.flow_end IS 'Last day of the flow';
COMMENT ON COLUMN coin_flows.opening IS 'Stock before the first day';
COMMENT ON COLUMN coin_flows.bought IS 'Bought, with its sign in the sum';
COMMENT ON COLUMN coin_flows.mined IS 'Mined, with its sign in the sum';
COMMENT ON COLUMN coin_flows.received IS 'Received, with its sign in the sum';
COMMENT ON COLUMN coin_flows.sold IS 'Sold, with its sign in the sum';
COMMENT ON COLUMN coin_flows.paid IS 'Paid away, with its sign in the sum';
COMMENT ON COLUMN coin_flows.transferred IS 'Transferred, with its sign in the sum';
COMMENT ON COLUMN coin_flows.gain IS 'Gain or loss, with its sign in the sum';
COMMENT ON COLUMN coin_flows.other IS 'Other flows, with its sign in the sum';
COMMENT ON COLUMN coin_flows.closing IS 'Stock on the last day';
COMMENT ON COLUMN coin_flows.residual IS 'closing less opening and flows';
COMMENT ON COLUMN coin_flows.status IS 'proven where the residual is zero, else unproven; null without a flow';
COMMENT ON COLUMN coin_flows.units IS 'Coins held at period';
COMMENT ON COLUMN coin_flows.cost_basis IS 'What the coins cost';
COMMENT ON COLUMN coin_flows.unrealised_gain IS 'Fair value less cost';
COMMENT ON COLUMN coin_flows.average_cost IS 'Cost a coin';
COMMENT ON COLUMN coin_flows.pledged IS 'Coins pledged as collateral';
COMMENT ON COLUMN coin_flows.restricted IS 'Coins restricted or locked otherwise';
COMMENT ON COLUMN coin_flows.staked IS 'Coins staked; not encumbered by it';
COMMENT ON COLUMN coin_flows.free IS 'Held less pledged and restricted';
COMMENT ON COLUMN coin_flows.statuses IS 'Of each figure how well it is proven: proven, supported, stated (by one tag), partial, unproven; of one that is null why, such as not_filed, which is not zero';
COMMENT ON COLUMN coin_flows.notes IS 'What limits the row, one code a note';

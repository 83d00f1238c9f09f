-- The rights of the service role (PAYMENTS P8.19, S11), given by the role that owns the tables: it reads everything,
-- adds and moves rows, deletes only what may be forgotten (P8.62), and has no TRUNCATE and no DDL. The transition table
-- and the schema version are read-only, the journals are append-only. `ledger.service_role` names the role; repeating
-- this changes nothing.
DO $$
DECLARE
  service text := current_setting('ledger.service_role');
  place text := current_schema();
BEGIN
  EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA %I FROM %I', place, service);
  EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA %I FROM PUBLIC', place);
  -- a table of one's own, in the schema or a temporary one, could stand in for the transition table
  EXECUTE format('REVOKE CREATE ON SCHEMA %I FROM PUBLIC, %I', place, service);
  EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC, %I', current_database(), service);
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', place, service);
  EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA %I TO %I', place, service);
  -- what pg_dump reads, so that the service can back its books up
  EXECUTE format('GRANT SELECT ON ALL SEQUENCES IN SCHEMA %I TO %I', place, service);
  EXECUTE format('GRANT INSERT ON receipt_events, grant_events TO %I', service);
  EXECUTE format('GRANT INSERT, UPDATE ON receipts, payments, payment_aliases, grants, grant_sessions, grant_debits, settlement_jobs,
    signer_leases, api_keys, checkout_sessions, payer_watchlist TO %I', service);
  EXECUTE format('GRANT INSERT, UPDATE, DELETE ON challenges, idempotency_keys, webhook_events TO %I', service);
END $$;

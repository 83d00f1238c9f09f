-- What joined the tables of ledger.sql while their schema is version 1; sqlite/additions.sql says why. A new ledger
-- gets it at once, an older one when a role that owns its tables opens it next.

ALTER TABLE api_keys ADD COLUMN revoked_by text;
INSERT INTO ledger_meta VALUES ('additions', '1');

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '%', TG_ARGV[0]; END $$;

CREATE TRIGGER api_keys_no_delete BEFORE DELETE ON api_keys FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER api_keys_identity BEFORE UPDATE OF key_id, salt, secret_hash, label, scopes, created_ms, created_by, expires_ms
  ON api_keys FOR EACH ROW EXECUTE FUNCTION refuse_change('immutable_key');
CREATE TRIGGER api_keys_revocation BEFORE UPDATE OF revoked_ms, revoked_by ON api_keys FOR EACH ROW
  WHEN (OLD.revoked_ms IS NOT NULL OR NEW.revoked_ms IS NULL OR NEW.revoked_by IS NULL) EXECUTE FUNCTION refuse_change('immutable_key');

CREATE TRIGGER grant_events_fixed BEFORE UPDATE OR DELETE ON grant_events FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER receipt_transitions_fixed BEFORE INSERT OR UPDATE OR DELETE ON receipt_transitions FOR EACH ROW EXECUTE FUNCTION append_only();

CREATE TRIGGER receipts_origin BEFORE UPDATE OF request_id, route_id, route_uri, tool, source_date ON receipts
  FOR EACH ROW EXECUTE FUNCTION refuse_change('immutable_receipt');
CREATE TRIGGER receipts_refund BEFORE UPDATE OF refunded_micro, refund_reference ON receipts FOR EACH ROW
  WHEN (OLD.charge_status = 'refunded' AND (NEW.refunded_micro, NEW.refund_reference) IS DISTINCT FROM (OLD.refunded_micro, OLD.refund_reference))
  EXECUTE FUNCTION refuse_change('immutable_receipt');
CREATE TRIGGER receipts_transfer_kept BEFORE UPDATE OF gateway_transfer_id ON receipts FOR EACH ROW
  WHEN (OLD.gateway_transfer_id IS NOT NULL AND NEW.gateway_transfer_id IS DISTINCT FROM OLD.gateway_transfer_id)
  EXECUTE FUNCTION refuse_change('immutable_receipt');
CREATE TRIGGER payments_origin BEFORE UPDATE OF provider, network, domain_contract, client_ref, pay_to, valid_after, valid_before,
  payload_hash, receipt_id, created_ms ON payments FOR EACH ROW EXECUTE FUNCTION refuse_change('immutable_payment');
CREATE TRIGGER grants_origin BEFORE UPDATE OF grant_id, program, account_id, issued_ms ON grants
  FOR EACH ROW EXECUTE FUNCTION refuse_change('immutable_grant');
CREATE TRIGGER grant_debits_origin BEFORE UPDATE OF debit_id, session_id, receipt_id, route_id, fingerprint, created_ms ON grant_debits
  FOR EACH ROW EXECUTE FUNCTION refuse_change('illegal_debit');
CREATE TRIGGER grant_sessions_no_delete BEFORE DELETE ON grant_sessions FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER grant_sessions_revocation BEFORE UPDATE ON grant_sessions FOR EACH ROW
  WHEN (OLD.revoked_ms IS NOT NULL OR (NEW.session_id, NEW.grant_id, NEW.expires_ms) IS DISTINCT FROM (OLD.session_id, OLD.grant_id, OLD.expires_ms))
  EXECUTE FUNCTION refuse_change('immutable_session');
CREATE TRIGGER settlement_jobs_no_delete BEFORE DELETE ON settlement_jobs FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER checkout_sessions_no_delete BEFORE DELETE ON checkout_sessions FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER checkout_sessions_origin BEFORE UPDATE OF checkout_id, provider, idempotency_key, account_id, wallet, credit_micro,
  charge_minor, currency, pickup_hash, created_ms ON checkout_sessions FOR EACH ROW EXECUTE FUNCTION refuse_change('immutable_checkout');
CREATE TRIGGER payer_watchlist_no_delete BEFORE DELETE ON payer_watchlist FOR EACH ROW EXECUTE FUNCTION append_only();

CREATE TRIGGER grants_no_truncate BEFORE TRUNCATE ON grants FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER grant_events_no_truncate BEFORE TRUNCATE ON grant_events FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER grant_debits_no_truncate BEFORE TRUNCATE ON grant_debits FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER grant_sessions_no_truncate BEFORE TRUNCATE ON grant_sessions FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER api_keys_no_truncate BEFORE TRUNCATE ON api_keys FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER receipt_transitions_no_truncate BEFORE TRUNCATE ON receipt_transitions FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER settlement_jobs_no_truncate BEFORE TRUNCATE ON settlement_jobs FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER checkout_sessions_no_truncate BEFORE TRUNCATE ON checkout_sessions FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER payer_watchlist_no_truncate BEFORE TRUNCATE ON payer_watchlist FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- What joined the tables of ledger.sql while their schema was version 1 (PAYMENTS P8.13, S11). A new ledger gets it at
-- once, one from before it by `ledger upgrade`; `additions` in ledger_meta states that it is there. Triggers on named
-- columns cost the writes of a paid request nothing: no statement of this program sets those columns again.

ALTER TABLE api_keys ADD COLUMN revoked_by TEXT;
INSERT INTO ledger_meta VALUES ('additions', '1');

-- who made and who revoked a key stays (P6.2)
CREATE TRIGGER api_keys_no_delete BEFORE DELETE ON api_keys BEGIN SELECT RAISE(ABORT, 'append_only'); END;
CREATE TRIGGER api_keys_identity BEFORE UPDATE OF key_id, salt, secret_hash, label, scopes, created_ms, created_by, expires_ms
ON api_keys BEGIN SELECT RAISE(ABORT, 'immutable_key'); END;
CREATE TRIGGER api_keys_revocation BEFORE UPDATE OF revoked_ms, revoked_by ON api_keys
WHEN OLD.revoked_ms IS NOT NULL OR NEW.revoked_ms IS NULL OR NEW.revoked_by IS NULL
BEGIN SELECT RAISE(ABORT, 'immutable_key'); END;

-- journals and the transition table; a replacement is an insert of a known number, delete triggers or not
CREATE TRIGGER receipt_events_no_replace BEFORE INSERT ON receipt_events
WHEN NEW.event_id > 0 AND EXISTS (SELECT 1 FROM receipt_events WHERE event_id = NEW.event_id)
BEGIN SELECT RAISE(ABORT, 'append_only'); END;
CREATE TRIGGER grant_events_no_replace BEFORE INSERT ON grant_events
WHEN NEW.event_id > 0 AND EXISTS (SELECT 1 FROM grant_events WHERE event_id = NEW.event_id)
BEGIN SELECT RAISE(ABORT, 'append_only'); END;
CREATE TRIGGER grant_events_no_update BEFORE UPDATE ON grant_events BEGIN SELECT RAISE(ABORT, 'append_only'); END;
CREATE TRIGGER grant_events_no_delete BEFORE DELETE ON grant_events BEGIN SELECT RAISE(ABORT, 'append_only'); END;
CREATE TRIGGER receipt_transitions_no_insert BEFORE INSERT ON receipt_transitions BEGIN SELECT RAISE(ABORT, 'append_only'); END;
CREATE TRIGGER receipt_transitions_no_update BEFORE UPDATE ON receipt_transitions BEGIN SELECT RAISE(ABORT, 'append_only'); END;
CREATE TRIGGER receipt_transitions_no_delete BEFORE DELETE ON receipt_transitions BEGIN SELECT RAISE(ABORT, 'append_only'); END;

-- what a row is of (P8.26), beside the columns that ledger.sql holds
CREATE TRIGGER receipts_origin BEFORE UPDATE OF request_id, route_id, route_uri, tool, source_date ON receipts
BEGIN SELECT RAISE(ABORT, 'immutable_receipt'); END;
CREATE TRIGGER receipts_refund BEFORE UPDATE OF refunded_micro, refund_reference ON receipts
WHEN OLD.charge_status = 'refunded' AND (NEW.refunded_micro IS NOT OLD.refunded_micro OR NEW.refund_reference IS NOT OLD.refund_reference)
BEGIN SELECT RAISE(ABORT, 'immutable_receipt'); END;
CREATE TRIGGER receipts_transfer_kept BEFORE UPDATE OF gateway_transfer_id ON receipts
WHEN OLD.gateway_transfer_id IS NOT NULL AND NEW.gateway_transfer_id IS NOT OLD.gateway_transfer_id
BEGIN SELECT RAISE(ABORT, 'immutable_receipt'); END;
CREATE TRIGGER payments_origin BEFORE UPDATE OF provider, network, domain_contract, client_ref, pay_to, valid_after, valid_before,
  payload_hash, receipt_id, created_ms
ON payments BEGIN SELECT RAISE(ABORT, 'immutable_payment'); END;
CREATE TRIGGER grants_origin BEFORE UPDATE OF grant_id, program, account_id, issued_ms ON grants
BEGIN SELECT RAISE(ABORT, 'immutable_grant'); END;
CREATE TRIGGER grant_debits_origin BEFORE UPDATE OF debit_id, session_id, receipt_id, route_id, fingerprint, created_ms
ON grant_debits BEGIN SELECT RAISE(ABORT, 'illegal_debit'); END;
CREATE TRIGGER grant_sessions_no_delete BEFORE DELETE ON grant_sessions BEGIN SELECT RAISE(ABORT, 'append_only'); END;
CREATE TRIGGER grant_sessions_revocation BEFORE UPDATE ON grant_sessions
WHEN OLD.revoked_ms IS NOT NULL OR NEW.session_id IS NOT OLD.session_id OR NEW.grant_id IS NOT OLD.grant_id
  OR NEW.expires_ms IS NOT OLD.expires_ms
BEGIN SELECT RAISE(ABORT, 'immutable_session'); END;
CREATE TRIGGER settlement_jobs_no_delete BEFORE DELETE ON settlement_jobs BEGIN SELECT RAISE(ABORT, 'append_only'); END;
CREATE TRIGGER checkout_sessions_no_delete BEFORE DELETE ON checkout_sessions BEGIN SELECT RAISE(ABORT, 'append_only'); END;
CREATE TRIGGER checkout_sessions_origin BEFORE UPDATE OF checkout_id, provider, idempotency_key, account_id, wallet, credit_micro,
  charge_minor, currency, pickup_hash, created_ms
ON checkout_sessions BEGIN SELECT RAISE(ABORT, 'immutable_checkout'); END;
CREATE TRIGGER payer_watchlist_no_delete BEFORE DELETE ON payer_watchlist BEGIN SELECT RAISE(ABORT, 'append_only'); END;

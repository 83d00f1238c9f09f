-- Credentials that were answered under the receipt of an earlier payment (PAYMENTS P2.46a); sqlite/schema/aliases.sql
-- says why. A new ledger gets this at once, an older one when a role that owns its tables opens it next.

CREATE TABLE payment_aliases (
  claim_key bytea PRIMARY KEY CHECK (octet_length(claim_key) = 32),
  payload_hash bytea NOT NULL CHECK (octet_length(payload_hash) = 32),
  answered_by bytea NOT NULL CHECK (octet_length(answered_by) = 32),
  created_ms bigint NOT NULL);
-- two tables share one key space: who writes a key into either waits for the other first
CREATE FUNCTION payments_answered() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('credential ' || encode(NEW.claim_key, 'hex')));
  IF EXISTS (SELECT 1 FROM payment_aliases a JOIN receipts r ON r.claim_key = a.answered_by
      WHERE a.claim_key = NEW.claim_key AND r.charge_status <> 'failed') THEN RETURN NULL; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payments_answered BEFORE INSERT ON payments FOR EACH ROW EXECUTE FUNCTION payments_answered();
CREATE FUNCTION payment_aliases_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.claim_key <> OLD.claim_key
    OR EXISTS (SELECT 1 FROM receipts r WHERE r.claim_key = OLD.answered_by AND r.charge_status <> 'failed')
  THEN RAISE EXCEPTION 'immutable_alias'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payment_aliases_kept BEFORE UPDATE ON payment_aliases FOR EACH ROW EXECUTE FUNCTION payment_aliases_kept();
CREATE TRIGGER payment_aliases_no_delete BEFORE DELETE ON payment_aliases FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER payment_aliases_no_truncate BEFORE TRUNCATE ON payment_aliases FOR EACH STATEMENT EXECUTE FUNCTION append_only();

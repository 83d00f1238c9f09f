-- Credentials that were answered under the receipt of an earlier payment (PAYMENTS P2.46a): while that payment stands
-- they pay for nothing else, so none of them becomes a payment of its own; one that failed sets its aliases free. A new
-- ledger gets this at once, one from before it when a program opens it for writing. No foreign key says what answered:
-- it would make each claim scan this table, and payments cannot be deleted.

CREATE TABLE payment_aliases (
  claim_key    BLOB PRIMARY KEY CHECK (length(claim_key) = 32),
  payload_hash BLOB NOT NULL CHECK (length(payload_hash) = 32),
  answered_by  BLOB NOT NULL CHECK (length(answered_by) = 32),
  created_ms   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER payments_answered BEFORE INSERT ON payments
WHEN EXISTS (SELECT 1 FROM payment_aliases a JOIN receipts r ON r.claim_key = a.answered_by
  WHERE a.claim_key = NEW.claim_key AND r.charge_status <> 'failed')
BEGIN SELECT RAISE(IGNORE); END;
CREATE TRIGGER payment_aliases_no_delete BEFORE DELETE ON payment_aliases BEGIN SELECT RAISE(ABORT, 'append_only'); END;
CREATE TRIGGER payment_aliases_kept BEFORE UPDATE ON payment_aliases
WHEN NEW.claim_key IS NOT OLD.claim_key
  OR EXISTS (SELECT 1 FROM receipts r WHERE r.claim_key = OLD.answered_by AND r.charge_status <> 'failed')
BEGIN SELECT RAISE(ABORT, 'immutable_alias'); END;

-- The ledger's tables (PAYMENTS P8.13), complete from the first start and executed in one transaction; the
-- pragmas are set and read back by openDatabase.ts. Four remarks.
-- recursive_triggers is not decoration: without it INSERT OR REPLACE removes the old row without firing the
-- delete trigger, and a receipt could be reset.
-- There is no foreign key from payments back to receipts: a circular deferred key makes each parent insert
-- scan the other table.
-- Small tables with text keys are WITHOUT ROWID so that the key is stored once.
-- payments and receipts are rowid tables: their rows are wide and written several times, and appending a row to a
-- table by number costs less than finding its place among random keys. A key of a STRICT table is never null.

CREATE TABLE ledger_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO ledger_meta VALUES ('schema_version', '3');

CREATE TABLE receipt_transitions (
  from_status TEXT NOT NULL, to_status TEXT NOT NULL, actor_class TEXT NOT NULL,
  PRIMARY KEY (from_status, to_status, actor_class)
) STRICT, WITHOUT ROWID;
-- of data/contract/billing/receiptTransitions.ts
INSERT INTO receipt_transitions VALUES {transitions};
CREATE TRIGGER receipt_transitions_no_insert BEFORE INSERT ON receipt_transitions BEGIN SELECT RAISE(ABORT, 'append_only'); END;
CREATE TRIGGER receipt_transitions_no_update BEFORE UPDATE ON receipt_transitions BEGIN SELECT RAISE(ABORT, 'append_only'); END;
CREATE TRIGGER receipt_transitions_no_delete BEFORE DELETE ON receipt_transitions BEGIN SELECT RAISE(ABORT, 'append_only'); END;

CREATE TABLE receipts (
  receipt_id           TEXT PRIMARY KEY,
  reconciliation_key   TEXT NOT NULL,
  response_id          TEXT NOT NULL,
  request_id           TEXT NOT NULL,
  route_id             TEXT NOT NULL,
  route_uri            TEXT NOT NULL,
  fingerprint          BLOB NOT NULL CHECK (length(fingerprint) = 32),
  settlement_mode      TEXT NOT NULL CHECK (settlement_mode IN
    ('api_key_not_charged','grant_covered','x402_direct','mpp','gateway_batched','shadow_unsettled')),
  charge_status        TEXT NOT NULL,
  quoted_micro         INTEGER NOT NULL CHECK (quoted_micro >= 0),
  charged_micro        INTEGER NOT NULL DEFAULT 0 CHECK (charged_micro >= 0),
  payer_identity       TEXT,
  claim_key            BLOB UNIQUE REFERENCES payments (claim_key),
  grant_id             TEXT REFERENCES grants (grant_id),
  api_key_id           TEXT REFERENCES api_keys (key_id),
  tool                 TEXT,
  artifact_key         TEXT NOT NULL,
  artifact_version     TEXT NOT NULL,
  source_date          TEXT,
  settlement_tx_hash   TEXT,
  gateway_transfer_id  TEXT,
  batch_id             TEXT,
  refund_reference     TEXT,
  refunded_micro       INTEGER NOT NULL DEFAULT 0 CHECK (refunded_micro >= 0),
  failure_reason       TEXT,
  settled_ms           INTEGER,
  handoff_ms           INTEGER,
  delivery_status      TEXT NOT NULL DEFAULT 'pending'
    CHECK (delivery_status IN ('pending','delivered','partial','undelivered')),
  replay_until_ms      INTEGER,
  replay_count         INTEGER NOT NULL DEFAULT 0,
  quality_flags        TEXT NOT NULL DEFAULT '[]',
  actor                TEXT NOT NULL,
  reason               TEXT NOT NULL DEFAULT '',
  external_ref         TEXT,
  created_ms           INTEGER NOT NULL,
  updated_ms           INTEGER NOT NULL,
  CHECK (CASE settlement_mode
    WHEN 'x402_direct' THEN charge_status IN ('authorized','submitted','settled','failed','refunded','disputed')
    WHEN 'mpp' THEN charge_status IN ('authorized','submitted','settled','failed','refunded','disputed')
    WHEN 'gateway_batched' THEN charge_status IN ('authorized','queued_for_batch','settled','failed','refunded','disputed')
    ELSE charge_status = 'not_charged' END),
  CHECK (CASE
    WHEN charge_status IN ('queued_for_batch','settled','refunded','disputed') THEN charged_micro = quoted_micro
    ELSE charged_micro = 0 END),
  CHECK (charge_status <> 'refunded' OR (refund_reference IS NOT NULL AND refunded_micro BETWEEN 1 AND quoted_micro)),
  CHECK (charge_status <> 'failed' OR failure_reason IS NOT NULL),
  CHECK (charge_status <> 'settled' OR settlement_mode = 'gateway_batched' OR settlement_tx_hash IS NOT NULL),
  CHECK (charge_status <> 'queued_for_batch' OR gateway_transfer_id IS NOT NULL),
  CHECK ((settlement_mode IN ('x402_direct','mpp','gateway_batched')) = (claim_key IS NOT NULL)),
  CHECK ((settlement_mode = 'grant_covered') = (grant_id IS NOT NULL)),
  CHECK ((settlement_mode = 'api_key_not_charged') = (api_key_id IS NOT NULL))
) STRICT;
CREATE INDEX receipts_open ON receipts (charge_status, updated_ms)
  WHERE charge_status IN ('authorized','submitted','queued_for_batch');
-- what every paid request asks for stays small while the history grows: charged answers that did not arrive (P2.46),
-- and what the gateway still owes (P3.11)
CREATE INDEX receipts_unanswered ON receipts (delivery_status, fingerprint, created_ms)
  WHERE delivery_status IN ('pending','undelivered')
    AND charge_status IN ('authorized','submitted','queued_for_batch','settled');
CREATE INDEX receipts_queued ON receipts (payer_identity, charged_micro) WHERE charge_status = 'queued_for_batch';
-- the columns behind the time are those the figures of a week add up
CREATE INDEX receipts_time ON receipts (created_ms, settlement_mode, charge_status, charged_micro);
CREATE UNIQUE INDEX receipts_transfer ON receipts (gateway_transfer_id) WHERE gateway_transfer_id IS NOT NULL;

CREATE TABLE receipt_events (
  event_id     INTEGER PRIMARY KEY AUTOINCREMENT,
  receipt_id   TEXT NOT NULL,
  from_status  TEXT NOT NULL,
  to_status    TEXT NOT NULL,
  actor        TEXT NOT NULL,
  reason       TEXT NOT NULL,
  external_ref TEXT,
  at_ms        INTEGER NOT NULL
) STRICT;
CREATE INDEX receipt_events_receipt ON receipt_events (receipt_id, event_id);

CREATE TRIGGER receipts_ins_guard BEFORE INSERT ON receipts BEGIN
  SELECT RAISE(ABORT, 'illegal_transition') WHERE NOT EXISTS (
    SELECT 1 FROM receipt_transitions t WHERE t.from_status = '' AND t.to_status = NEW.charge_status
      AND t.actor_class = CASE instr(NEW.actor, ':') WHEN 0 THEN NEW.actor ELSE substr(NEW.actor, 1, instr(NEW.actor, ':') - 1) END);
END;
CREATE TRIGGER receipts_ins_log AFTER INSERT ON receipts BEGIN
  INSERT INTO receipt_events (receipt_id, from_status, to_status, actor, reason, external_ref, at_ms)
  VALUES (NEW.receipt_id, '', NEW.charge_status, NEW.actor, NEW.reason, NEW.external_ref, NEW.updated_ms);
END;
CREATE TRIGGER receipts_upd_guard BEFORE UPDATE OF charge_status ON receipts
WHEN NEW.charge_status <> OLD.charge_status BEGIN
  SELECT RAISE(ABORT, 'illegal_transition') WHERE NOT EXISTS (
    SELECT 1 FROM receipt_transitions t WHERE t.from_status = OLD.charge_status AND t.to_status = NEW.charge_status
      AND t.actor_class = CASE instr(NEW.actor, ':') WHEN 0 THEN NEW.actor ELSE substr(NEW.actor, 1, instr(NEW.actor, ':') - 1) END);
END;
CREATE TRIGGER receipts_upd_log AFTER UPDATE OF charge_status ON receipts
WHEN NEW.charge_status <> OLD.charge_status BEGIN
  INSERT INTO receipt_events (receipt_id, from_status, to_status, actor, reason, external_ref, at_ms)
  VALUES (NEW.receipt_id, OLD.charge_status, NEW.charge_status, NEW.actor, NEW.reason, NEW.external_ref, NEW.updated_ms);
END;
CREATE TRIGGER receipts_handoff_log AFTER UPDATE OF handoff_ms ON receipts
WHEN OLD.handoff_ms IS NULL AND NEW.handoff_ms IS NOT NULL BEGIN
  INSERT INTO receipt_events (receipt_id, from_status, to_status, actor, reason, external_ref, at_ms)
  VALUES (NEW.receipt_id, NEW.charge_status, NEW.charge_status, NEW.actor, 'handoff', NULL, NEW.handoff_ms);
END;
CREATE TRIGGER receipts_identity BEFORE UPDATE ON receipts
WHEN NEW.receipt_id IS NOT OLD.receipt_id OR NEW.reconciliation_key IS NOT OLD.reconciliation_key
  OR NEW.response_id IS NOT OLD.response_id OR NEW.fingerprint IS NOT OLD.fingerprint
  OR NEW.settlement_mode IS NOT OLD.settlement_mode OR NEW.quoted_micro IS NOT OLD.quoted_micro
  OR NEW.payer_identity IS NOT OLD.payer_identity OR NEW.claim_key IS NOT OLD.claim_key
  OR NEW.grant_id IS NOT OLD.grant_id OR NEW.api_key_id IS NOT OLD.api_key_id
  OR NEW.artifact_key IS NOT OLD.artifact_key OR NEW.artifact_version IS NOT OLD.artifact_version
  OR NEW.created_ms IS NOT OLD.created_ms OR (OLD.handoff_ms IS NOT NULL AND NEW.handoff_ms IS NOT OLD.handoff_ms)
  OR (OLD.settlement_tx_hash IS NOT NULL AND OLD.charge_status IN ('settled','refunded','disputed') AND NEW.settlement_tx_hash IS NOT OLD.settlement_tx_hash)
BEGIN SELECT RAISE(ABORT, 'immutable_receipt'); END;
-- triggers on named columns cost the writes of a paid request nothing: no statement of this program sets those again
CREATE TRIGGER receipts_origin BEFORE UPDATE OF request_id, route_id, route_uri, tool, source_date ON receipts
BEGIN SELECT RAISE(ABORT, 'immutable_receipt'); END;
CREATE TRIGGER receipts_refund BEFORE UPDATE OF refunded_micro, refund_reference ON receipts
WHEN OLD.charge_status = 'refunded' AND (NEW.refunded_micro IS NOT OLD.refunded_micro OR NEW.refund_reference IS NOT OLD.refund_reference)
BEGIN SELECT RAISE(ABORT, 'immutable_receipt'); END;
CREATE TRIGGER receipts_transfer_kept BEFORE UPDATE OF gateway_transfer_id ON receipts
WHEN OLD.gateway_transfer_id IS NOT NULL AND NEW.gateway_transfer_id IS NOT OLD.gateway_transfer_id
BEGIN SELECT RAISE(ABORT, 'immutable_receipt'); END;
CREATE TRIGGER receipts_no_delete BEFORE DELETE ON receipts BEGIN SELECT RAISE(ABORT, 'append_only'); END;
CREATE TRIGGER receipt_events_no_update BEFORE UPDATE ON receipt_events BEGIN SELECT RAISE(ABORT, 'append_only'); END;
CREATE TRIGGER receipt_events_no_delete BEFORE DELETE ON receipt_events BEGIN SELECT RAISE(ABORT, 'append_only'); END;
-- a replacement is an insert of a known number, whether delete triggers fire or not
CREATE TRIGGER receipt_events_no_replace BEFORE INSERT ON receipt_events
WHEN NEW.event_id > 0 AND EXISTS (SELECT 1 FROM receipt_events WHERE event_id = NEW.event_id)
BEGIN SELECT RAISE(ABORT, 'append_only'); END;

CREATE TABLE payments (
  claim_key       BLOB PRIMARY KEY CHECK (length(claim_key) = 32),
  provider        TEXT NOT NULL CHECK (provider IN ('x402_exact','gateway_batched','mpp')),
  network         TEXT NOT NULL,
  domain_contract TEXT NOT NULL CHECK (domain_contract = lower(domain_contract)),
  payer           TEXT NOT NULL CHECK (payer = lower(payer)),
  nonce           BLOB NOT NULL CHECK (length(nonce) = 32),
  client_ref      TEXT,
  pay_to          TEXT NOT NULL CHECK (pay_to = lower(pay_to)),
  amount_micro    INTEGER NOT NULL CHECK (amount_micro > 0),
  valid_after     INTEGER NOT NULL,
  valid_before    INTEGER NOT NULL,
  payload_hash    BLOB NOT NULL CHECK (length(payload_hash) = 32),
  fingerprint     BLOB NOT NULL CHECK (length(fingerprint) = 32),
  phase           TEXT NOT NULL CHECK (phase IN ('claimed','calling','accepted','refused','unknown')),
  receipt_id      TEXT NOT NULL UNIQUE,
  tx_hash         TEXT,
  refusal         TEXT,
  owner           TEXT NOT NULL,
  owner_until_ms  INTEGER NOT NULL,
  next_check_ms   INTEGER,
  checks          INTEGER NOT NULL DEFAULT 0,
  finality        TEXT NOT NULL DEFAULT 'none' CHECK (finality IN ('none','included','safe','reorged')),
  block_number    INTEGER,
  created_ms      INTEGER NOT NULL,
  updated_ms      INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX payments_client_ref ON payments (payer, client_ref) WHERE client_ref IS NOT NULL;
CREATE UNIQUE INDEX payments_tx ON payments (tx_hash) WHERE tx_hash IS NOT NULL AND provider = 'mpp';
CREATE INDEX payments_payer ON payments (payer, fingerprint, created_ms);
CREATE INDEX payments_due ON payments (next_check_ms) WHERE next_check_ms IS NOT NULL;
CREATE TRIGGER payments_phase BEFORE UPDATE OF phase ON payments
WHEN NEW.phase <> OLD.phase AND NOT (
     (OLD.phase = 'claimed' AND NEW.phase IN ('calling','refused'))
  OR (OLD.phase = 'calling' AND NEW.phase IN ('accepted','refused','unknown'))
  OR (OLD.phase = 'unknown' AND NEW.phase IN ('accepted','refused'))
  OR (OLD.phase = 'accepted' AND NEW.phase = 'refused' AND OLD.provider = 'gateway_batched'))
BEGIN SELECT RAISE(ABORT, 'illegal_phase'); END;
CREATE TRIGGER payments_no_delete BEFORE DELETE ON payments BEGIN SELECT RAISE(ABORT, 'append_only'); END;
CREATE TRIGGER payments_identity BEFORE UPDATE ON payments
WHEN NEW.claim_key IS NOT OLD.claim_key OR NEW.payer IS NOT OLD.payer OR NEW.nonce IS NOT OLD.nonce
  OR NEW.amount_micro IS NOT OLD.amount_micro OR NEW.fingerprint IS NOT OLD.fingerprint
BEGIN SELECT RAISE(ABORT, 'immutable_payment'); END;
CREATE TRIGGER payments_origin BEFORE UPDATE OF provider, network, domain_contract, client_ref, pay_to, valid_after, valid_before,
  payload_hash, receipt_id, created_ms
ON payments BEGIN SELECT RAISE(ABORT, 'immutable_payment'); END;

-- Credentials that were answered under the receipt of an earlier payment (PAYMENTS P2.46a): while that payment stands
-- they pay for nothing else, so none of them becomes a payment of its own; one that failed sets its aliases free. No
-- foreign key says what answered: it would make each claim scan this table, and payments cannot be deleted.
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

CREATE TABLE settlement_jobs (
  job_id         INTEGER PRIMARY KEY AUTOINCREMENT,
  claim_key      BLOB NOT NULL UNIQUE REFERENCES payments (claim_key),
  kind           TEXT NOT NULL CHECK (kind IN ('evm_exact','mpp_broadcast')),
  payload        BLOB,
  state          TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued','leased','sent','done','dead')),
  lease_owner    TEXT,
  lease_until_ms INTEGER,
  attempts       INTEGER NOT NULL DEFAULT 0,
  not_before_ms  INTEGER NOT NULL,
  deadline_ms    INTEGER NOT NULL,
  signer         TEXT,
  account_nonce  INTEGER,
  raw_tx         BLOB,
  tx_hash        TEXT,
  outcome        TEXT CHECK (outcome IN ('settled','refused','unknown')),
  outcome_json   TEXT,
  last_error     TEXT,
  created_ms     INTEGER NOT NULL,
  updated_ms     INTEGER NOT NULL
) STRICT;
CREATE INDEX settlement_jobs_due ON settlement_jobs (not_before_ms, job_id) WHERE state IN ('queued','leased','sent');
CREATE UNIQUE INDEX settlement_jobs_nonce ON settlement_jobs (signer, account_nonce) WHERE account_nonce IS NOT NULL AND state IN ('leased','sent');
CREATE TRIGGER settlement_jobs_no_delete BEFORE DELETE ON settlement_jobs BEGIN SELECT RAISE(ABORT, 'append_only'); END;

CREATE TABLE signer_leases (
  signer TEXT PRIMARY KEY, owner TEXT NOT NULL, lease_until_ms INTEGER NOT NULL, fence INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE grants (
  grant_id     TEXT PRIMARY KEY,
  program      TEXT NOT NULL CHECK (program IN ('design_partner_alpha','founding_user_credit')),
  wallet       TEXT CHECK (wallet IS NULL OR wallet = lower(wallet)),
  account_id   TEXT,
  status       TEXT NOT NULL CHECK (status IN ('active','exhausted','expired','revoked','suspended')),
  budget_micro INTEGER NOT NULL CHECK (budget_micro >= 0),
  spent_micro  INTEGER NOT NULL DEFAULT 0 CHECK (spent_micro >= 0),
  held_micro   INTEGER NOT NULL DEFAULT 0 CHECK (held_micro >= 0),
  routes       TEXT NOT NULL,
  min_price_micro INTEGER NOT NULL CHECK (min_price_micro > 0),
  issued_ms    INTEGER NOT NULL,
  expires_ms   INTEGER NOT NULL,
  updated_ms   INTEGER NOT NULL,
  note         TEXT,
  CHECK (spent_micro + held_micro <= budget_micro),
  CHECK (wallet IS NOT NULL OR account_id IS NOT NULL),
  CHECK (program <> 'design_partner_alpha' OR wallet IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX grants_wallet ON grants (program, wallet) WHERE wallet IS NOT NULL AND status NOT IN ('revoked','expired');
CREATE UNIQUE INDEX grants_account ON grants (program, account_id) WHERE account_id IS NOT NULL AND status NOT IN ('revoked','expired');
CREATE TRIGGER grants_status BEFORE UPDATE OF status ON grants
WHEN NEW.status <> OLD.status AND NOT (
     (OLD.status = 'active'    AND NEW.status IN ('exhausted','expired','suspended','revoked'))
  OR (OLD.status = 'exhausted' AND NEW.status IN ('active','expired','suspended','revoked'))
  OR (OLD.status = 'suspended' AND NEW.status IN ('active','exhausted','expired','revoked'))
  OR (OLD.status = 'expired'   AND NEW.status IN ('active','revoked')))
BEGIN SELECT RAISE(ABORT, 'illegal_grant_transition'); END;

CREATE TRIGGER grants_no_delete BEFORE DELETE ON grants BEGIN SELECT RAISE(ABORT, 'append_only'); END;
CREATE TRIGGER grants_origin BEFORE UPDATE OF grant_id, program, account_id, issued_ms ON grants
BEGIN SELECT RAISE(ABORT, 'immutable_grant'); END;

CREATE TABLE grant_events (
  event_id INTEGER PRIMARY KEY AUTOINCREMENT, grant_id TEXT NOT NULL, kind TEXT NOT NULL, detail TEXT NOT NULL, actor TEXT NOT NULL, at_ms INTEGER NOT NULL
) STRICT;
CREATE TRIGGER grant_events_no_replace BEFORE INSERT ON grant_events
WHEN NEW.event_id > 0 AND EXISTS (SELECT 1 FROM grant_events WHERE event_id = NEW.event_id)
BEGIN SELECT RAISE(ABORT, 'append_only'); END;
CREATE TRIGGER grant_events_no_update BEFORE UPDATE ON grant_events BEGIN SELECT RAISE(ABORT, 'append_only'); END;
CREATE TRIGGER grant_events_no_delete BEFORE DELETE ON grant_events BEGIN SELECT RAISE(ABORT, 'append_only'); END;
CREATE TRIGGER grants_log AFTER UPDATE OF status ON grants WHEN NEW.status <> OLD.status BEGIN
  INSERT INTO grant_events (grant_id, kind, detail, actor, at_ms) VALUES (NEW.grant_id, 'status', OLD.status || '>' || NEW.status, coalesce(NEW.note, 'ledger'), NEW.updated_ms);
END;

CREATE TABLE grant_sessions (
  session_id TEXT PRIMARY KEY, grant_id TEXT NOT NULL REFERENCES grants (grant_id),
  wallet TEXT, account_id TEXT, issued_ms INTEGER NOT NULL, expires_ms INTEGER NOT NULL, revoked_ms INTEGER
) STRICT, WITHOUT ROWID;
CREATE TRIGGER grant_sessions_no_delete BEFORE DELETE ON grant_sessions BEGIN SELECT RAISE(ABORT, 'append_only'); END;
CREATE TRIGGER grant_sessions_revocation BEFORE UPDATE ON grant_sessions
WHEN OLD.revoked_ms IS NOT NULL OR NEW.session_id IS NOT OLD.session_id OR NEW.grant_id IS NOT OLD.grant_id
  OR NEW.expires_ms IS NOT OLD.expires_ms
BEGIN SELECT RAISE(ABORT, 'immutable_session'); END;

CREATE TABLE grant_debits (
  debit_id        TEXT PRIMARY KEY,
  grant_id        TEXT NOT NULL REFERENCES grants (grant_id),
  session_id      TEXT NOT NULL REFERENCES grant_sessions (session_id),
  receipt_id      TEXT NOT NULL UNIQUE,
  route_id        TEXT NOT NULL,
  fingerprint     BLOB NOT NULL,
  amount_micro    INTEGER NOT NULL CHECK (amount_micro > 0),
  state           TEXT NOT NULL CHECK (state IN ('held','debited','released','reversed')),
  hold_until_ms   INTEGER NOT NULL,
  created_ms      INTEGER NOT NULL,
  updated_ms      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX grant_debits_held ON grant_debits (hold_until_ms) WHERE state = 'held';
CREATE INDEX grant_debits_grant ON grant_debits (grant_id, created_ms);
CREATE TRIGGER grant_debits_ins BEFORE INSERT ON grant_debits WHEN NEW.state <> 'held' BEGIN SELECT RAISE(ABORT, 'illegal_debit'); END;
CREATE TRIGGER grant_debits_hold AFTER INSERT ON grant_debits BEGIN
  UPDATE grants SET held_micro = held_micro + NEW.amount_micro, updated_ms = NEW.created_ms WHERE grant_id = NEW.grant_id;
END;
CREATE TRIGGER grant_debits_guard BEFORE UPDATE ON grant_debits
WHEN NEW.amount_micro <> OLD.amount_micro OR NEW.grant_id <> OLD.grant_id OR (NEW.state <> OLD.state AND NOT (
     (OLD.state = 'held' AND NEW.state IN ('debited','released')) OR (OLD.state = 'debited' AND NEW.state = 'reversed')))
BEGIN SELECT RAISE(ABORT, 'illegal_debit'); END;
CREATE TRIGGER grant_debits_move AFTER UPDATE OF state ON grant_debits WHEN NEW.state <> OLD.state BEGIN
  UPDATE grants SET
    held_micro  = held_micro  - CASE WHEN OLD.state = 'held' THEN OLD.amount_micro ELSE 0 END,
    spent_micro = spent_micro + CASE NEW.state WHEN 'debited' THEN OLD.amount_micro WHEN 'reversed' THEN -OLD.amount_micro ELSE 0 END,
    updated_ms  = NEW.updated_ms
  WHERE grant_id = NEW.grant_id;
END;
CREATE TRIGGER grant_debits_no_delete BEFORE DELETE ON grant_debits BEGIN SELECT RAISE(ABORT, 'append_only'); END;
CREATE TRIGGER grant_debits_origin BEFORE UPDATE OF debit_id, session_id, receipt_id, route_id, fingerprint, created_ms
ON grant_debits BEGIN SELECT RAISE(ABORT, 'illegal_debit'); END;
CREATE TRIGGER grants_exhaust AFTER UPDATE OF spent_micro, held_micro, budget_micro ON grants
WHEN NEW.status IN ('active','exhausted') BEGIN
  UPDATE grants SET status = CASE WHEN NEW.budget_micro - NEW.spent_micro < NEW.min_price_micro THEN 'exhausted' ELSE 'active' END
   WHERE grant_id = NEW.grant_id
     AND status <> CASE WHEN NEW.budget_micro - NEW.spent_micro < NEW.min_price_micro THEN 'exhausted' ELSE 'active' END;
END;

CREATE TABLE challenges (
  nonce TEXT PRIMARY KEY, wallet TEXT NOT NULL, message TEXT NOT NULL,
  issued_ms INTEGER NOT NULL, expires_ms INTEGER NOT NULL, consumed_ms INTEGER,
  outcome TEXT CHECK (outcome IN ('minted','bad_signature','not_enrolled','grant_not_active'))
) STRICT, WITHOUT ROWID;
CREATE INDEX challenges_expiry ON challenges (expires_ms);

CREATE TABLE api_keys (
  key_id TEXT PRIMARY KEY, salt BLOB NOT NULL CHECK (length(salt) = 16), secret_hash BLOB NOT NULL CHECK (length(secret_hash) = 32),
  label TEXT NOT NULL, scopes TEXT NOT NULL DEFAULT '[]', created_ms INTEGER NOT NULL, created_by TEXT NOT NULL,
  expires_ms INTEGER, revoked_ms INTEGER, revoked_by TEXT, replaced_by TEXT, last_used_ms INTEGER
) STRICT, WITHOUT ROWID;
-- who made and who revoked a key stays (P6.2)
CREATE TRIGGER api_keys_no_delete BEFORE DELETE ON api_keys BEGIN SELECT RAISE(ABORT, 'append_only'); END;
CREATE TRIGGER api_keys_identity BEFORE UPDATE OF key_id, salt, secret_hash, label, scopes, created_ms, created_by, expires_ms
ON api_keys BEGIN SELECT RAISE(ABORT, 'immutable_key'); END;
CREATE TRIGGER api_keys_revocation BEFORE UPDATE OF revoked_ms, revoked_by ON api_keys
WHEN OLD.revoked_ms IS NOT NULL OR NEW.revoked_ms IS NULL OR NEW.revoked_by IS NULL
BEGIN SELECT RAISE(ABORT, 'immutable_key'); END;

CREATE TABLE idempotency_keys (
  holder TEXT NOT NULL, idem_key TEXT NOT NULL, fingerprint BLOB NOT NULL, receipt_id TEXT NOT NULL,
  created_ms INTEGER NOT NULL, expires_ms INTEGER NOT NULL, PRIMARY KEY (holder, idem_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_expiry ON idempotency_keys (expires_ms);

CREATE TABLE checkout_sessions (
  checkout_id TEXT PRIMARY KEY, provider TEXT NOT NULL, provider_session_id TEXT UNIQUE,
  idempotency_key TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, wallet TEXT, credit_micro INTEGER NOT NULL CHECK (credit_micro > 0),
  charge_minor INTEGER NOT NULL, currency TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('creating','open','paid','expired','failed','refunded')),
  grant_id TEXT REFERENCES grants (grant_id), pickup_hash BLOB NOT NULL, created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER checkout_sessions_no_delete BEFORE DELETE ON checkout_sessions BEGIN SELECT RAISE(ABORT, 'append_only'); END;
CREATE TRIGGER checkout_sessions_origin BEFORE UPDATE OF checkout_id, provider, idempotency_key, account_id, wallet, credit_micro,
  charge_minor, currency, pickup_hash, created_ms
ON checkout_sessions BEGIN SELECT RAISE(ABORT, 'immutable_checkout'); END;
CREATE TABLE webhook_events (
  provider TEXT NOT NULL, event_id TEXT NOT NULL, type TEXT NOT NULL, body_sha256 BLOB NOT NULL,
  result TEXT NOT NULL, received_ms INTEGER NOT NULL, PRIMARY KEY (provider, event_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE payer_watchlist (
  payer TEXT NOT NULL CHECK (payer = lower(payer)), provider TEXT NOT NULL, reason TEXT NOT NULL, receipt_id TEXT, added_ms INTEGER NOT NULL, cleared_ms INTEGER, cleared_by TEXT,
  PRIMARY KEY (payer, provider, added_ms)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER payer_watchlist_no_delete BEFORE DELETE ON payer_watchlist BEGIN SELECT RAISE(ABORT, 'append_only'); END;

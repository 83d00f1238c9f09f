-- The ledger's tables in PostgreSQL (PAYMENTS P8.19), complete from the first start; semantics are those of
-- sqlite/schema/ledger.sql. One role owns the tables; serviceRole.sql gives the service role its rights.

CREATE TABLE ledger_meta (key text PRIMARY KEY, value text NOT NULL);
INSERT INTO ledger_meta VALUES ('schema_version', '3');

CREATE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'append_only'; END $$;
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '%', TG_ARGV[0]; END $$;

CREATE TABLE receipt_transitions (
  from_status text NOT NULL, to_status text NOT NULL, actor_class text NOT NULL,
  PRIMARY KEY (from_status, to_status, actor_class));
-- of data/contract/billing/receiptTransitions.ts
INSERT INTO receipt_transitions VALUES {transitions};
CREATE TRIGGER receipt_transitions_fixed BEFORE INSERT OR UPDATE OR DELETE ON receipt_transitions FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER receipt_transitions_no_truncate BEFORE TRUNCATE ON receipt_transitions FOR EACH STATEMENT EXECUTE FUNCTION append_only();

CREATE TABLE payments (
  claim_key bytea PRIMARY KEY CHECK (octet_length(claim_key) = 32),
  provider text NOT NULL CHECK (provider IN ('x402_exact','gateway_batched','mpp')),
  network text NOT NULL,
  domain_contract text NOT NULL CHECK (domain_contract = lower(domain_contract)),
  payer text NOT NULL CHECK (payer = lower(payer)),
  nonce bytea NOT NULL CHECK (octet_length(nonce) = 32),
  client_ref text,
  pay_to text NOT NULL CHECK (pay_to = lower(pay_to)),
  amount_micro bigint NOT NULL CHECK (amount_micro > 0),
  valid_after bigint NOT NULL, valid_before bigint NOT NULL,
  payload_hash bytea NOT NULL CHECK (octet_length(payload_hash) = 32),
  fingerprint bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
  phase text NOT NULL CHECK (phase IN ('claimed','calling','accepted','refused','unknown')),
  receipt_id text NOT NULL UNIQUE,
  tx_hash text, refusal text,
  owner text NOT NULL, owner_until_ms bigint NOT NULL,
  next_check_ms bigint, checks int NOT NULL DEFAULT 0,
  finality text NOT NULL DEFAULT 'none' CHECK (finality IN ('none','included','safe','reorged')),
  block_number bigint,
  created_ms bigint NOT NULL, updated_ms bigint NOT NULL);
CREATE UNIQUE INDEX payments_client_ref ON payments (payer, client_ref) WHERE client_ref IS NOT NULL;
CREATE UNIQUE INDEX payments_tx ON payments (tx_hash) WHERE tx_hash IS NOT NULL AND provider = 'mpp';
CREATE INDEX payments_payer ON payments (payer, fingerprint, created_ms);
CREATE INDEX payments_due ON payments (next_check_ms) WHERE next_check_ms IS NOT NULL;

CREATE TABLE grants (
  grant_id text PRIMARY KEY,
  program text NOT NULL CHECK (program IN ('design_partner_alpha','founding_user_credit')),
  wallet text CHECK (wallet = lower(wallet)), account_id text,
  status text NOT NULL CHECK (status IN ('active','exhausted','expired','revoked','suspended')),
  budget_micro bigint NOT NULL CHECK (budget_micro >= 0),
  spent_micro bigint NOT NULL DEFAULT 0 CHECK (spent_micro >= 0),
  held_micro bigint NOT NULL DEFAULT 0 CHECK (held_micro >= 0),
  routes jsonb NOT NULL, min_price_micro bigint NOT NULL CHECK (min_price_micro > 0),
  issued_ms bigint NOT NULL, expires_ms bigint NOT NULL, updated_ms bigint NOT NULL, note text,
  CHECK (spent_micro + held_micro <= budget_micro),
  CHECK (wallet IS NOT NULL OR account_id IS NOT NULL),
  CHECK (program <> 'design_partner_alpha' OR wallet IS NOT NULL));
CREATE UNIQUE INDEX grants_wallet ON grants (program, wallet) WHERE wallet IS NOT NULL AND status NOT IN ('revoked','expired');
CREATE UNIQUE INDEX grants_account ON grants (program, account_id) WHERE account_id IS NOT NULL AND status NOT IN ('revoked','expired');
CREATE TABLE grant_events (event_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, grant_id text NOT NULL, kind text NOT NULL, detail text NOT NULL, actor text NOT NULL, at_ms bigint NOT NULL);
CREATE TRIGGER grant_events_fixed BEFORE UPDATE OR DELETE ON grant_events FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER grant_events_no_truncate BEFORE TRUNCATE ON grant_events FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TABLE grant_sessions (session_id text PRIMARY KEY, grant_id text NOT NULL REFERENCES grants, wallet text, account_id text, issued_ms bigint NOT NULL, expires_ms bigint NOT NULL, revoked_ms bigint);
CREATE TRIGGER grant_sessions_no_delete BEFORE DELETE ON grant_sessions FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER grant_sessions_no_truncate BEFORE TRUNCATE ON grant_sessions FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER grant_sessions_revocation BEFORE UPDATE ON grant_sessions FOR EACH ROW
  WHEN (OLD.revoked_ms IS NOT NULL OR (NEW.session_id, NEW.grant_id, NEW.expires_ms) IS DISTINCT FROM (OLD.session_id, OLD.grant_id, OLD.expires_ms))
  EXECUTE FUNCTION refuse_change('immutable_session');

CREATE TABLE api_keys (
  key_id text PRIMARY KEY, salt bytea NOT NULL CHECK (octet_length(salt) = 16), secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
  label text NOT NULL, scopes jsonb NOT NULL DEFAULT '[]', created_ms bigint NOT NULL, created_by text NOT NULL,
  expires_ms bigint, revoked_ms bigint, revoked_by text, replaced_by text, last_used_ms bigint);
CREATE TRIGGER api_keys_no_delete BEFORE DELETE ON api_keys FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER api_keys_no_truncate BEFORE TRUNCATE ON api_keys FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER api_keys_identity BEFORE UPDATE OF key_id, salt, secret_hash, label, scopes, created_ms, created_by, expires_ms
  ON api_keys FOR EACH ROW EXECUTE FUNCTION refuse_change('immutable_key');
CREATE TRIGGER api_keys_revocation BEFORE UPDATE OF revoked_ms, revoked_by ON api_keys FOR EACH ROW
  WHEN (OLD.revoked_ms IS NOT NULL OR NEW.revoked_ms IS NULL OR NEW.revoked_by IS NULL) EXECUTE FUNCTION refuse_change('immutable_key');

CREATE TABLE receipts (
  receipt_id text PRIMARY KEY,
  reconciliation_key text NOT NULL, response_id text NOT NULL, request_id text NOT NULL,
  route_id text NOT NULL, route_uri text NOT NULL,
  fingerprint bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
  settlement_mode text NOT NULL CHECK (settlement_mode IN ('api_key_not_charged','grant_covered','x402_direct','mpp','gateway_batched','shadow_unsettled')),
  charge_status text NOT NULL,
  quoted_micro bigint NOT NULL CHECK (quoted_micro >= 0),
  charged_micro bigint NOT NULL DEFAULT 0 CHECK (charged_micro >= 0),
  payer_identity text,
  claim_key bytea UNIQUE REFERENCES payments, grant_id text REFERENCES grants, api_key_id text REFERENCES api_keys,
  tool text, artifact_key text NOT NULL, artifact_version text NOT NULL, source_date text,
  settlement_tx_hash text, gateway_transfer_id text, batch_id text,
  refund_reference text, refunded_micro bigint NOT NULL DEFAULT 0 CHECK (refunded_micro >= 0),
  failure_reason text, settled_ms bigint, handoff_ms bigint,
  delivery_status text NOT NULL DEFAULT 'pending' CHECK (delivery_status IN ('pending','delivered','partial','undelivered')),
  replay_until_ms bigint, replay_count int NOT NULL DEFAULT 0,
  quality_flags jsonb NOT NULL DEFAULT '[]',
  actor text NOT NULL, reason text NOT NULL DEFAULT '', external_ref text,
  created_ms bigint NOT NULL, updated_ms bigint NOT NULL,
  CHECK (CASE settlement_mode
    WHEN 'x402_direct' THEN charge_status IN ('authorized','submitted','settled','failed','refunded','disputed')
    WHEN 'mpp' THEN charge_status IN ('authorized','submitted','settled','failed','refunded','disputed')
    WHEN 'gateway_batched' THEN charge_status IN ('authorized','queued_for_batch','settled','failed','refunded','disputed')
    ELSE charge_status = 'not_charged' END),
  CHECK (CASE WHEN charge_status IN ('queued_for_batch','settled','refunded','disputed') THEN charged_micro = quoted_micro ELSE charged_micro = 0 END),
  CHECK (charge_status <> 'refunded' OR (refund_reference IS NOT NULL AND refunded_micro BETWEEN 1 AND quoted_micro)),
  CHECK (charge_status <> 'failed' OR failure_reason IS NOT NULL),
  CHECK (charge_status <> 'settled' OR settlement_mode = 'gateway_batched' OR settlement_tx_hash IS NOT NULL),
  CHECK (charge_status <> 'queued_for_batch' OR gateway_transfer_id IS NOT NULL),
  CHECK ((settlement_mode IN ('x402_direct','mpp','gateway_batched')) = (claim_key IS NOT NULL)),
  CHECK ((settlement_mode = 'grant_covered') = (grant_id IS NOT NULL)),
  CHECK ((settlement_mode = 'api_key_not_charged') = (api_key_id IS NOT NULL)));
CREATE INDEX receipts_open ON receipts (charge_status, updated_ms) WHERE charge_status IN ('authorized','submitted','queued_for_batch');
-- what every paid request asks for stays small while the history grows: charged answers that did not arrive (P2.46),
-- and what the gateway still owes (P3.11)
CREATE INDEX receipts_unanswered ON receipts (delivery_status, fingerprint, created_ms)
  WHERE delivery_status IN ('pending','undelivered')
    AND charge_status IN ('authorized','submitted','queued_for_batch','settled');
CREATE INDEX receipts_queued ON receipts (payer_identity, charged_micro) WHERE charge_status = 'queued_for_batch';
CREATE INDEX receipts_time ON receipts (created_ms) INCLUDE (settlement_mode, charge_status, charged_micro);
CREATE UNIQUE INDEX receipts_transfer ON receipts (gateway_transfer_id) WHERE gateway_transfer_id IS NOT NULL;

CREATE TABLE receipt_events (
  event_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, receipt_id text NOT NULL, from_status text NOT NULL, to_status text NOT NULL,
  actor text NOT NULL, reason text NOT NULL, external_ref text, at_ms bigint NOT NULL);
CREATE INDEX receipt_events_receipt ON receipt_events (receipt_id, event_id);

CREATE FUNCTION receipts_guard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE old_status text := CASE WHEN TG_OP = 'INSERT' THEN '' ELSE OLD.charge_status END;
BEGIN
  IF TG_OP = 'UPDATE' AND (NEW.receipt_id, NEW.reconciliation_key, NEW.response_id, NEW.fingerprint, NEW.settlement_mode, NEW.quoted_micro, NEW.artifact_key, NEW.artifact_version, NEW.created_ms)
       IS DISTINCT FROM (OLD.receipt_id, OLD.reconciliation_key, OLD.response_id, OLD.fingerprint, OLD.settlement_mode, OLD.quoted_micro, OLD.artifact_key, OLD.artifact_version, OLD.created_ms)
     OR TG_OP = 'UPDATE' AND (NEW.payer_identity, NEW.claim_key, NEW.grant_id, NEW.api_key_id) IS DISTINCT FROM (OLD.payer_identity, OLD.claim_key, OLD.grant_id, OLD.api_key_id)
     OR TG_OP = 'UPDATE' AND OLD.handoff_ms IS NOT NULL AND NEW.handoff_ms IS DISTINCT FROM OLD.handoff_ms
     OR TG_OP = 'UPDATE' AND OLD.charge_status IN ('settled','refunded','disputed') AND OLD.settlement_tx_hash IS NOT NULL AND NEW.settlement_tx_hash IS DISTINCT FROM OLD.settlement_tx_hash
  THEN RAISE EXCEPTION 'immutable_receipt'; END IF;
  IF TG_OP = 'INSERT' OR NEW.charge_status <> OLD.charge_status THEN
    IF NOT EXISTS (SELECT 1 FROM receipt_transitions t WHERE t.from_status = old_status AND t.to_status = NEW.charge_status AND t.actor_class = split_part(NEW.actor, ':', 1))
    THEN RAISE EXCEPTION 'illegal_transition'; END IF;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER receipts_guard BEFORE INSERT OR UPDATE ON receipts FOR EACH ROW EXECUTE FUNCTION receipts_guard();
CREATE FUNCTION receipts_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO receipt_events (receipt_id, from_status, to_status, actor, reason, external_ref, at_ms) VALUES (NEW.receipt_id, '', NEW.charge_status, NEW.actor, NEW.reason, NEW.external_ref, NEW.updated_ms);
  ELSIF NEW.charge_status <> OLD.charge_status THEN
    INSERT INTO receipt_events (receipt_id, from_status, to_status, actor, reason, external_ref, at_ms) VALUES (NEW.receipt_id, OLD.charge_status, NEW.charge_status, NEW.actor, NEW.reason, NEW.external_ref, NEW.updated_ms);
    PERFORM pg_notify('receipt', NEW.receipt_id);
  END IF;
  IF TG_OP = 'UPDATE' AND OLD.handoff_ms IS NULL AND NEW.handoff_ms IS NOT NULL THEN
    INSERT INTO receipt_events (receipt_id, from_status, to_status, actor, reason, external_ref, at_ms) VALUES (NEW.receipt_id, NEW.charge_status, NEW.charge_status, NEW.actor, 'handoff', NULL, NEW.handoff_ms);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER receipts_log AFTER INSERT OR UPDATE ON receipts FOR EACH ROW EXECUTE FUNCTION receipts_log();
CREATE TRIGGER receipts_no_delete BEFORE DELETE ON receipts FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER receipts_origin BEFORE UPDATE OF request_id, route_id, route_uri, tool, source_date ON receipts
  FOR EACH ROW EXECUTE FUNCTION refuse_change('immutable_receipt');
CREATE TRIGGER receipts_refund BEFORE UPDATE OF refunded_micro, refund_reference ON receipts FOR EACH ROW
  WHEN (OLD.charge_status = 'refunded' AND (NEW.refunded_micro, NEW.refund_reference) IS DISTINCT FROM (OLD.refunded_micro, OLD.refund_reference))
  EXECUTE FUNCTION refuse_change('immutable_receipt');
CREATE TRIGGER receipts_transfer_kept BEFORE UPDATE OF gateway_transfer_id ON receipts FOR EACH ROW
  WHEN (OLD.gateway_transfer_id IS NOT NULL AND NEW.gateway_transfer_id IS DISTINCT FROM OLD.gateway_transfer_id)
  EXECUTE FUNCTION refuse_change('immutable_receipt');
CREATE TRIGGER receipt_events_fixed BEFORE UPDATE OR DELETE ON receipt_events FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER receipts_no_truncate BEFORE TRUNCATE ON receipts FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER receipt_events_no_truncate BEFORE TRUNCATE ON receipt_events FOR EACH STATEMENT EXECUTE FUNCTION append_only();

CREATE FUNCTION payments_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.claim_key, NEW.payer, NEW.nonce, NEW.amount_micro, NEW.fingerprint) IS DISTINCT FROM (OLD.claim_key, OLD.payer, OLD.nonce, OLD.amount_micro, OLD.fingerprint) THEN RAISE EXCEPTION 'immutable_payment'; END IF;
  IF NEW.phase <> OLD.phase AND (OLD.phase, NEW.phase) NOT IN (('claimed','calling'),('claimed','refused'),('calling','accepted'),('calling','refused'),('calling','unknown'),('unknown','accepted'),('unknown','refused'))
     AND NOT (OLD.phase = 'accepted' AND NEW.phase = 'refused' AND OLD.provider = 'gateway_batched') THEN RAISE EXCEPTION 'illegal_phase'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payments_guard BEFORE UPDATE ON payments FOR EACH ROW EXECUTE FUNCTION payments_guard();

CREATE TRIGGER payments_no_delete BEFORE DELETE ON payments FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER payments_no_truncate BEFORE TRUNCATE ON payments FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER payments_origin BEFORE UPDATE OF provider, network, domain_contract, client_ref, pay_to, valid_after, valid_before,
  payload_hash, receipt_id, created_ms ON payments FOR EACH ROW EXECUTE FUNCTION refuse_change('immutable_payment');

-- Credentials that were answered under the receipt of an earlier payment (PAYMENTS P2.46a); sqlite/schema/ledger.sql
-- says why.
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

CREATE TABLE settlement_jobs (
  job_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  claim_key bytea NOT NULL UNIQUE REFERENCES payments,
  kind text NOT NULL CHECK (kind IN ('evm_exact','mpp_broadcast')),
  payload bytea,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued','leased','sent','done','dead')),
  lease_owner text, lease_until_ms bigint, attempts int NOT NULL DEFAULT 0,
  not_before_ms bigint NOT NULL, deadline_ms bigint NOT NULL,
  signer text, account_nonce bigint, raw_tx bytea, tx_hash text,
  outcome text CHECK (outcome IN ('settled','refused','unknown')), outcome_json jsonb, last_error text,
  created_ms bigint NOT NULL, updated_ms bigint NOT NULL);
CREATE INDEX settlement_jobs_due ON settlement_jobs (not_before_ms, job_id) WHERE state IN ('queued','leased','sent');
CREATE UNIQUE INDEX settlement_jobs_nonce ON settlement_jobs (signer, account_nonce) WHERE account_nonce IS NOT NULL AND state IN ('leased','sent');
CREATE TRIGGER settlement_jobs_no_delete BEFORE DELETE ON settlement_jobs FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER settlement_jobs_no_truncate BEFORE TRUNCATE ON settlement_jobs FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TABLE signer_leases (signer text PRIMARY KEY, owner text NOT NULL, lease_until_ms bigint NOT NULL, fence bigint NOT NULL);

CREATE FUNCTION grants_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status IN ('active','exhausted') AND NEW.status = OLD.status
     AND (NEW.spent_micro, NEW.budget_micro) IS DISTINCT FROM (OLD.spent_micro, OLD.budget_micro) THEN
    NEW.status := CASE WHEN NEW.budget_micro - NEW.spent_micro < NEW.min_price_micro THEN 'exhausted' ELSE 'active' END;
  END IF;
  IF NEW.status <> OLD.status THEN
    IF (OLD.status, NEW.status) NOT IN (('active','exhausted'),('active','expired'),('active','suspended'),('active','revoked'),
        ('exhausted','active'),('exhausted','expired'),('exhausted','suspended'),('exhausted','revoked'),
        ('suspended','active'),('suspended','exhausted'),('suspended','expired'),('suspended','revoked'),('expired','active'),('expired','revoked'))
    THEN RAISE EXCEPTION 'illegal_grant_transition'; END IF;
    INSERT INTO grant_events (grant_id, kind, detail, actor, at_ms) VALUES (NEW.grant_id, 'status', OLD.status || '>' || NEW.status, coalesce(NEW.note, 'ledger'), NEW.updated_ms);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER grants_no_delete BEFORE DELETE ON grants FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER grants_no_truncate BEFORE TRUNCATE ON grants FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER grants_origin BEFORE UPDATE OF grant_id, program, account_id, issued_ms ON grants
  FOR EACH ROW EXECUTE FUNCTION refuse_change('immutable_grant');
CREATE TRIGGER grants_guard BEFORE UPDATE ON grants FOR EACH ROW EXECUTE FUNCTION grants_guard();

CREATE TABLE grant_debits (
  debit_id text PRIMARY KEY, grant_id text NOT NULL REFERENCES grants, session_id text NOT NULL REFERENCES grant_sessions,
  receipt_id text NOT NULL UNIQUE, route_id text NOT NULL, fingerprint bytea NOT NULL,
  amount_micro bigint NOT NULL CHECK (amount_micro > 0),
  state text NOT NULL CHECK (state IN ('held','debited','released','reversed')),
  hold_until_ms bigint NOT NULL, created_ms bigint NOT NULL, updated_ms bigint NOT NULL);
CREATE INDEX grant_debits_held ON grant_debits (hold_until_ms) WHERE state = 'held';
CREATE INDEX grant_debits_grant ON grant_debits (grant_id, created_ms);
CREATE FUNCTION grant_debits_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'held' THEN RAISE EXCEPTION 'illegal_debit'; END IF;
    UPDATE grants SET held_micro = held_micro + NEW.amount_micro, updated_ms = NEW.created_ms WHERE grant_id = NEW.grant_id;
  ELSE
    IF NEW.amount_micro <> OLD.amount_micro OR NEW.grant_id <> OLD.grant_id THEN RAISE EXCEPTION 'illegal_debit'; END IF;
    IF NEW.state <> OLD.state THEN
      IF (OLD.state, NEW.state) NOT IN (('held','debited'),('held','released'),('debited','reversed')) THEN RAISE EXCEPTION 'illegal_debit'; END IF;
      UPDATE grants SET
        held_micro = held_micro - CASE WHEN OLD.state = 'held' THEN OLD.amount_micro ELSE 0 END,
        spent_micro = spent_micro + CASE NEW.state WHEN 'debited' THEN OLD.amount_micro WHEN 'reversed' THEN -OLD.amount_micro ELSE 0 END,
        updated_ms = NEW.updated_ms WHERE grant_id = NEW.grant_id;
    END IF;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER grant_debits_move AFTER INSERT OR UPDATE ON grant_debits FOR EACH ROW EXECUTE FUNCTION grant_debits_move();
CREATE TRIGGER grant_debits_no_delete BEFORE DELETE ON grant_debits FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER grant_debits_no_truncate BEFORE TRUNCATE ON grant_debits FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER grant_debits_origin BEFORE UPDATE OF debit_id, session_id, receipt_id, route_id, fingerprint, created_ms ON grant_debits
  FOR EACH ROW EXECUTE FUNCTION refuse_change('illegal_debit');

CREATE TABLE challenges (
  nonce text PRIMARY KEY, wallet text NOT NULL, message text NOT NULL, issued_ms bigint NOT NULL, expires_ms bigint NOT NULL,
  consumed_ms bigint, outcome text CHECK (outcome IN ('minted','bad_signature','not_enrolled','grant_not_active')));
CREATE INDEX challenges_expiry ON challenges (expires_ms);
CREATE TABLE idempotency_keys (
  holder text NOT NULL, idem_key text NOT NULL, fingerprint bytea NOT NULL, receipt_id text NOT NULL,
  created_ms bigint NOT NULL, expires_ms bigint NOT NULL, PRIMARY KEY (holder, idem_key));
CREATE INDEX idempotency_expiry ON idempotency_keys (expires_ms);
CREATE TABLE checkout_sessions (
  checkout_id text PRIMARY KEY, provider text NOT NULL, provider_session_id text UNIQUE, idempotency_key text NOT NULL UNIQUE,
  account_id text NOT NULL, wallet text, credit_micro bigint NOT NULL CHECK (credit_micro > 0), charge_minor bigint NOT NULL, currency text NOT NULL,
  state text NOT NULL CHECK (state IN ('creating','open','paid','expired','failed','refunded')),
  grant_id text REFERENCES grants, pickup_hash bytea NOT NULL, created_ms bigint NOT NULL, updated_ms bigint NOT NULL);
CREATE TRIGGER checkout_sessions_no_delete BEFORE DELETE ON checkout_sessions FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER checkout_sessions_no_truncate BEFORE TRUNCATE ON checkout_sessions FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER checkout_sessions_origin BEFORE UPDATE OF checkout_id, provider, idempotency_key, account_id, wallet, credit_micro,
  charge_minor, currency, pickup_hash, created_ms ON checkout_sessions FOR EACH ROW EXECUTE FUNCTION refuse_change('immutable_checkout');
CREATE TABLE webhook_events (
  provider text NOT NULL, event_id text NOT NULL, type text NOT NULL, body_sha256 bytea NOT NULL, result text NOT NULL, received_ms bigint NOT NULL,
  PRIMARY KEY (provider, event_id));
CREATE TABLE payer_watchlist (
  payer text NOT NULL CHECK (payer = lower(payer)), provider text NOT NULL, reason text NOT NULL, receipt_id text, added_ms bigint NOT NULL, cleared_ms bigint, cleared_by text,
  PRIMARY KEY (payer, provider, added_ms));
CREATE TRIGGER payer_watchlist_no_delete BEFORE DELETE ON payer_watchlist FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER payer_watchlist_no_truncate BEFORE TRUNCATE ON payer_watchlist FOR EACH STATEMENT EXECUTE FUNCTION append_only();

CREATE FUNCTION ledger_claim(p payments, r receipts, submit boolean) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payments SELECT (p).* ON CONFLICT (claim_key) DO NOTHING;
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO receipts SELECT (r).*;
  IF submit THEN UPDATE receipts SET charge_status = 'submitted', actor = 'handler', updated_ms = r.updated_ms WHERE receipt_id = r.receipt_id; END IF;
  RETURN true;
END $$;
CREATE FUNCTION ledger_hold(p_debit text, p_grant text, p_session text, p_receipt text, p_route text, p_fp bytea, p_amount bigint, p_now bigint, p_hold_ms bigint) RETURNS text LANGUAGE plpgsql AS $$
DECLARE g grants; t bigint := coalesce(p_now, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
BEGIN
  SELECT * INTO g FROM grants WHERE grant_id = p_grant FOR UPDATE;
  IF NOT FOUND THEN RETURN 'unknown'; END IF;
  IF g.expires_ms <= t THEN RETURN 'expired'; END IF;
  IF g.status <> 'active' THEN RETURN g.status; END IF;
  IF g.budget_micro - g.spent_micro - g.held_micro < p_amount THEN RETURN 'insufficient'; END IF;
  INSERT INTO grant_debits VALUES (p_debit, p_grant, p_session, p_receipt, p_route, p_fp, p_amount, 'held', t + p_hold_ms, t, t);
  RETURN 'ok';
END $$;

-- The writes of the port, one function each: a method is one statement, so no lock is held across a round trip
-- (PAYMENTS P8.15). Inputs come as jsonb with the names of the columns; bytes are written \x…. `p_now` is null in
-- service, where the database's clock decides (P8.17); tests set it.

CREATE FUNCTION ledger_now(p_now bigint) RETURNS bigint LANGUAGE sql AS
  $$ SELECT coalesce(p_now, (extract(epoch FROM clock_timestamp()) * 1000)::bigint) $$;

-- the second half of a claim: T3 or the hand-over mark, and the settlement job
CREATE FUNCTION ledger_claim_next(p_receipt text, p_claim bytea, p_next text, p_job jsonb, p_at bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE payments SET phase = 'calling', updated_ms = p_at WHERE claim_key = p_claim AND phase = 'claimed';
  IF p_next = 'submitted' THEN
    UPDATE receipts SET charge_status = 'submitted', actor = 'handler', reason = 'settlement_call', external_ref = NULL, updated_ms = p_at
      WHERE receipt_id = p_receipt AND charge_status = 'authorized';
  ELSE
    UPDATE receipts SET handoff_ms = p_at WHERE receipt_id = p_receipt;
  END IF;
  IF p_job IS NOT NULL THEN
    INSERT INTO settlement_jobs (claim_key, kind, payload, not_before_ms, deadline_ms, created_ms, updated_ms)
      VALUES (p_claim, p_job->>'kind', (p_job->>'payload')::bytea, (p_job->>'not_before_ms')::bigint, (p_job->>'deadline_ms')::bigint, p_at, p_at);
  END IF;
END $$;

-- P8.22: claim, T2, T3 or mark, job; false when the claim key is taken
CREATE FUNCTION ledger_claim_whole(p_payment jsonb, p_receipt jsonb, p_next text, p_job jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  p payments := jsonb_populate_record(NULL::payments, p_payment);
  r receipts := jsonb_populate_record(NULL::receipts, p_receipt);
BEGIN
  IF NOT ledger_claim(p, r, false) THEN RETURN false; END IF;
  IF p_next IS NOT NULL THEN PERFORM ledger_claim_next(r.receipt_id, p.claim_key, p_next, p_job, r.created_ms); END IF;
  RETURN true;
END $$;

-- P8.27: compare-and-set on (receipt id, from); the payment's phase follows (P8.28)
CREATE FUNCTION ledger_transition(t jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_to text := t->>'to'; v_at bigint := (t->>'at')::bigint; v_flag text := t->>'flag';
  v_charged boolean := t->>'to' IN ('settled', 'queued_for_batch');
BEGIN
  UPDATE receipts SET charge_status = v_to,
    charged_micro = CASE WHEN v_to IN ('queued_for_batch','settled','refunded','disputed') THEN quoted_micro ELSE 0 END,
    settlement_tx_hash = coalesce(t->>'tx', settlement_tx_hash),
    gateway_transfer_id = coalesce(t->>'transfer', gateway_transfer_id),
    batch_id = coalesce(t->>'batch', batch_id),
    failure_reason = coalesce(t->>'failure', failure_reason),
    refund_reference = coalesce(t->>'refund', refund_reference),
    refunded_micro = coalesce((t->>'refunded')::bigint, refunded_micro),
    settled_ms = CASE WHEN v_to = 'settled' THEN coalesce(settled_ms, v_at) ELSE settled_ms END,
    replay_until_ms = CASE WHEN v_charged THEN coalesce(replay_until_ms, v_at + (t->>'window')::bigint) ELSE replay_until_ms END,
    delivery_status = CASE WHEN v_charged AND t->>'actor' = 'recovery' AND delivery_status = 'pending' THEN 'undelivered' ELSE delivery_status END,
    quality_flags = CASE WHEN v_flag IS NULL OR quality_flags ? v_flag THEN quality_flags ELSE quality_flags || to_jsonb(v_flag) END,
    actor = t->>'actor', reason = t->>'reason', external_ref = t->>'ref', updated_ms = v_at
    WHERE receipt_id = t->>'id' AND charge_status = t->>'from';
  IF NOT FOUND THEN RETURN false; END IF;
  IF t->>'phase' IS NOT NULL THEN
    UPDATE payments SET phase = t->>'phase', tx_hash = coalesce(t->>'tx', tx_hash), refusal = coalesce(t->>'failure', refusal),
      next_check_ms = (t->>'next')::bigint, finality = coalesce(t->>'finality', finality),
      block_number = coalesce((t->>'block')::bigint, block_number), updated_ms = v_at
      WHERE receipt_id = t->>'id';
  END IF;
  RETURN true;
END $$;

-- P8.28: the call ended without a definite answer
CREATE FUNCTION ledger_unknown(p_claim bytea, p_tx text, p_refusal text, p_next bigint, p_at bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE v_receipt text;
BEGIN
  UPDATE payments SET phase = 'unknown', tx_hash = coalesce(p_tx, tx_hash), refusal = coalesce(p_refusal, refusal), next_check_ms = p_next, updated_ms = p_at
    WHERE claim_key = p_claim AND phase = 'calling' RETURNING receipt_id INTO v_receipt;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM pg_notify('receipt', v_receipt);
  RETURN true;
END $$;

-- I5.30: the row of the key decides which receipt is quoted
CREATE FUNCTION ledger_keyed_receipt(p_receipt jsonb, p_idem jsonb, p_now bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := ledger_now(p_now); r receipts := jsonb_populate_record(NULL::receipts, p_receipt); k idempotency_keys;
BEGIN
  INSERT INTO idempotency_keys VALUES (p_idem->>'holder', p_idem->>'key', (p_idem->>'fingerprint')::bytea, r.receipt_id, v_now, (p_idem->>'expires_ms')::bigint)
    ON CONFLICT (holder, idem_key) DO UPDATE SET fingerprint = excluded.fingerprint, receipt_id = excluded.receipt_id,
      created_ms = excluded.created_ms, expires_ms = excluded.expires_ms
      WHERE idempotency_keys.expires_ms <= v_now
    RETURNING * INTO k;
  IF FOUND THEN
    INSERT INTO receipts SELECT (r).*;
    RETURN '{"kind":"stored"}';
  END IF;
  SELECT * INTO k FROM idempotency_keys WHERE holder = p_idem->>'holder' AND idem_key = p_idem->>'key';
  IF k.fingerprint <> (p_idem->>'fingerprint')::bytea THEN RETURN '{"kind":"idem_conflict"}'; END IF;
  RETURN jsonb_build_object('kind', 'replay', 'receipt_id', k.receipt_id);
END $$;

-- P7.8, P7.16: hold, receipt and idempotency key
CREATE FUNCTION ledger_hold_whole(h jsonb, p_receipt jsonb, p_idem jsonb, p_now bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := ledger_now(p_now); r receipts := jsonb_populate_record(NULL::receipts, p_receipt);
  g grants; k idempotency_keys; v_word text;
BEGIN
  SELECT * INTO g FROM grants WHERE grant_id = h->>'grant_id' FOR UPDATE;
  IF NOT FOUND THEN RETURN '{"kind":"refused","why":"unknown","grant":null}'; END IF;
  IF p_idem IS NOT NULL THEN
    SELECT * INTO k FROM idempotency_keys WHERE holder = p_idem->>'holder' AND idem_key = p_idem->>'key' AND expires_ms > v_now;
    IF FOUND AND k.fingerprint <> (p_idem->>'fingerprint')::bytea THEN RETURN '{"kind":"idem_conflict"}'; END IF;
    IF FOUND THEN RETURN jsonb_build_object('kind', 'replay', 'receipt_id', k.receipt_id, 'grant', to_jsonb(g)); END IF;
  END IF;
  v_word := ledger_hold(h->>'debit_id', g.grant_id, h->>'session_id', r.receipt_id, r.route_id, r.fingerprint, (h->>'amount_micro')::bigint, p_now, (h->>'hold_ms')::bigint);
  IF v_word <> 'ok' THEN RETURN jsonb_build_object('kind', 'refused', 'why', v_word, 'grant', to_jsonb(g)); END IF;
  INSERT INTO receipts SELECT (r).*;
  IF p_idem IS NOT NULL THEN
    INSERT INTO idempotency_keys VALUES (p_idem->>'holder', p_idem->>'key', (p_idem->>'fingerprint')::bytea, r.receipt_id, v_now, (p_idem->>'expires_ms')::bigint)
      ON CONFLICT (holder, idem_key) DO UPDATE SET fingerprint = excluded.fingerprint, receipt_id = excluded.receipt_id,
        created_ms = excluded.created_ms, expires_ms = excluded.expires_ms;
  END IF;
  SELECT * INTO g FROM grants WHERE grant_id = g.grant_id;
  RETURN jsonb_build_object('kind', 'held', 'grant', to_jsonb(g));
END $$;

-- the one lock order of budgets: first the grant, then its debits
CREATE FUNCTION ledger_lock_grant_of(p_debit text) RETURNS void LANGUAGE sql AS
  $$ SELECT 1 FROM grants WHERE grant_id = (SELECT grant_id FROM grant_debits WHERE debit_id = p_debit) FOR UPDATE $$;

-- P7.9: commit or release; the retry of a released call is a fresh call (P7.16)
CREATE FUNCTION ledger_end_hold(p_debit text, p_to text, p_now bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE d grant_debits;
BEGIN
  PERFORM ledger_lock_grant_of(p_debit);
  UPDATE grant_debits SET state = p_to, updated_ms = ledger_now(p_now) WHERE debit_id = p_debit AND state = 'held' RETURNING * INTO d;
  IF NOT FOUND THEN RETURN false; END IF;
  IF p_to = 'released' THEN DELETE FROM idempotency_keys WHERE holder = 'grant:' || d.grant_id AND receipt_id = d.receipt_id; END IF;
  RETURN true;
END $$;

-- P7.11, P7.14, P8.62: one sweep at a time, so that grants are locked in no conflicting order
CREATE FUNCTION ledger_sweep(p_now bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := ledger_now(p_now); v_day bigint := 86400000; v_debit text;
  v_holds int := 0; v_grants int; v_challenges int; v_keys int; v_webhooks int; v_answers int;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('ledger_sweep'));
  FOR v_debit IN SELECT debit_id FROM grant_debits WHERE state = 'held' AND hold_until_ms <= v_now ORDER BY grant_id, debit_id LIMIT 500 LOOP
    IF ledger_end_hold(v_debit, 'released', p_now) THEN v_holds := v_holds + 1; END IF;
  END LOOP;
  UPDATE grants SET status = 'expired', updated_ms = v_now WHERE status IN ('active','exhausted','suspended') AND expires_ms <= v_now;
  GET DIAGNOSTICS v_grants = ROW_COUNT;
  DELETE FROM challenges WHERE issued_ms <= v_now - v_day;
  GET DIAGNOSTICS v_challenges = ROW_COUNT;
  DELETE FROM idempotency_keys WHERE expires_ms <= v_now;
  GET DIAGNOSTICS v_keys = ROW_COUNT;
  DELETE FROM webhook_events WHERE received_ms <= v_now - 400 * v_day;
  GET DIAGNOSTICS v_webhooks = ROW_COUNT;
  -- a handler that is gone answers nobody any more: what it left pending counts as never delivered
  UPDATE receipts r SET delivery_status = 'undelivered' WHERE delivery_status = 'pending' AND charge_status IN ('queued_for_batch','settled')
    AND EXISTS (SELECT 1 FROM payments p WHERE p.claim_key = r.claim_key AND p.owner_until_ms <= v_now);
  GET DIAGNOSTICS v_answers = ROW_COUNT;
  RETURN jsonb_build_object('answers', v_answers, 'holds', v_holds, 'grants', v_grants, 'challenges', v_challenges, 'keys', v_keys, 'webhooks', v_webhooks);
END $$;

-- I3.13: a step of a grant's status; the note names the actor of the journal row and is taken back after it
CREATE FUNCTION ledger_grant_status(p_grant text, p_from text[], p_to text, p_as text, p_at bigint) RETURNS text LANGUAGE plpgsql AS $$
DECLARE g grants; v_to text := p_to;
BEGIN
  SELECT * INTO g FROM grants WHERE grant_id = p_grant FOR UPDATE;
  IF NOT FOUND THEN RETURN 'unknown'; END IF;
  IF NOT g.status = ANY (p_from) THEN RETURN 'illegal'; END IF;
  IF v_to IS NULL THEN v_to := CASE WHEN g.budget_micro - g.spent_micro < g.min_price_micro THEN 'exhausted' ELSE 'active' END; END IF;
  UPDATE grants SET status = v_to, note = p_as, updated_ms = p_at WHERE grant_id = p_grant;
  UPDATE grants SET note = NULL WHERE grant_id = p_grant;
  IF v_to = 'revoked' THEN UPDATE grant_sessions SET revoked_ms = p_at WHERE grant_id = p_grant AND revoked_ms IS NULL; END IF;
  RETURN 'changed';
EXCEPTION WHEN unique_violation THEN RETURN 'taken';
END $$;

-- a change beside the status: what is null stays; the remainder decides between active and exhausted afterwards
CREATE FUNCTION ledger_grant_change(p_grant text, p_kind text, p_detail text, p_as text, p_at bigint, c jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE g grants; v_word text;
BEGIN
  SELECT * INTO g FROM grants WHERE grant_id = p_grant FOR UPDATE;
  IF NOT FOUND THEN RETURN 'unknown'; END IF;
  IF g.status = 'revoked' THEN RETURN 'illegal'; END IF;
  IF p_kind = 'extend' AND g.status = 'expired' THEN
    v_word := ledger_grant_status(p_grant, ARRAY['expired'], 'active', p_as, p_at);
    IF v_word <> 'changed' THEN RETURN v_word; END IF;
  END IF;
  UPDATE grants SET expires_ms = coalesce((c->>'expires_ms')::bigint, expires_ms),
    budget_micro = budget_micro + coalesce((c->>'add_micro')::bigint, 0), routes = coalesce(c->'routes', routes),
    min_price_micro = coalesce((c->>'min_price_micro')::bigint, min_price_micro), wallet = coalesce(c->>'wallet', wallet), updated_ms = p_at
    WHERE grant_id = p_grant RETURNING * INTO g;
  v_word := CASE WHEN g.budget_micro - g.spent_micro < g.min_price_micro THEN 'exhausted' ELSE 'active' END;
  IF g.status IN ('active','exhausted') AND g.status <> v_word THEN UPDATE grants SET status = v_word WHERE grant_id = p_grant; END IF;
  INSERT INTO grant_events (grant_id, kind, detail, actor, at_ms) VALUES (p_grant, p_kind, p_detail, p_as, p_at);
  RETURN 'changed';
EXCEPTION WHEN unique_violation THEN RETURN 'taken';
END $$;

CREATE FUNCTION ledger_grant_create(g jsonb, p_as text, p_at bigint) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO grants (grant_id, program, wallet, account_id, status, budget_micro, routes, min_price_micro, issued_ms, expires_ms, updated_ms)
    VALUES (g->>'grant_id', g->>'program', g->>'wallet', g->>'account_id',
      CASE WHEN (g->>'budget_micro')::bigint < (g->>'min_price_micro')::bigint THEN 'exhausted' ELSE 'active' END,
      (g->>'budget_micro')::bigint, g->'routes', (g->>'min_price_micro')::bigint, p_at, (g->>'expires_ms')::bigint, p_at);
  INSERT INTO grant_events (grant_id, kind, detail, actor, at_ms) VALUES (g->>'grant_id', 'created', g->>'budget_micro', p_as, p_at);
  RETURN 'changed';
EXCEPTION WHEN unique_violation THEN RETURN 'taken';
END $$;

CREATE FUNCTION ledger_reverse(p_debit text, p_reason text, p_as text, p_at bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE d grant_debits;
BEGIN
  PERFORM ledger_lock_grant_of(p_debit);
  UPDATE grant_debits SET state = 'reversed', updated_ms = p_at WHERE debit_id = p_debit AND state = 'debited' RETURNING * INTO d;
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO grant_events (grant_id, kind, detail, actor, at_ms) VALUES (d.grant_id, 'reverse', p_debit || ': ' || p_reason, p_as, p_at);
  RETURN true;
END $$;

CREATE FUNCTION ledger_mint_session(s jsonb, p_nonce text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO grant_sessions SELECT (jsonb_populate_record(NULL::grant_sessions, s)).*;
  UPDATE challenges SET outcome = 'minted' WHERE nonce = p_nonce;
END $$;

-- P7.2: of more than five live challenges of a wallet the oldest is dropped
CREATE FUNCTION ledger_challenge(p_nonce text, p_wallet text, p_message text, p_issued bigint, p_expires bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO challenges (nonce, wallet, message, issued_ms, expires_ms) VALUES (p_nonce, p_wallet, p_message, p_issued, p_expires);
  DELETE FROM challenges WHERE nonce IN (SELECT nonce FROM challenges WHERE wallet = p_wallet AND consumed_ms IS NULL AND expires_ms > p_issued
    ORDER BY issued_ms DESC, nonce DESC OFFSET 5);
END $$;

-- P9.6 d: the job's lease and the signer's are checked where the bytes are stored; a replaced hash is kept (P9.8)
CREATE FUNCTION ledger_store_signed(i jsonb, p_now bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE v_now bigint := ledger_now(p_now);
BEGIN
  PERFORM 1 FROM signer_leases WHERE signer = i->>'signer' AND owner = i->>'owner' AND fence = (i->>'fence')::bigint AND lease_until_ms > v_now FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE settlement_jobs SET state = 'sent', signer = i->>'signer', account_nonce = (i->>'account_nonce')::bigint, raw_tx = (i->>'raw_tx')::bytea,
    outcome_json = CASE WHEN tx_hash IS NULL OR tx_hash = i->>'tx_hash' THEN outcome_json ELSE
      jsonb_set(coalesce(outcome_json, '{}'), '{replaced}', coalesce(outcome_json->'replaced', '[]') || to_jsonb(tx_hash)) END,
    tx_hash = i->>'tx_hash', updated_ms = (i->>'at')::bigint
    WHERE job_id = (i->>'job_id')::bigint AND lease_owner = i->>'owner' AND lease_until_ms > v_now
      AND (state = 'leased' OR (state = 'sent' AND signer = i->>'signer' AND account_nonce = (i->>'account_nonce')::bigint));
  RETURN FOUND;
END $$;

-- P9.6 g: outcome and receipt transition in one transaction
CREATE FUNCTION ledger_finish_job(p_job bigint, p_owner text, p_outcome text, p_json jsonb, p_transition jsonb, p_at bigint) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  UPDATE settlement_jobs SET state = CASE p_outcome WHEN 'unknown' THEN 'dead' ELSE 'done' END, outcome = p_outcome,
    outcome_json = CASE WHEN p_json IS NULL THEN outcome_json ELSE coalesce(outcome_json, '{}') || p_json END, payload = NULL, updated_ms = p_at
    WHERE job_id = p_job AND lease_owner = p_owner AND state IN ('leased','sent');
  IF NOT FOUND THEN RETURN 'lost_lease'; END IF;
  IF p_transition IS NULL THEN RETURN 'finished'; END IF;
  RETURN CASE WHEN ledger_transition(p_transition) THEN 'finished' ELSE 'lost_transition' END;
END $$;

-- P5.3-P5.5: idempotent by key, for the holder of the account's grant, one open checkout an account, a bounded remainder
CREATE FUNCTION ledger_checkout_create(c jsonb, p_open_ms bigint, p_max bigint) RETURNS text LANGUAGE plpgsql AS $$
DECLARE k checkout_sessions; n checkout_sessions := jsonb_populate_record(NULL::checkout_sessions, c);
  v_grant text; v_remaining bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('checkout ' || n.account_id));
  SELECT * INTO k FROM checkout_sessions WHERE idempotency_key = n.idempotency_key;
  IF FOUND THEN
    RETURN CASE WHEN (k.account_id, k.credit_micro, k.wallet) IS NOT DISTINCT FROM (n.account_id, n.credit_micro, n.wallet) THEN 'replay' ELSE 'reused' END;
  END IF;
  SELECT grant_id, budget_micro - spent_micro INTO v_grant, v_remaining FROM grants
    WHERE program = 'founding_user_credit' AND account_id = n.account_id AND status NOT IN ('revoked','expired');
  IF v_grant <> coalesce(n.grant_id, '') THEN RETURN 'not_proven'; END IF;
  n.grant_id := v_grant;
  IF EXISTS (SELECT 1 FROM checkout_sessions WHERE account_id = n.account_id AND state IN ('creating','open') AND created_ms > n.created_ms - p_open_ms)
    THEN RETURN 'open_checkout'; END IF;
  IF coalesce(v_remaining, 0) + n.credit_micro > p_max THEN RETURN 'over_limit'; END IF;
  INSERT INTO checkout_sessions SELECT (n).*;
  RETURN 'created';
END $$;

-- P5.8: raises the account's grant for a buyer who proved to hold it (P5.3), or makes one
CREATE FUNCTION ledger_checkout_credit(c checkout_sessions, e jsonb, p_at bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE v_living text; v_grant text; v_wallet text := c.wallet; v_account text := c.account_id;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('checkout ' || c.account_id));
  SELECT grant_id INTO v_living FROM grants
    WHERE program = 'founding_user_credit' AND account_id = c.account_id AND status NOT IN ('revoked','expired') FOR UPDATE;
  -- a name proves nothing: money never joins a budget its buyer has not shown to hold
  IF v_living = c.grant_id THEN v_grant := v_living; ELSIF v_living IS NOT NULL THEN v_account := c.account_id || '#' || c.checkout_id; END IF;
  IF EXISTS (SELECT 1 FROM grants WHERE program = 'founding_user_credit' AND wallet = c.wallet AND status NOT IN ('revoked','expired')
      AND grant_id IS DISTINCT FROM v_grant) THEN v_wallet := NULL; END IF;
  IF v_grant IS NULL THEN
    v_grant := e->>'new_grant_id';
    INSERT INTO grants (grant_id, program, wallet, account_id, status, budget_micro, routes, min_price_micro, issued_ms, expires_ms, updated_ms)
      VALUES (v_grant, 'founding_user_credit', v_wallet, v_account, 'active', c.credit_micro, e->'routes', (e->>'min_price_micro')::bigint, p_at, (e->>'expires_ms')::bigint, p_at);
  ELSE
    UPDATE grants SET budget_micro = budget_micro + c.credit_micro, expires_ms = greatest(expires_ms, (e->>'expires_ms')::bigint),
      routes = e->'routes', min_price_micro = (e->>'min_price_micro')::bigint, wallet = coalesce(wallet, v_wallet), updated_ms = p_at
      WHERE grant_id = v_grant;
  END IF;
  INSERT INTO grant_events (grant_id, kind, detail, actor, at_ms) VALUES (v_grant, 'credit', c.checkout_id || ' ' || c.credit_micro, 'operator:checkout', p_at);
  UPDATE checkout_sessions SET state = 'paid', grant_id = v_grant, updated_ms = p_at WHERE checkout_id = c.checkout_id;
END $$;

CREATE FUNCTION ledger_checkout_effect(e jsonb, p_at bigint) RETURNS text LANGUAGE plpgsql AS $$
DECLARE c checkout_sessions; v_kind text := e->>'kind'; v_more bigint;
BEGIN
  IF v_kind = 'none' THEN RETURN 'ignored'; END IF;
  SELECT * INTO c FROM checkout_sessions WHERE checkout_id = e->>'checkout_id' FOR UPDATE;
  IF NOT FOUND THEN RETURN CASE v_kind WHEN 'paid' THEN 'mismatch' ELSE 'ignored' END; END IF;
  IF v_kind = 'paid' THEN
    IF NOT (e->>'mode_matches')::boolean OR (e->>'amount_minor')::bigint <> c.charge_minor OR e->>'currency' <> c.currency THEN RETURN 'mismatch'; END IF;
    IF c.state IN ('creating','open') THEN
      PERFORM ledger_checkout_credit(c, e, p_at);
      RETURN 'credited';
    END IF;
    RETURN CASE WHEN c.state IN ('paid','refunded') THEN 'ignored' ELSE 'mismatch' END;
  ELSIF v_kind IN ('expired','failed') THEN
    IF c.state NOT IN ('creating','open') THEN RETURN 'ignored'; END IF;
    UPDATE checkout_sessions SET state = v_kind, updated_ms = p_at WHERE checkout_id = c.checkout_id;
    RETURN 'closed';
  ELSIF v_kind = 'refunded' THEN
    IF c.grant_id IS NULL OR c.state NOT IN ('paid','refunded') THEN RETURN 'ignored'; END IF;
    -- a provider says what it has given back in all, each time it gives something back
    SELECT (e->>'refunded_micro')::bigint - coalesce(max(split_part(detail, ' ', 2)::bigint), 0) INTO v_more FROM grant_events
      WHERE grant_id = c.grant_id AND kind = 'refund' AND split_part(detail, ' ', 1) = c.checkout_id;
    IF v_more <= 0 THEN RETURN 'ignored'; END IF;
    UPDATE grants SET budget_micro = greatest(spent_micro + held_micro, budget_micro - v_more), updated_ms = p_at WHERE grant_id = c.grant_id;
    INSERT INTO grant_events (grant_id, kind, detail, actor, at_ms) VALUES (c.grant_id, 'refund', c.checkout_id || ' ' || (e->>'refunded_micro'), 'operator:checkout', p_at);
    UPDATE checkout_sessions SET state = 'refunded', updated_ms = p_at WHERE checkout_id = c.checkout_id;
    RETURN 'refunded';
  END IF;
  IF c.grant_id IS NULL OR c.state NOT IN ('paid','refunded') OR ledger_grant_status(c.grant_id, ARRAY['active','exhausted'], 'suspended', 'operator:checkout', p_at) <> 'changed' THEN RETURN 'ignored'; END IF;
  RETURN 'suspended';
END $$;

-- an event is taken once; a payment is credited once
CREATE FUNCTION ledger_webhook(p_provider text, p_event text, p_type text, p_sha bytea, p_effect jsonb, p_at bigint) RETURNS text LANGUAGE plpgsql AS $$
DECLARE v_result text;
BEGIN
  INSERT INTO webhook_events VALUES (p_provider, p_event, p_type, p_sha, 'ignored', p_at) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN 'duplicate'; END IF;
  v_result := ledger_checkout_effect(p_effect, p_at);
  UPDATE webhook_events SET result = v_result WHERE provider = p_provider AND event_id = p_event;
  RETURN v_result;
END $$;

CREATE FUNCTION ledger_watch(p_payer text, p_provider text, p_reason text, p_receipt text, p_at bigint) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('watch ' || p_payer));
  IF EXISTS (SELECT 1 FROM payer_watchlist WHERE payer = p_payer AND provider = p_provider AND cleared_ms IS NULL) THEN RETURN 'already_listed'; END IF;
  INSERT INTO payer_watchlist (payer, provider, reason, receipt_id, added_ms) VALUES (p_payer, p_provider, p_reason, p_receipt, p_at);
  RETURN 'added';
END $$;

CREATE FUNCTION ledger_key_create(k jsonb, p_replaces text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE n api_keys := jsonb_populate_record(NULL::api_keys, k);
BEGIN
  IF p_replaces IS NOT NULL AND NOT EXISTS (SELECT 1 FROM api_keys WHERE key_id = p_replaces) THEN RETURN 'unknown_predecessor'; END IF;
  INSERT INTO api_keys SELECT (n).* ON CONFLICT (key_id) DO NOTHING;
  IF NOT FOUND THEN RETURN 'key_id_taken'; END IF;
  UPDATE api_keys SET replaced_by = n.key_id WHERE key_id = p_replaces;
  PERFORM pg_notify('api_key', n.key_id);
  RETURN 'created';
END $$;

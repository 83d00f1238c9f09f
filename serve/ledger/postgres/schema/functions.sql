-- The hot writes of the port, one function each: a method is one statement, so no lock is held across a round trip
-- (PAYMENTS P8.15); the other writes are in serve/ledger/writes. Inputs come as jsonb with the names of the columns; bytes are written \x…. `p_now` is null in
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
  -- answers left pending by a handler that has ended count as never delivered
  UPDATE receipts r SET delivery_status = 'undelivered' WHERE delivery_status = 'pending' AND charge_status IN ('queued_for_batch','settled')
    AND EXISTS (SELECT 1 FROM payments p WHERE p.claim_key = r.claim_key AND p.owner_until_ms <= v_now);
  GET DIAGNOSTICS v_answers = ROW_COUNT;
  RETURN jsonb_build_object('answers', v_answers, 'holds', v_holds, 'grants', v_grants, 'challenges', v_challenges, 'keys', v_keys, 'webhooks', v_webhooks);
END $$;

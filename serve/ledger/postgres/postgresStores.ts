import type { Ledger } from '../ledger.ts';
import { phaseAfter } from '../phaseAfter.ts';
import {
  type CheckoutCreated,
  openCheckoutMs,
  type WebhookEffect,
  type WebhookResult,
} from '../port/checkout.ts';
import type { ChallengeRow, GrantChange } from '../port/grant.ts';
import { jobRow, type RawRow, wholeNumber } from '../rows.ts';
import { checkoutColumns, grantColumns, hexBytes, transitionColumns } from './columns.ts';
import type { PostgresDatabase } from './postgresDatabase.ts';
import type { PostgresReads } from './postgresReads.ts';

type Stores = Pick<Ledger, 'jobs' | 'grants' | 'challenges' | 'checkout' | 'watchlist'>;
type Change = { readonly grantId: string; readonly as: string; readonly atMs: number };

/** The parts of the port that are stores of their own, in PostgreSQL. */
export function postgresStores(o: {
  database: PostgresDatabase;
  reads: PostgresReads;
  now: () => number | null;
}): Stores {
  const { database, reads, now } = o;

  async function changed(grantId: string, word: unknown): Promise<GrantChange> {
    if (word !== 'changed') return { kind: word as Exclude<GrantChange['kind'], 'changed'> };
    const grant = await reads.grant(grantId);
    return grant === null ? { kind: 'unknown' } : { kind: 'changed', grant };
  }

  async function moveStatus(c: Change, from: readonly string[], to: string | null): Promise<GrantChange> {
    const values = [c.grantId, from, to, c.as, c.atMs];
    return changed(c.grantId, await database.value('SELECT ledger_grant_status($1, $2, $3, $4, $5)', values));
  }

  async function change(c: Change, kind: string, detail: string, set: RawRow): Promise<GrantChange> {
    const values = [c.grantId, kind, detail, c.as, c.atMs, JSON.stringify(set)];
    return changed(
      c.grantId,
      await database.value('SELECT ledger_grant_change($1, $2, $3, $4, $5, $6)', values),
    );
  }

  return {
    jobs: {
      take: async (q) => {
        const taken = await database.rows(
          `UPDATE settlement_jobs SET state = CASE state WHEN 'queued' THEN 'leased' ELSE state END,
              lease_owner = $1, lease_until_ms = ledger_now($2) + $3::bigint, attempts = attempts + 1,
              updated_ms = ledger_now($2)
            WHERE job_id IN (
              SELECT job_id FROM settlement_jobs
              WHERE state IN ('queued','leased','sent') AND not_before_ms <= ledger_now($2)
                AND (state = 'queued' OR lease_until_ms <= ledger_now($2))
              ORDER BY job_id LIMIT $4 FOR UPDATE SKIP LOCKED)
            RETURNING *`,
          [q.owner, now(), q.leaseMs, q.limit],
        );
        return taken.map(jobRow).sort((a, b) => a.jobId - b.jobId);
      },
      renew: async (q) =>
        (
          await database.rows(
            `UPDATE settlement_jobs SET lease_until_ms = ledger_now($1) + $2::bigint, updated_ms = ledger_now($1)
              WHERE job_id = ANY ($3) AND lease_owner = $4 AND lease_until_ms > ledger_now($1)
                AND state IN ('leased','sent') RETURNING job_id`,
            [now(), q.leaseMs, q.jobIds, q.owner],
          )
        ).length,
      storeSigned: async (s) => {
        const input = {
          signer: s.lease.signer,
          owner: s.lease.owner,
          fence: s.lease.fence,
          job_id: s.jobId,
          account_nonce: s.accountNonce,
          raw_tx: hexBytes(s.rawTx),
          tx_hash: s.txHash,
          at: s.atMs,
        };
        return (
          (await database.value('SELECT ledger_store_signed($1, $2)', [JSON.stringify(input), now()])) ===
          true
        );
      },
      giveBack: async (q) =>
        (
          await database.rows(
            `UPDATE settlement_jobs SET state = 'queued', lease_owner = NULL, lease_until_ms = NULL,
                not_before_ms = $1, last_error = $2, updated_ms = $3
              WHERE job_id = $4 AND lease_owner = $5 AND state = 'leased' RETURNING job_id`,
            [q.notBeforeMs, q.error, q.atMs, q.jobId, q.owner],
          )
        ).length === 1,
      finish: async (q) => {
        const t = q.transition;
        const transition = t === null ? null : JSON.stringify(transitionColumns(t, phaseAfter(t)));
        const values = [q.jobId, q.owner, q.outcome, q.outcomeJson, transition, q.atMs];
        const word = await database.value('SELECT ledger_finish_job($1, $2, $3, $4, $5, $6)', values);
        return word as 'finished' | 'lost_lease' | 'lost_transition';
      },
      sendAgain: async (q) =>
        (
          await database.rows(
            `UPDATE settlement_jobs j SET state = 'sent', lease_owner = NULL, lease_until_ms = 0,
                not_before_ms = $2, updated_ms = $2
              WHERE claim_key = $1 AND state = 'done' AND outcome = 'settled' AND raw_tx IS NOT NULL
                AND deadline_ms > $2
                AND NOT EXISTS (SELECT 1 FROM settlement_jobs o WHERE o.state IN ('leased','sent')
                  AND o.signer = j.signer AND o.account_nonce = j.account_nonce)
              RETURNING job_id`,
            [Buffer.from(q.claimKey), q.atMs],
          )
        ).length === 1,
      ofClaim: reads.jobOfClaim,
      leaseSigner: async (q) => {
        const lease = await database.row(
          `INSERT INTO signer_leases (signer, owner, lease_until_ms, fence)
            VALUES ($1, $2, ledger_now($3) + $4::bigint, 1)
            ON CONFLICT (signer) DO UPDATE SET owner = excluded.owner, lease_until_ms = excluded.lease_until_ms,
              fence = signer_leases.fence + CASE WHEN signer_leases.owner = excluded.owner
                AND signer_leases.lease_until_ms > ledger_now($3) THEN 0 ELSE 1 END
            WHERE signer_leases.owner = excluded.owner OR signer_leases.lease_until_ms <= ledger_now($3)
            RETURNING fence`,
          [q.signer, q.owner, now(), q.leaseMs],
        );
        return lease === null
          ? null
          : { signer: q.signer, owner: q.owner, fence: wholeNumber(lease['fence']) };
      },
      releaseSigner: async (l) => {
        await database.rows(
          'UPDATE signer_leases SET lease_until_ms = 0 WHERE signer = $1 AND owner = $2 AND fence = $3',
          [l.signer, l.owner, l.fence],
        );
      },
    },
    grants: {
      create: async ({ grant, as, atMs }) => {
        const values = [JSON.stringify(grantColumns(grant)), as, atMs];
        return changed(grant.grantId, await database.value('SELECT ledger_grant_create($1, $2, $3)', values));
      },
      find: reads.grant,
      list: reads.grants,
      ofWallet: reads.grantsOfWallet,
      debits: reads.debits,
      events: reads.grantEvents,
      suspend: (q) => moveStatus(q, ['active', 'exhausted'], 'suspended'),
      resume: (q) => moveStatus(q, ['suspended'], null),
      revoke: (q) => moveStatus(q, ['active', 'exhausted', 'suspended', 'expired'], 'revoked'),
      extend: (q) => change(q, 'extend', String(q.expiresMs), { expires_ms: q.expiresMs }),
      topUp: (q) => change(q, 'topup', String(q.addMicro), { add_micro: q.addMicro }),
      setRoutes: (q) =>
        change(q, 'routes', q.routes.join(','), { routes: q.routes, min_price_micro: q.minPriceMicro }),
      linkWallet: (q) => change(q, 'wallet', q.wallet, { wallet: q.wallet }),
      reverse: async (q) =>
        (await database.value('SELECT ledger_reverse($1, $2, $3, $4)', [
          q.debitId,
          q.reason,
          q.as,
          q.atMs,
        ])) === true,
      mintSession: async ({ session: s, nonce, as }) => {
        const row = {
          session_id: s.sessionId,
          grant_id: s.grantId,
          wallet: s.wallet,
          account_id: s.accountId,
          issued_ms: s.issuedMs,
          expires_ms: s.expiresMs,
        };
        if (as === undefined) {
          await database.value('SELECT ledger_mint_session($1, $2)', [JSON.stringify(row), nonce]);
          return;
        }
        await database.rows(
          `WITH minted AS (SELECT ledger_mint_session($1, $2))
          INSERT INTO grant_events (grant_id, kind, detail, actor, at_ms)
            SELECT $3, 'session', $4, $5, $6 FROM minted`,
          [JSON.stringify(row), nonce, s.grantId, s.sessionId, as, s.issuedMs],
        );
      },
      session: reads.session,
    },
    challenges: {
      create: async (c) => {
        await database.value('SELECT ledger_challenge($1, $2, $3, $4, $5)', [
          c.nonce,
          c.wallet,
          c.message,
          c.issuedMs,
          c.expiresMs,
        ]);
      },
      consume: async ({ nonce, atMs }) => {
        const row = await database.row(
          'UPDATE challenges SET consumed_ms = $1 WHERE nonce = $2 AND consumed_ms IS NULL RETURNING *',
          [atMs, nonce],
        );
        if (row !== null) return challengeRow(row);
        const known = await database.row('SELECT 1 AS known FROM challenges WHERE nonce = $1', [nonce]);
        return known === null ? 'unknown' : 'already_used';
      },
      setOutcome: async ({ nonce, outcome }) => {
        await database.rows('UPDATE challenges SET outcome = $1 WHERE nonce = $2', [outcome, nonce]);
      },
    },
    checkout: {
      create: async (c) => {
        const values = [JSON.stringify(checkoutColumns(c)), openCheckoutMs, c.maxRemainingMicro];
        const kind = (await database.value(
          'SELECT ledger_checkout_create($1, $2, $3)',
          values,
        )) as CheckoutCreated['kind'];
        if (kind === 'reused' || kind === 'not_proven' || kind === 'over_limit') return { kind };
        const known =
          kind === 'open_checkout'
            ? await database.row(
                `SELECT checkout_id FROM checkout_sessions WHERE account_id = $1 AND created_ms > $2
                  ORDER BY state IN ('creating','open') DESC, created_ms DESC LIMIT 1`,
                [c.accountId, c.createdMs - openCheckoutMs],
              )
            : await database.row('SELECT checkout_id FROM checkout_sessions WHERE idempotency_key = $1', [
                c.idempotencyKey,
              ]);
        const stored = await reads.checkout(String(known?.['checkout_id']));
        if (stored === null) throw new Error(`the checkout ${c.checkoutId} was not stored`);
        return { kind, checkout: stored.checkout };
      },
      opened: async (q) =>
        (
          await database.rows(
            `UPDATE checkout_sessions SET state = 'open', provider_session_id = $1, updated_ms = $2
              WHERE checkout_id = $3 AND state = 'creating' RETURNING checkout_id`,
            [q.providerSessionId, q.atMs, q.checkoutId],
          )
        ).length === 1,
      ended: async (q) =>
        (
          await database.rows(
            `UPDATE checkout_sessions SET state = 'expired', updated_ms = $1
              WHERE checkout_id = $2 AND state = 'open' RETURNING checkout_id`,
            [q.atMs, q.checkoutId],
          )
        ).length === 1,
      find: reads.checkout,
      apply: async (e) =>
        (await database.value('SELECT ledger_webhook($1, $2, $3, $4, $5, $6)', [
          e.provider,
          e.eventId,
          e.type,
          Buffer.from(e.bodySha256),
          JSON.stringify(effectColumns(e.effect)),
          e.receivedMs,
        ])) as WebhookResult,
    },
    watchlist: {
      add: async (w) =>
        (await database.value('SELECT ledger_watch($1, $2, $3, $4, $5)', [
          w.payer,
          w.provider,
          w.reason,
          w.receiptId,
          w.addedMs,
        ])) as 'added' | 'already_listed',
      clear: async (q) =>
        (
          await database.rows(
            `UPDATE payer_watchlist SET cleared_ms = $1, cleared_by = $2
              WHERE payer = $3 AND cleared_ms IS NULL RETURNING payer`,
            [q.atMs, q.by, q.payer],
          )
        ).length,
      has: ({ payer, provider }) => reads.watched(payer, provider),
      list: reads.watchlist,
    },
  };
}

function challengeRow(row: RawRow): ChallengeRow {
  return {
    nonce: String(row['nonce']),
    wallet: String(row['wallet']),
    message: String(row['message']),
    issuedMs: wholeNumber(row['issued_ms']),
    expiresMs: wholeNumber(row['expires_ms']),
  };
}

function effectColumns(e: WebhookEffect): RawRow {
  switch (e.kind) {
    case 'none':
      return { kind: e.kind };
    case 'paid':
      return {
        kind: e.kind,
        checkout_id: e.checkoutId,
        amount_minor: e.amountMinor,
        currency: e.currency,
        mode_matches: e.modeMatches,
        new_grant_id: e.newGrantId,
        routes: e.routes,
        min_price_micro: e.minPriceMicro,
        expires_ms: e.expiresMs,
      };
    case 'refunded':
      return { kind: e.kind, checkout_id: e.checkoutId, refunded_micro: e.refundedMicro };
    default:
      return { kind: e.kind, checkout_id: e.checkoutId };
  }
}

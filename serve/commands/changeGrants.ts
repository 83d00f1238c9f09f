import { grantPrograms } from '../../data/contract/billing/grants.ts';
import { IssuerError, usageError } from '../../data/contract/errors/issuerError.ts';
import { routeUri } from '../../data/contract/routes/route.ts';
import { routes } from '../../data/contract/routes/routes.ts';
import { instant } from '../../data/contract/values/instant.ts';
import { programRoutes } from '../grants/coverage.ts';
import { debitStatus, grantStanding, remainingMicro } from '../grants/grantAnswers.ts';
import {
  accountArgument,
  coverageArgument,
  daysArgument,
  grantIdArgument,
  laterInstant,
  microOf,
  program,
  requireRange,
  walletArgument,
} from '../grants/grantArguments.ts';
import { mintSession } from '../grants/grantSessions.ts';
import type { GrantTokens } from '../grants/grantToken.ts';
import type { DebitRow, GrantChange, GrantRow } from '../ledger/port/grant.ts';
import type { Ledger, LedgerLog } from '../ledger/port/ledger.ts';
import { type OperatorEffects, operatorName, printLine, withLedger } from './operatorCommand.ts';

/** What the `grants` commands need of the world. */
export type GrantsCommandEffects = OperatorEffects & {
  /** @throws IssuerError `configuration` when no secret signs tokens */
  readonly tokens: () => GrantTokens;
  readonly log: LedgerLog;
  readonly ulid: () => string;
};

const dayMs = 86_400_000;

export type CreateGrantOptions = {
  program: string;
  wallet?: string;
  account?: string;
  budget?: string;
  days: string;
  routes?: string;
  overrideRange?: boolean;
  as: string;
};

/** `grants create`. */
export async function create(
  createOptions: CreateGrantOptions,
  effects: GrantsCommandEffects,
): Promise<void> {
  const as = operatorName(createOptions.as);
  const name = program(createOptions.program);
  const wallet = createOptions.wallet === undefined ? null : walletArgument(createOptions.wallet);
  const accountId = createOptions.account === undefined ? null : accountArgument(createOptions.account);
  if (name === 'design_partner_alpha' && (wallet === null || accountId !== null))
    throw usageError('design_partner_alpha is enrolled by wallet.', 'Give --wallet and no --account.');
  if (name === 'founding_user_credit' && accountId === null)
    throw usageError(
      'founding_user_credit is enrolled by account.',
      'Give --account; a wallet may be added.',
    );
  const budgetMicro = microOf(
    createOptions.budget ?? String(grantPrograms[name].recommended_default_budget_usd),
    '--budget',
  );
  requireRange({ program: name, budgetMicro, override: createOptions.overrideRange === true });
  const atMs = effects.time.nowMs();
  const grant = {
    grantId: `grt_${effects.ulid()}`,
    program: name,
    wallet,
    accountId,
    budgetMicro,
    expiresMs: atMs + daysArgument(createOptions.days) * dayMs,
    ...coverageArgument(createOptions.routes ?? programRoutes(name).join(','), '--routes'),
  };
  await withLedger(effects, async (ledger) => {
    printLine(
      effects,
      shown(changed(await ledger.grants.create({ grant, as, atMs }), grant.grantId), effects),
    );
  });
}

/** `grants show`. */
export async function show(id: string, effects: GrantsCommandEffects): Promise<void> {
  await withLedger(effects, async (ledger) => {
    const grant = await found(ledger, grantIdArgument(id));
    const events = await ledger.grants.events(grant.grantId);
    const journal = events.map(({ kind, detail, actor, atMs }) => ({
      at_utc: instant(atMs),
      kind,
      detail,
      actor,
    }));
    printLine(effects, { ...shown(grant, effects), journal });
  });
}

/** `grants debits`. */
export async function debits(id: string, effects: GrantsCommandEffects): Promise<void> {
  const uris = new Map(routes.map((route) => [route.id, routeUri(route)]));
  await withLedger(effects, async (ledger) => {
    const { grantId } = await found(ledger, grantIdArgument(id));
    for (const debit of await ledger.grants.debits(grantId)) printLine(effects, debitLine(debit, uris));
  });
}

function debitLine(debit: DebitRow, uris: ReadonlyMap<string, string>) {
  return {
    debit_id: debit.debitId,
    at_utc: instant(debit.createdMs),
    route: uris.get(debit.routeId) ?? debit.routeId,
    amount_usd: debit.amountMicro / 1e6,
    state: debitStatus(debit.state),
    receipt_id: debit.receiptId,
    reconciliation_key: debit.reconciliationKey,
  };
}

/** `grants mint-session`. */
export async function mint(id: string, as: string, effects: GrantsCommandEffects): Promise<void> {
  const operator = operatorName(as);
  const grantId = grantIdArgument(id);
  const tokens = effects.tokens();
  await withLedger(effects, async (ledger) => {
    const grant = await found(ledger, grantId);
    const nowMs = effects.time.nowMs();
    const standing = grantStanding(grant, nowMs);
    if (grant.accountId === null)
      throw usageError(
        'The wallet of this grant signs in for itself.',
        'Only account-first grants need this.',
      );
    if (standing !== 'active' && standing !== 'exhausted')
      throw usageError(`This grant is ${standing}.`, 'A session needs a grant that lives.');
    const { wallet } = grant;
    const { ulid } = effects;
    const session = await mintSession({
      grants: ledger.grants,
      tokens,
      grant,
      wallet,
      nonce: null,
      as: operator,
      nowMs,
      ulid,
    });
    const fields = { grant_id: grantId, session_id: session.session_id, operator };
    effects.log({ level: 'info', event: 'grant_session_minted', fields });
    printLine(effects, session);
  });
}

type By = {
  readonly grantId: string;
  readonly as: `operator:${string}`;
  readonly atMs: number;
};
type Act = (by: By, ledger: Ledger, grant: GrantRow) => Promise<GrantChange>;

/** The changes that name nothing but a grant and what their options ask for. */
const changes = {
  suspend: () => (by, ledger) => ledger.grants.suspend(by),
  resume: () => (by, ledger) => ledger.grants.resume(by),
  revoke: () => (by, ledger) => ledger.grants.revoke(by),
  extend: ({ until = '' }, nowMs) => {
    const expiresMs = laterInstant(until, nowMs);
    return (by, ledger) => ledger.grants.extend({ ...by, expiresMs });
  },
  topup: ({ usd = '', overrideRange = false }) => {
    const addMicro = microOf(usd, '--usd');
    return async (by, ledger, grant) => {
      const budgetMicro = grant.budgetMicro + addMicro;
      requireRange({ program: grant.program, budgetMicro, override: overrideRange });
      return ledger.grants.topUp({ ...by, addMicro });
    };
  },
  routes: ({ set = '' }) => {
    const coverage = coverageArgument(set, '--set');
    return (by, ledger) => ledger.grants.setRoutes({ ...by, ...coverage });
  },
  'link-wallet': ({ wallet: address = '' }) => {
    const wallet = walletArgument(address);
    return (by, ledger) => ledger.grants.linkWallet({ ...by, wallet });
  },
} satisfies Readonly<Record<string, (options: GrantChangeOptions, nowMs: number) => Act>>;

export type GrantChangeName = keyof typeof changes;

/** What a change is asked with; the command line requires what its change needs. */
export type GrantChangeOptions = {
  readonly as: string;
  readonly until?: string;
  readonly usd?: string;
  readonly overrideRange?: boolean;
  readonly set?: string;
  readonly wallet?: string;
};

/** `grants suspend`, `resume`, `revoke`, `extend`, `topup`, `routes`, `link-wallet`. */
export async function change({
  name,
  id,
  options,
  effects,
}: {
  name: GrantChangeName;
  id: string;
  options: GrantChangeOptions;
  effects: GrantsCommandEffects;
}): Promise<void> {
  const act: Act = changes[name](options, effects.time.nowMs());
  const as = operatorName(options.as);
  const grantId = grantIdArgument(id);
  await withLedger(effects, async (ledger) => {
    const grant = await found(ledger, grantId);
    const outcome = await act({ grantId, as, atMs: effects.time.nowMs() }, ledger, grant);
    printLine(effects, shown(changed(outcome, grantId, grant.status), effects));
  });
}

/** `grants list`. */
export async function list(effects: GrantsCommandEffects): Promise<void> {
  await withLedger(effects, async (ledger) => {
    for (const grant of await ledger.grants.list()) printLine(effects, shown(grant, effects));
  });
}

function changed(outcome: GrantChange, grantId: string, status?: string): GrantRow {
  switch (outcome.kind) {
    case 'changed':
      return outcome.grant;
    case 'unknown':
      throw noGrant(grantId);
    case 'illegal':
      throw usageError(
        `The grant is ${status ?? 'in another state'}; it cannot change like this.`,
        'See I3.13.',
      );
    case 'over_spent':
      throw usageError('More than that is spent or held already.', 'grants show prints what is left.');
    case 'taken':
      throw usageError(
        'The wallet or account has a live grant of this program.',
        'Top that one up, or revoke it first; grants list shows it.',
      );
  }
}

async function found(ledger: Ledger, grantId: string): Promise<GrantRow> {
  const grant = await ledger.grants.find(grantId);
  if (grant === null) throw noGrant(grantId);
  return grant;
}

function noGrant(grantId: string): IssuerError {
  return new IssuerError({
    code: 'input_missing',
    message: `There is no grant ${grantId}.`,
    hint: 'grants list shows the grants of this ledger.',
  });
}

function shown(grant: GrantRow, effects: GrantsCommandEffects) {
  return {
    grant_id: grant.grantId,
    grant_program: grant.program,
    grant_status: grantStanding(grant, effects.time.nowMs()),
    wallet: grant.wallet,
    account_id: grant.accountId,
    grant_budget_usd: grant.budgetMicro / 1e6,
    grant_remaining_usd: remainingMicro(grant) / 1e6,
    grant_spent_usd: grant.spentMicro / 1e6,
    grant_held_usd: grant.heldMicro / 1e6,
    grant_issued_at: instant(grant.issuedMs),
    grant_expires_at: instant(grant.expiresMs),
    updated_at: instant(grant.updatedMs),
    covered_routes: grant.routes,
  };
}

import { randomBytes } from 'node:crypto';
import type { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { routes as contractRoutes } from '../../data/contract/routes/routes.ts';
import type { GrantCheck, Rail } from '../access/accessDecision.ts';
import type { Config } from '../config/config.ts';
import { wrong } from '../config/configProblem.ts';
import type { GrantSecrets } from '../config/grantsConfig.ts';
import { loadSignatureBackend } from '../evm/recoverSigner.ts';
import type { LiveRoute, LiveRoutes } from '../free/freeAnswer.ts';
import { graceSweep } from '../ledger/graceSweep.ts';
import type { Ledger, LedgerLog, LedgerTime } from '../ledger/port/ledger.ts';
import { errorName } from '../log/log.ts';
import { steadyClock } from '../steadyClock.ts';
import { grantRail } from './grantRail.ts';
import { grantIdentityRequired, grantsUnavailable } from './grantRefusals.ts';
import { grantRoutes } from './grantRoutes.ts';
import { type KnownSessions, knownSessions } from './grantSessions.ts';
import { type GrantTokens, grantTokens } from './grantToken.ts';

/** Grants of one server: the rail of the gate, its token check, and the routes F03–F05. */
export type ComposedGrants = {
  readonly rails: readonly Rail[];
  readonly routes: LiveRoutes;
  /** null: no secret signs tokens here. */
  readonly signing: {
    readonly secrets: GrantSecrets;
    readonly tokens: GrantTokens;
    readonly sessions: KnownSessions;
  } | null;
  check(token: string): GrantCheck;
  /** @throws IssuerError `configuration` when grants exist and no secret can sign for them (P0.6) */
  requireSecrets(): Promise<void>;
};

/** A server without grants: no token is good, and the routes say so. */
export function noGrants(): ComposedGrants {
  const unavailable: LiveRoute = async () => {
    throw grantsUnavailable('Grants are not configured on this deployment.');
  };
  const identityRequired: LiveRoute = async () => {
    throw grantIdentityRequired();
  };
  return {
    rails: [],
    routes: new Map([
      ['F03', identityRequired],
      ['F04', unavailable],
      ['F05', unavailable],
    ]),
    signing: null,
    check: () => ({ kind: 'invalid' }),
    requireSecrets: async () => {},
  };
}

/** Wires the grants of one configuration. */
export function composeGrants(
  {
    config,
    ledger,
    time,
    log,
  }: {
    readonly config: Config;
    readonly ledger: Ledger;
    readonly time: LedgerTime;
    readonly log: LedgerLog;
  },
  shared: { ulid(): string },
): ComposedGrants {
  const requireSecrets = async (): Promise<void> => {
    if (secretsOf(config) === null && (await ledger.grants.list()).length > 0)
      throw secretsMissing('the ledger holds grants');
  };
  const secrets = secretsOf(config);
  if (secrets === null) return { ...noGrants(), requireSecrets };
  const nowMs = steadyClock(() => time.nowMs());
  const { baseUrl, x402 } = config.deployment;
  const { host } = new URL(baseUrl);
  const tokens = grantTokens({ secrets, audience: host, nowMs });
  const sessions = knownSessions({ grants: ledger.grants, nowMs });
  const rail = grantRail({
    ...shared,
    ledger,
    sessions,
    time,
    log,
  });
  return {
    rails: [rail],
    routes: grantRoutes({
      ...shared,
      ledger,
      tokens,
      sessions,
      backend: loadSignatureBackend(),
      place: { host, baseUrl, chainId: Number(x402.network.split(':')[1]) },
      routes: contractRoutes,
      nowMs,
    }),
    signing: { secrets, tokens, sessions },
    check: tokens.check,
    requireSecrets,
  };
}

/**
 * Tokens as an operator's command signs them. A secret a running server drew for itself is not ours to know.
 *
 * @throws IssuerError `configuration` where no secret is configured.
 */
export function operatorTokens(config: Config, time: LedgerTime): GrantTokens {
  const [newest, ...older] = config.grants.secrets;
  if (newest === undefined) throw secretsMissing('a token is to be signed');
  const audience = new URL(config.deployment.baseUrl).host;
  return grantTokens({ secrets: [newest, ...older], audience, nowMs: () => time.nowMs() });
}

// the demonstration needs no secret: tokens of a random one end with the process (P0.7)
function secretsOf(config: Pick<Config, 'grants' | 'challengeOnly'>): GrantSecrets | null {
  const [newest, ...older] = config.grants.secrets;
  if (newest !== undefined) return [newest, ...older];
  return config.challengeOnly ? [{ kid: 'drawn', secret: randomBytes(32) }] : null;
}

function secretsMissing(although: string): IssuerError {
  const hint = 'Set {"<kid>": "<base64 of 32 random bytes>"}.';
  return wrong('II_PAY_GRANT_SECRETS', `is missing although ${although}`, hint);
}

const everyMs = 30_000;

/**
 * Gives back what crashes left held and expires grants (P7.11, P7.14), every 30 s until stopped: for servers whose
 * rails have no worker that does it.
 */
export function startSweeping({
  ledger,
  time,
  log,
}: {
  ledger: Pick<Ledger, 'clock' | 'sweep'>;
  time: LedgerTime;
  log: LedgerLog;
}): () => void {
  const sweep = graceSweep(ledger);
  let stopped = false;
  let cancel = (): void => {};
  const run = async (): Promise<void> => {
    try {
      await sweep();
    } catch (error) {
      const why = errorName(error);
      log({ level: 'error', event: 'sweep_failed', fields: { why } });
    }
    if (!stopped) cancel = time.after(everyMs, () => void run());
  };
  void run();
  return () => {
    stopped = true;
    cancel();
  };
}

import { randomBytes } from 'node:crypto';
import { discoveryMembers } from '../../data/contract/billing/billingEnvelope.ts';
import {
  type GrantChallenge,
  grantMessageTemplate,
  grantSeconds,
  grantSessionEndpoint,
  grantTokenHeader,
  runwayFields,
} from '../../data/contract/billing/grants.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { type Route, routeUri } from '../../data/contract/routes/route.ts';
import { instant } from '../../data/contract/values/instant.ts';
import { conflictingCredentials, invalidGrantToken } from '../access/credentials.ts';
import { bytesOfHex, checksumAddress, keccak256 } from '../evm/ethereumBytes.ts';
import { recoverSigner, type SignatureBackend } from '../evm/recoverSigner.ts';
import type { LiveCall, LiveRoute, LiveRoutes } from '../free/freeAnswer.ts';
import type { GrantRow } from '../ledger/port/grant.ts';
import type { Ledger } from '../ledger/port/ledger.ts';
import { readBody } from '../routing/readBody.ts';
import { grantStanding, grantStateBody } from './grantAnswers.ts';
import { checkedWallet } from './grantArguments.ts';
import { grantIdentityRequired, grantTokenExpired, noLivingGrant } from './grantRefusals.ts';
import { type KnownSessions, mintSession } from './grantSessions.ts';
import type { GrantTokens } from './grantToken.ts';

const shownDebits = 20;

export type GrantRouteDeps = {
  readonly ledger: Pick<Ledger, 'grants' | 'challenges'>;
  readonly tokens: GrantTokens;
  readonly sessions: KnownSessions;
  readonly backend: SignatureBackend;
  readonly place: SignInPlace;
  readonly routes: readonly Route[];
  /** The clock tokens and challenges end by (S37). */
  nowMs(): number;
  ulid(): string;
};

/** F03, F04 and F05: state of a grant, challenge and session (I4.F03, I5.34–I5.41). */
export function grantRoutes(deps: GrantRouteDeps): LiveRoutes {
  const uris = new Map(deps.routes.map((route) => [route.id, routeUri(route)]));
  const routeUriOf = (id: string): string => uris.get(id) ?? id;
  return new Map<string, LiveRoute>([
    ['F03', (call) => grantStatus(call, deps, routeUriOf)],
    ['F04', (call) => issueChallenge(call, deps)],
    ['F05', (call) => openSession(call, deps)],
  ]);
}

async function grantStatus(call: LiveCall, deps: GrantRouteDeps, routeUriOf: (routeId: string) => string) {
  const { credentials, grant: token } = call.presented;
  const conflicts = credentials.conflicts.filter(
    (name) => name === 'authorization' || name === 'x-svc-grant-token',
  );
  if (conflicts.length > 0) throw conflictingCredentials(conflicts);
  if (credentials.grant === null) throw grantIdentityRequired();
  if (token?.kind === 'expired') throw grantTokenExpired();
  const known = token?.kind === 'valid' ? await deps.sessions.read(token.claims) : null;
  if (known === null) throw invalidGrantToken();
  const debits = await deps.ledger.grants.debits(known.grant.grantId, { newest: shownDebits });
  const body = grantStateBody({ ...known, debits, routeUriOf, nowMs: deps.nowMs() });
  return { status: 200, body } as const;
}

async function issueChallenge(call: LiveCall, deps: GrantRouteDeps) {
  const wallet = checkedWallet(String(call.params.values.get('wallet')));
  call.limit('challenge', call.request.clientAddress);
  call.limit('wallet', wallet);
  const nonce = drawNonce();
  const issuedMs = deps.nowMs();
  const text = signInMessage({ place: deps.place, wallet, nonce, issuedMs });
  const { message, expiresMs } = text;
  // the exact bytes are stored; at the session nothing is built again from the request (P7.1)
  if (!call.head) await deps.ledger.challenges.create({ nonce, wallet, message, issuedMs, expiresMs });
  const body: GrantChallenge = {
    wallet,
    wallet_checksum: checksumAddress(wallet),
    message,
    nonce,
    issued_at: text.issuedAt,
    expires_at: text.expiresAt,
    expires_in_seconds: grantSeconds.challenge,
    signature_type: 'personal_sign',
    chain_id: deps.place.chainId,
    session_endpoint: grantSessionEndpoint,
    session_ttl_seconds: grantSeconds.session,
    token_header: grantTokenHeader,
    grant_runway_authoritative_fields: [...runwayFields],
    ...discoveryMembers,
  };
  return { status: 200, body } as const;
}

async function openSession(call: LiveCall, deps: GrantRouteDeps) {
  const { challenges, grants } = deps.ledger;
  const nowMs = deps.nowMs();
  const values = readBody({ route: call.route, bytes: call.request.body });
  const wallet = String(values.get('wallet')).toLowerCase();
  const nonce = String(values.get('nonce'));
  const signature = String(values.get('signature'));
  call.limit('wallet', wallet);
  // spent before anything is judged: two POSTs at once cannot both succeed (P7.3)
  const challenge = await challenges.consume({ nonce, atMs: nowMs });
  if (challenge === 'already_used') throw notOpened('used');
  // the answer does not distinguish another wallet's nonce from an unknown one (I5.37)
  if (challenge === 'unknown' || challenge.wallet !== wallet) throw notOpened('unknown');
  if (nowMs >= challenge.expiresMs) throw notOpened('expired');
  if (!signedByWallet({ message: challenge.message, signature, wallet }, deps.backend)) {
    await challenges.setOutcome({ nonce, outcome: 'bad_signature' });
    throw notOpened('signature');
  }
  // only now: enrolment is not revealed without the wallet's signature (P7.5, S35)
  const grant = preferredGrant(await grants.ofWallet(wallet), nowMs);
  if (grant === null) {
    await challenges.setOutcome({ nonce, outcome: 'not_enrolled' });
    throw notOpened('notEnrolled');
  }
  const standing = grantStanding(grant, nowMs);
  if (standing !== 'active' && standing !== 'exhausted') {
    await challenges.setOutcome({ nonce, outcome: 'grant_not_active' });
    throw noLivingGrant(standing);
  }
  const { tokens, ulid } = deps;
  const body = await mintSession({ grants, tokens, grant, wallet, nonce, nowMs, ulid });
  return { status: 200, body } as const;
}

/** The active grant that expires first, else an exhausted one, else the one that ended last (I5.41). */
function preferredGrant(ofWallet: readonly GrantRow[], nowMs: number): GrantRow | null {
  const standing = (wanted: string) => ofWallet.find((grant) => grantStanding(grant, nowMs) === wanted);
  return standing('active') ?? standing('exhausted') ?? ofWallet.at(-1) ?? null;
}

/** Why no session is opened (I5.37–I5.41). */
const refusals = {
  unknown: {
    code: 'unknown_challenge',
    message: 'No challenge of this wallet has this nonce.',
    hint: 'Ask for a new challenge.',
  },
  used: {
    code: 'challenge_already_used',
    message: 'This challenge was used before.',
    hint: 'Ask for a new challenge; each is good for one try.',
    details: { receipt_id: null },
  },
  expired: {
    code: 'challenge_expired',
    message: 'The challenge has expired.',
    hint: `Ask for a new one and sign it within ${grantSeconds.challenge} s.`,
  },
  signature: {
    code: 'invalid_signature',
    message: 'The signature is not one of this wallet over the message.',
    hint: "Sign the message of the challenge with personal_sign; contract wallets' signatures are not taken.",
  },
  notEnrolled: {
    code: 'wallet_not_enrolled',
    message: 'No grant was enrolled for this wallet.',
    hint: 'Pay per call with x402, or ask the operator for a grant.',
    details: { grant_status: null },
  },
} as const satisfies Readonly<Record<string, ConstructorParameters<typeof IssuerError>[0]>>;

function notOpened(why: keyof typeof refusals): IssuerError {
  return new IssuerError(refusals[why]);
}

/** What a wallet signs for `personal_sign` (EIP-191, version 0x45): prefix, byte length, message. */
export function personalDigest(message: string): Uint8Array {
  const bytes = Buffer.from(message, 'utf8');
  return keccak256(Buffer.concat([Buffer.from(`\u0019Ethereum Signed Message:\n${bytes.length}`), bytes]));
}

/**
 * True when a wallet's own key signed a message: 65 bytes, `v` of 0, 1, 27 or 28, `s` in the lower half (P7.4, S7).
 * Signatures of contract wallets are not taken.
 */
export function signedByWallet(
  input: { readonly message: string; readonly signature: string; readonly wallet: string },
  backend: SignatureBackend,
): boolean {
  const signature = Uint8Array.from(bytesOfHex(input.signature));
  const v = signature[64];
  if (v === 0 || v === 1) signature[64] = v + 27;
  return recoverSigner({ signature, digest: personalDigest(input.message) }, backend) === input.wallet;
}

/** Where a grant session is opened; from configuration alone (P7.1, S21). */
type SignInPlace = {
  /** Public host, as the first line shows it. */
  readonly host: string;
  readonly baseUrl: string;
  readonly chainId: number;
};

const nonceLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const nonceLength = 24;
// the largest multiple of 62 a byte can hold; what lies above would favour the first letters
const fairBytes = 248;

/** 24 random characters of `[A-Za-z0-9]`, each equally likely (I5.37). */
export function drawNonce(random: (bytes: number) => Uint8Array = randomBytes): string {
  let nonce = '';
  while (nonce.length < nonceLength) {
    for (const byte of random(nonceLength)) {
      if (byte < fairBytes && nonce.length < nonceLength) nonce += nonceLetters.charAt(byte % 62);
    }
  }
  return nonce;
}

/** The exact text to sign (I5.36), valid for 600 s from the second it is issued in. */
function signInMessage(input: {
  place: SignInPlace;
  /** lower case */
  wallet: string;
  nonce: string;
  issuedMs: number;
}): { message: string; issuedAt: string; expiresAt: string; expiresMs: number } {
  const { host, baseUrl, chainId } = input.place;
  const issuedMs = Math.floor(input.issuedMs / 1000) * 1000;
  const expiresMs = issuedMs + grantSeconds.challenge * 1000;
  const [issuedAt, expiresAt] = [instant(issuedMs), instant(expiresMs)];
  const values: Readonly<Record<string, string>> = {
    host,
    wallet_checksum: checksumAddress(input.wallet),
    base_url: baseUrl,
    nonce: input.nonce,
    issued_at: issuedAt,
    expires_at: expiresAt,
  };
  const template = grantMessageTemplate.replace('Chain ID: 8453', `Chain ID: ${chainId}`);
  const message = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  return { message, issuedAt, expiresAt, expiresMs };
}

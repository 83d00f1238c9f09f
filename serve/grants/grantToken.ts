import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { grantSeconds } from '../../data/contract/billing/grants.ts';
import type { GrantCheck, GrantClaims } from '../access/accessDecision.ts';
import type { GrantSecret, GrantSecrets } from '../config/grantsConfig.ts';
import { boundedJson } from '../http/boundedJson.ts';

/** Most characters of a token (I5.40). */
export const maxTokenCharacters = 1024;

const prefix = 'ii1.';
const tokenPattern = /^ii1\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$/;
/** How long an older secret stays good (P7.7). */
const overlapMs = 86_400_000;

const claims = z.strictObject({
  v: z.literal(1),
  kid: z.string(),
  sid: z.string(),
  gid: z.string(),
  wal: z.string().nullable(),
  aud: z.string(),
  iat: z.int(),
  exp: z.int(),
});

/** Mints and checks grant tokens (I5.40, P7.6): `ii1.` + claims + `.` + HMAC-SHA256. */
export type GrantTokens = {
  /** Signs with the newest secret. */
  mint(session: GrantClaims): string;
  /** Everything that needs no ledger: length, parts, HMAC, claims, audience, expiry; the session row comes after. */
  check(token: string): GrantCheck;
};

/**
 * Tokens of one deployment. An older secret is good for a day from the start of this process: it was replaced at the
 * latest then, and no token lives longer (P7.7).
 */
export function grantTokens(deps: {
  secrets: GrantSecrets;
  /** Public host, the token's audience (S21). */
  audience: string;
  nowMs(): number;
}): GrantTokens {
  const [newest] = deps.secrets;
  const oldUntilMs = deps.nowMs() + overlapMs;

  /** The secret that signed; each is tried, since nothing inside a token is read before its HMAC is right. */
  function signerOf(part: string, mac: string): GrantSecret | null {
    const received = Buffer.from(mac, 'latin1');
    let signer: GrantSecret | null = null;
    for (const one of deps.secrets) {
      const expected = Buffer.from(macOf(one.secret, part), 'latin1');
      if (timingSafeEqual(expected, received)) signer ??= one;
    }
    return signer;
  }

  return {
    mint({ sessionId, grantId, wallet, issuedSeconds, expiresSeconds }) {
      const part = Buffer.from(
        JSON.stringify({
          v: 1,
          kid: newest.kid,
          sid: sessionId,
          gid: grantId,
          wal: wallet,
          aud: deps.audience,
          iat: issuedSeconds,
          exp: expiresSeconds,
        }),
      ).toString('base64url');
      return `${prefix}${part}.${macOf(newest.secret, part)}`;
    },
    check(token) {
      if (token.length > maxTokenCharacters || !tokenPattern.test(token)) return invalid;
      const end = token.lastIndexOf('.');
      const part = token.slice(prefix.length, end);
      const signer = signerOf(part, token.slice(end + 1));
      if (signer === null) return invalid;
      const nowMs = deps.nowMs();
      if (signer !== newest && nowMs >= oldUntilMs) return invalid;
      const read = boundedJson(Buffer.from(part, 'base64url'));
      const parsed = claims.safeParse('value' in read ? read.value : null);
      if (!parsed.success) return invalid;
      const { kid, sid, gid, wal, aud, iat, exp } = parsed.data;
      if (kid !== signer.kid || aud !== deps.audience || exp - iat !== grantSeconds.session) return invalid;
      // the boundary itself is expired (X68)
      if (nowMs >= exp * 1000) return expired;
      return {
        kind: 'valid',
        claims: { sessionId: sid, grantId: gid, wallet: wal, issuedSeconds: iat, expiresSeconds: exp },
      };
    },
  };
}

const invalid: GrantCheck = { kind: 'invalid' };
const expired: GrantCheck = { kind: 'expired' };

function macOf(secret: Buffer, part: string): string {
  return createHmac('sha256', secret).update(`${prefix}${part}`).digest('base64url');
}

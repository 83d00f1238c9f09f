import { type IssuerError, usageError } from '../../data/contract/errors/issuerError.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { isCivilDate } from '../../data/contract/values/primitives.ts';
import { issueApiKey, keyIdPattern, keyRingBounds } from '../keys/keyRing.ts';
import { keyInfoTable } from '../ledger/port/key.ts';
import type { ApiKeyInfo, KeyScope, LedgerLog, UnchargedLedger } from '../ledger/port/ledger.ts';
import { instantText, rowShown } from '../ledger/rows/columns.ts';
import { type OperatorEffects, operatorName, withLedger } from './operatorCommand.ts';

const scopeNames: readonly KeyScope[] = ['rest', 'mcp', 'visual'];
const labelPattern = /^[^\p{C}]{1,100}$/u;
const idAttempts = 3;
const shownKey = rowShown(keyInfoTable);

/** What the `keys` commands need of the world. */
export type KeysCommandEffects = OperatorEffects<UnchargedLedger> & { readonly log: LedgerLog };

export type CreateKeyOptions = {
  label: string;
  scopes: string;
  expires?: string;
  replaces?: string;
  as: string;
};

/** `keys creat`. */
export async function createKey(options: CreateKeyOptions, effects: KeysCommandEffects): Promise<void> {
  const createdBy = operatorName(options.as);
  const createdMs = effects.time.nowMs();
  const row = {
    label: label(options.label),
    scopes: scopes(options.scopes),
    createdMs,
    createdBy,
    expiresMs: options.expires === undefined ? null : expiry(options.expires, createdMs),
    replaces: options.replaces === undefined ? null : keyId(options.replaces),
  };
  const { text, id } = await withLedger(effects, async (ledger) => {
    for (let attempt = 0; attempt < idAttempts; attempt += 1) {
      const issued = issueApiKey();
      const { keyId: id, salt, secretHash } = issued;
      const outcome = await ledger.keys.create({ ...row, keyId: id, salt, secretHash });
      if (outcome === 'unknown_predecessor') throw unknownKey(row.replaces ?? '');
      if (outcome === 'created') return { text: issued.text, id };
    }
    throw new Error('three random key ids were taken');
  });
  effects.log({
    level: 'info',
    event: 'api_key_created',
    fields: { key_id: id, operator: createdBy, scopes: row.scopes.join(','), replaces: row.replaces },
  });
  print(effects, {
    api_key: text,
    key_id: id,
    label: row.label,
    scopes: row.scopes,
    created_at_utc: instantText(createdMs),
    created_by: createdBy,
    expires_at_utc: instantText(row.expiresMs),
    replaces: row.replaces,
    accepted_within_seconds: Math.ceil(keyRingBounds.refreshMs / 1000),
  });
}

/** `keys list`. */
export async function listKeys(effects: KeysCommandEffects): Promise<void> {
  const infos = await withLedger(effects, (ledger) => ledger.keys.list());
  for (const info of infos) print(effects, describe(info, effects.time.nowMs()));
}

/** `keys revok`. */
export async function revokeKey(input: {
  keyId: string;
  as: string;
  effects: KeysCommandEffects;
}): Promise<void> {
  const by = operatorName(input.as);
  const id = keyId(input.keyId);
  const atMs = input.effects.time.nowMs();
  const { outcome, info } = await withLedger(input.effects, async (ledger) => {
    const word = await ledger.keys.revoke({ keyId: id, as: by, atMs });
    const infos = await ledger.keys.list();
    return { outcome: word, info: infos.find((key) => key.keyId === id) };
  });
  if (outcome === 'unknown' || info === undefined) throw unknownKey(id);
  input.effects.log({
    level: 'info',
    event: 'api_key_revoked',
    fields: { key_id: id, operator: by, outcome },
  });
  print(input.effects, {
    key_id: id,
    outcome,
    revoked_at_utc: instantText(info.revokedMs),
    revoked_by: info.revokedBy,
    operator: by,
  });
}

function describe(info: ApiKeyInfo, nowMs: number): CanonicalValue {
  const expired = info.expiresMs !== null && nowMs >= info.expiresMs;
  return { ...shownKey(info), status: info.revokedMs !== null ? 'revoked' : expired ? 'expired' : 'active' };
}

function print(effects: KeysCommandEffects, value: CanonicalValue): void {
  effects.write(`${canonicalJson(value)}\n`);
}

function label(text: string): string {
  if (labelPattern.test(text) && !holdsKey(text)) return text;
  throw usageError(
    '--label is not 1 to 100 printable characters without an API key.',
    'Write for example --label "research desk".',
  );
}

function scopes(text: string): readonly KeyScope[] {
  const wanted = text.split(',').map((part) => part.trim());
  if (wanted.every((name) => scopeNames.some((scope) => scope === name))) {
    return scopeNames.filter((scope) => wanted.includes(scope));
  }
  throw usageError(
    '--scopes names something else than rest, mcp or visual.',
    'Write for example --scopes rest,mcp.',
  );
}

function expiry(text: string, nowMs: number): number {
  const full = isCivilDate(text) ? `${text}T00:00:00Z` : text;
  const day = full.slice(0, 10);
  const ms =
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(full) && isCivilDate(day) ? Date.parse(full) : Number.NaN;
  if (Number.isNaN(ms)) {
    throw usageError(
      '--expires is neither a day nor a UTC instant.',
      'Write for example --expires 2027-01-01 or --expires 2027-01-01T12:00:00Z.',
    );
  }
  if (ms > nowMs) return ms;
  throw usageError(
    '--expires lies in the past.',
    'A key is invalid from the start of that day on; give a later one.',
  );
}

// a key pasted into the wrong place would be stored and listed
function holdsKey(text: string): boolean {
  return /iik_/i.test(text);
}

// a full key on the command line is in the shell's history: refused, and not repeated in the message
function keyId(text: string): string {
  const id = text.startsWith('iik_') ? text.slice(4) : text;
  if (keyIdPattern.test(id)) return id;
  throw usageError(
    'That is not a key id of ten characters A-Z and 2-7.',
    'Give only the ten characters after iik_, never the secret; keys list shows them.',
  );
}

function unknownKey(id: string): IssuerError {
  return usageError(`There is no API key ${id}.`, 'keys list shows the keys of this ledger.');
}

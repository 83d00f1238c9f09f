import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { IssuerError } from '../../contract/errors/issuerError.ts';

/** What requests are signed with. */
export type S3Keys = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of credentials that expire; null where they do not. */
  readonly sessionToken: string | null;
};

/** Gives the credentials; `fresh` reads them once more, as they were refused. @throws IssuerError `configuration` */
export type S3Credentials = (o: { readonly fresh: boolean }) => Promise<S3Keys>;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Credentials of the usual places: `AWS_ACCESS_KEY_ID` with `AWS_SECRET_ACCESS_KEY` (and `AWS_SESSION_TOKEN`), or the
 * profile `AWS_PROFILE` of `AWS_SHARED_CREDENTIALS_FILE`, which may be rewritten while a program runs.
 */
export function s3Credentials(environment: Environment): S3Credentials {
  let known: S3Keys | null = null;
  return async ({ fresh }) => {
    if (known === null || fresh) known = fromVariables(environment) ?? (await fromFile(environment));
    return known;
  };
}

function fromVariables(environment: Environment): S3Keys | null {
  return keysOf({
    id: environment['AWS_ACCESS_KEY_ID'],
    secret: environment['AWS_SECRET_ACCESS_KEY'],
    token: environment['AWS_SESSION_TOKEN'],
  });
}

async function fromFile(environment: Environment): Promise<S3Keys> {
  const given = environment['AWS_SHARED_CREDENTIALS_FILE'] ?? '';
  const path = given === '' ? join(environment['HOME'] ?? homedir(), '.aws', 'credentials') : given;
  const profile = environment['AWS_PROFILE'] ?? 'default';
  const values = profileOf(await readFile(path, 'utf8').catch(() => ''), profile);
  const keys = keysOf({
    id: values['aws_access_key_id'],
    secret: values['aws_secret_access_key'],
    token: values['aws_session_token'],
  });
  if (keys !== null) return keys;
  throw new IssuerError({
    code: 'configuration',
    message: 'There are no credentials for the bucket.',
    hint: `Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write both for profile [${profile}] into ${path}.`,
  });
}

function keysOf({
  id,
  secret,
  token,
}: {
  id: string | undefined;
  secret: string | undefined;
  token: string | undefined;
}): S3Keys | null {
  const accessKeyId = id?.trim() ?? '';
  const secretAccessKey = secret?.trim() ?? '';
  if (accessKeyId === '' || secretAccessKey === '') return null;
  const sessionToken = token?.trim() ?? '';
  return { accessKeyId, secretAccessKey, sessionToken: sessionToken === '' ? null : sessionToken };
}

/** The values of one profile of a credentials file. */
function profileOf(text: string, profile: string): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  let isWanted = false;
  for (const line of text.split(/\r?\n/)) {
    const header = /^\s*\[([^\]]+)\]\s*$/.exec(line)?.[1];
    if (header !== undefined) isWanted = header.trim() === profile;
    const [, name, value] = /^\s*(aws_[a-z_]+)\s*=\s*(\S.*)$/.exec(line) ?? [];
    if (isWanted && name !== undefined && value !== undefined) values[name] = value.trim();
  }
  return values;
}

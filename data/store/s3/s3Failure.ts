import { IssuerError } from '../../contract/errors/issuerError.ts';

/** A request in the words of an error, without what could be a secret. */
export type S3Asked = {
  readonly act: 'read' | 'list' | 'write' | 'remove';
  readonly bucket: string;
  /** Name of the object, or prefix of a list. */
  readonly name: string;
  readonly region: string;
};

/** What an answer that is no success means. */
export type S3Failure = {
  /** `again`: it may pass; `credentials`: it may pass with credentials read again; `no`: it will not. */
  readonly retry: 'again' | 'credentials' | 'no';
  readonly error: IssuerError;
};

const credentialCodes = new Set([
  'ExpiredToken',
  'ExpiredTokenException',
  'RequestExpired',
  'TokenRefreshRequired',
  'InvalidToken',
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
]);
const passingCodes = new Set([
  'SlowDown',
  'Throttling',
  'ThrottlingException',
  'RequestTimeout',
  'OperationAborted',
  'ConditionalRequestConflict',
  'ConcurrentModification',
  // the bytes were damaged on their way
  'BadDigest',
  'XAmzContentSHA256Mismatch',
  'XAmzContentChecksumMismatch',
  'IncompleteBody',
]);
const otherRegionCodes = new Set([
  'PermanentRedirect',
  'TemporaryRedirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
]);

/**
 * What a refusal of a bucket means for the operator.
 *
 * @param code the `<Code>` of the answer; empty where there is none
 * @param serverTime what the answer says the time is, in milliseconds; null where it does not
 */
export function s3Failure({
  asked,
  status,
  code,
  region,
  serverTime,
  nowMs,
}: {
  asked: S3Asked;
  status: number;
  code: string;
  /** The region the answer names; null where it names none. */
  region: string | null;
  serverTime: number | null;
  nowMs: number;
}): S3Failure {
  const { act, bucket, name } = asked;
  const details = { status, code, bucket, name };
  const no = (message: string, hint: string): S3Failure => ({
    retry: 'no',
    error: new IssuerError({ code: 'configuration', message, hint, details }),
  });
  if (code === 'RequestTimeTooSkewed') {
    return no(
      `The clock of this machine is ${skewText(serverTime, nowMs)} the clock of the bucket’s server, which refuses it.`,
      'Set the clock (`timedatectl` shows whether it is synchronised) and run again.',
    );
  }
  if (credentialCodes.has(code)) {
    const expired = /Expired|Refresh/.test(code);
    const failure = no(
      expired
        ? `The credentials for bucket ${bucket} have expired.`
        : `Bucket ${bucket} does not know the credentials (${code}).`,
      expired
        ? 'Renew them (AWS_* variables or the credentials file) and run again; it goes on where it stopped.'
        : 'Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN and AWS_REGION.',
    );
    return { ...failure, retry: 'credentials' };
  }
  if (code === 'NoSuchBucket' || (status === 404 && act === 'list')) {
    return no(
      `There is no bucket ${bucket}.`,
      'Check the address of the store, AWS_REGION and AWS_ENDPOINT_URL, or create the bucket.',
    );
  }
  if (otherRegionCodes.has(code) || status === 301 || status === 307) {
    const where =
      region === null || region === asked.region ? 'another region' : `region ${region.slice(0, 40)}`;
    return no(
      `Bucket ${bucket} is in ${where}, not in ${asked.region}.`,
      'Set AWS_REGION (and AWS_ENDPOINT_URL, where it is set) to where the bucket is.',
    );
  }
  if (code === 'QuotaExceeded' || code === 'InsufficientStorage' || status === 507) {
    return {
      retry: 'no',
      error: new IssuerError({
        code: 'store_unwritable',
        message: `Bucket ${bucket} takes no more bytes (${code}).`,
        hint: 'Raise its quota, or run `issuer release prune`; then run again, it goes on where it stopped.',
        details,
      }),
    };
  }
  if (status >= 500 || status === 429 || status === 408 || passingCodes.has(code)) {
    return {
      retry: status === 501 ? 'no' : 'again',
      error: s3Unavailable(asked, `status ${status} ${code}`),
    };
  }
  if (status === 403 || status === 401) {
    return no(
      `Bucket ${bucket} does not let these credentials ${act} ${name === '' ? 'it' : name}.`,
      'They need s3:GetObject, s3:PutObject, s3:DeleteObject below the prefix and s3:ListBucket.',
    );
  }
  return no(
    `Bucket ${bucket} refuses to ${act} ${name} (status ${status}${code === '' ? '' : `, ${code}`}).`,
    'Check that its server speaks the S3 protocol with conditional writes and AWS signatures of version 4.',
  );
}

/** The store did not answer, or not as it should. */
export function s3Unavailable({ act, bucket, name }: S3Asked, why: string): IssuerError {
  return new IssuerError({
    code: 'store_unavailable',
    message: `Bucket ${bucket} did not ${act} ${name === '' ? 'it' : name}: ${why.trim().slice(0, 160)}.`,
    hint: 'Run again once it answers; it goes on where it stopped. `issuer doctor` says whether it does.',
    details: { bucket, name },
  });
}

function skewText(serverTime: number | null, nowMs: number): string {
  if (serverTime === null) return 'more than 15 minutes off';
  const seconds = Math.round((nowMs - serverTime) / 1000);
  return `${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'}`;
}

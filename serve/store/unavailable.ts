import { IssuerError } from '../../contract/errors/issuerError.ts';

/** The error of an artifact that exists and cannot be served (I4.9); `why` completes the sentence. */
export function unavailable(key: string, why: string, cause?: unknown): IssuerError {
  return new IssuerError({
    code: 'artifact_unavailable',
    message: `Artifact ${key} cannot be served: ${why}.`,
    hint: 'Try again later; the operator sees the same in /ready and the log.',
    details: { artifact_key: key },
    cause,
  });
}

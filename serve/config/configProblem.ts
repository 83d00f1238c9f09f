import { IssuerError } from '../../contract/errors/issuerError.ts';

/** A variable that is needed because of another setting. */
export function missing(name: string, because: string): IssuerError {
  return wrong(name, `is missing although ${because} is set`, `Set ${name}, or leave ${because} out.`);
}

/** A variable with a value the service cannot run with. */
export function wrong(name: string, what: string, hint: string): IssuerError {
  return new IssuerError({
    code: 'configuration',
    message: `${name} ${what}.`,
    hint,
    details: { variable: name },
  });
}

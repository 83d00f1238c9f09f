import { IssuerError } from '../../data/contract/errors/issuerError.ts';

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

/** The problem a check ends with, or none. */
export function foundBy(check: () => void): IssuerError[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof IssuerError) return [error];
    throw error;
  }
}

/** The problems but those that are only there because another variable was refused. */
export function withoutEchoes(
  problems: readonly IssuerError[],
  faulty: readonly IssuerError[],
): IssuerError[] {
  const refused = faulty.map(({ details }) => new RegExp(`\\b${details['variable']}\\b`));
  return problems.filter(({ message }) => !refused.some((name) => name.test(message)));
}

/** One error that tells every problem, each with its next step, so that one start finds them all. */
export function together(problems: readonly IssuerError[]): IssuerError {
  const [first] = problems;
  if (first === undefined) throw new Error('there is no problem to tell');
  if (problems.length === 1) return first;
  return new IssuerError({
    code: 'configuration',
    message: `${problems.length} variables stand in the way.`,
    hint: problems.map(({ message, hint }) => `${message} ${hint}`).join('\n  '),
    details: { variables: problems.map(({ details }) => details['variable']) },
  });
}

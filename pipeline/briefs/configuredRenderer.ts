import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { Clock } from '../effects.ts';
import type { BriefRenderer } from './briefRenderer.ts';
import { modelRenderer } from './modelRenderer.ts';

/**
 * What the environment says of the language model for briefs: none without `II_BRIEF_MODEL_URL`, and switched off unless
 * `II_BRIEF_MODEL_ENABLED` is `true` (M11.5).
 *
 * @throws IssuerError `configuration` for an address that is no https URL (http on loopback alone), or without a model
 */
export function configuredRenderer(
  environment: Readonly<Record<string, string | undefined>>,
  clock: Clock,
): BriefRenderer {
  const address = environment['II_BRIEF_MODEL_URL'] ?? '';
  if (address === '') return { kind: 'none' };
  const model = environment['II_BRIEF_MODEL'] ?? '';
  const enabled = environment['II_BRIEF_MODEL_ENABLED'] ?? 'false';
  if (!isEndpoint(address))
    throw wrong('II_BRIEF_MODEL_URL', 'an https URL without credentials; http on loopback alone');
  if (model === '') throw wrong('II_BRIEF_MODEL', 'the name of the model at II_BRIEF_MODEL_URL');
  if (enabled !== 'true' && enabled !== 'false') throw wrong('II_BRIEF_MODEL_ENABLED', 'true or false');
  if (enabled === 'false') return { kind: 'off' };
  return modelRenderer({ address, model, key: environment['II_BRIEF_MODEL_KEY'] || null, clock });
}

function isEndpoint(address: string): boolean {
  const url = URL.parse(address);
  if (url === null || url.username !== '' || url.password !== '') return false;
  const isLoopback = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback);
}

function wrong(variable: string, wanted: string): IssuerError {
  return new IssuerError({
    code: 'configuration',
    message: `${variable} has to be ${wanted}.`,
    hint: 'Without II_BRIEF_MODEL_URL briefs are compiled from their templates alone.',
  });
}

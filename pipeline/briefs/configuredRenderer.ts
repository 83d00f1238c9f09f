import { Agent, request } from 'undici';
import { z } from 'zod';
import {
  type BriefPlan,
  type ChosenLine,
  requiredLines,
  wordings,
} from '../../calculators/briefs/briefPlan.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { longestBrief } from '../../data/contract/payloads/reports/naturalBrief.ts';
import type { Clock } from '../effects.ts';
import type { BriefRenderer, Choosing } from './renderBriefs.ts';

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

/** Version of the instruction below. */
const promptVersion = 'choose-1.0';

const instruction = [
  'You edit a screening brief on public companies by choosing among sentences that are written already. The user sends JSON:',
  'sections in their fixed order, each with lines; a line has an id and its wordings, the fullest first. Answer with a JSON',
  'array alone, without a code fence: {"id": <id of a line>, "wording": <index of one of its wordings>} for each line you',
  'keep, in the order in which it is read. Keep every line with "required": true. Name no line twice. A line with "behind"',
  'stands directly behind the line it names, or not at all. The brief has at most "longest" characters.',
].join(' ');

/** What a model is asked: the lines it may choose among. */
const question = (plan: BriefPlan) => {
  const required = requiredLines(plan);
  return {
    style: plan.style,
    longest: longestBrief[plan.style],
    sections: plan.sections.map(({ heading, lines }) => ({
      heading,
      lines: lines.map((line) => ({
        id: line.id,
        wordings: wordings(line),
        required: required.has(line.id),
        ...(line.behind === null ? {} : { behind: line.behind }),
      })),
    })),
  };
};

/** What it answers with; every other text falls back. */
const answered = z.array(z.strictObject({ id: z.string(), wording: z.number().int().min(0) }));

const completion = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
  usage: z.object({ total_tokens: z.number().int().min(0) }).nullish(),
});

type ModelLimits = {
  /** Longest wait for one answer, its body included (I2.45). */
  readonly answerMs: number;
  /** Longest answer. */
  readonly maxBytes: number;
  /** All answers of a night together; after it no more are asked for. */
  readonly nightMs: number;
  /** Failures in a row after which no more answers are asked for. */
  readonly failures: number;
};

/** Bounds of a night: an endpoint that is away costs a minute, one that works takes a quarter of an hour at most. */
export const modelLimits: ModelLimits = {
  answerMs: 20_000,
  maxBytes: 65_536,
  nightMs: 900_000,
  failures: 3,
};

/**
 * A language model behind an endpoint that speaks the chat-completions protocol (M11.5). It is asked in the night alone,
 * one brief at a time, and writes no word of it: its answer is a list of our own lines.
 *
 * @param address base URL, to which `/chat/completions` is added
 * @param key bearer token; null sends none
 */
export function modelRenderer({
  address,
  model,
  key,
  clock,
  limits = modelLimits,
}: {
  address: string;
  model: string;
  key: string | null;
  clock: Clock;
  limits?: ModelLimits;
}): BriefRenderer {
  const url = `${address.replace(/\/+$/, '')}/chat/completions`;
  const agent = new Agent({ connections: 1, pipelining: 1, allowH2: false, maxHeaderSize: 16_384 });
  let spentMs = 0;
  let failures = 0;
  return {
    kind: 'model',
    model,
    promptVersion,
    async choose(plan) {
      if (spentMs >= limits.nightMs) return { fallback: 'apex_timeout' };
      if (failures >= limits.failures) return { fallback: 'apex_api_error' };
      const from = clock.now().getTime();
      const answer = await ask({ url, model, key, agent, limits }, plan);
      spentMs += clock.now().getTime() - from;
      const isFailure =
        'fallback' in answer && (answer.fallback === 'apex_timeout' || answer.fallback === 'apex_api_error');
      failures = isFailure ? failures + 1 : 0;
      return answer;
    },
  };
}

type Endpoint = {
  readonly url: string;
  readonly model: string;
  readonly key: string | null;
  readonly agent: Agent;
  readonly limits: ModelLimits;
};

async function ask(endpoint: Endpoint, plan: BriefPlan): Promise<Choosing> {
  const { url, model, key, agent, limits } = endpoint;
  const signal = AbortSignal.timeout(limits.answerMs);
  try {
    const { statusCode, body } = await request(url, {
      dispatcher: agent,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({
        model,
        temperature: 0,
        messages: [
          { role: 'system', content: instruction },
          { role: 'user', content: JSON.stringify(question(plan)) },
        ],
      }),
      signal,
    });
    if (statusCode < 200 || statusCode > 299) {
      await body.dump();
      return { fallback: 'apex_api_error' };
    }
    return choosing(await readAtMost(body, limits.maxBytes));
  } catch {
    return { fallback: signal.aborted ? 'apex_timeout' : 'apex_api_error' };
  }
}

/** @throws RangeError when the body is longer. */
async function readAtMost(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body) {
    length += part.length;
    if (length > maxBytes) throw new RangeError('the answer is too long');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** @throws SyntaxError or ZodError for what is no completion. */
function choosing(answer: string): Choosing {
  const { choices, usage } = completion.parse(JSON.parse(answer));
  const [choice] = choices;
  const { content, refusal } = choice?.message ?? {};
  if ((refusal ?? '') !== '' || choice?.finish_reason === 'content_filter')
    return { fallback: 'apex_policy_blocked' };
  const text = (content ?? '').trim();
  if (text === '') return { fallback: 'apex_empty_output' };
  const chosen = listOf(text);
  return chosen === null
    ? { fallback: 'apex_malformed_markdown' }
    : { chosen, tokens: usage?.total_tokens ?? 0 };
}

function listOf(text: string): ChosenLine[] | null {
  try {
    return answered.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

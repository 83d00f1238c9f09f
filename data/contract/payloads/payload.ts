import type { z } from 'zod';
import type { ServeTime } from './serveTime.ts';
import type { AnyStored } from './stored.ts';

/** All that is known of a payload before a release is read. */
export type Payload<
  Id extends string,
  S extends z.ZodObject,
  Stored extends Readonly<Record<string, AnyStored>>,
> = {
  /** Schema id of I4.31a. */
  readonly id: Id;
  /** Component name in the API description: the id in Pascal case, without its version. */
  readonly name: string;
  readonly schema: S;
  readonly example: z.output<S>;
  /** What a catalogue shows of it: an excerpt of the example that says at a glance what is sold (P2.2, P2.6). */
  readonly excerpt: object;
  /** Members that no artifact holds and the server fills in; null without one (I4.29). */
  readonly serveTime: ServeTime | null;
  /** Payloads that stand in it whole: documents refer to them and describe them once. */
  readonly embeds: readonly Embedded[];
  readonly stored: Stored;
};

/** A payload inside another one. */
export type Embedded = { readonly id: string; readonly name: string; readonly schema: z.ZodObject };

/**
 * Defines a payload: schema, example, excerpt, and how it is stored; `data/contract/meanings` says what its members mean.
 *
 * @param excerpt paths into the example, such as `points[0].date`; small enough for the challenge header
 * @throws TypeError when the example has no member under a path of the excerpt
 */
export function payload<
  const Id extends string,
  S extends z.ZodObject,
  const Stored extends Readonly<Record<string, AnyStored>>,
>(input: {
  id: Id;
  schema: S;
  example: NoInfer<z.output<S>>;
  excerpt: readonly string[];
  serveTime?: ServeTime;
  embeds?: readonly Embedded[];
  stored: Stored;
}): Payload<Id, S, Stored> {
  const { id, schema, example, serveTime = null, embeds = [], stored } = input;
  const name = id
    .replace(/\.v\d+$/, '')
    .replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const excerpt = excerptOf(example, input.excerpt);
  return { id, name, schema, example, excerpt, serveTime, embeds, stored };
}

type Json = { [member: string]: unknown };

/**
 * Picks members of an example by paths such as `data[0].ticker`, in the order of the paths.
 *
 * @throws TypeError when the example has nothing under a path
 */
export function excerptOf(example: object, paths: readonly string[]): object {
  const excerpt: Json = {};
  for (const path of paths) copy({ path, from: example, into: excerpt, steps: path.split(/\.|(?=\[)/) });
  return excerpt;
}

function copy(input: { path: string; from: unknown; into: Json; steps: readonly string[] }): void {
  const { path, from, into } = input;
  const [step = '', ...steps] = input.steps;
  const member = step.replace(/^\[(\d+)\]$/, '$1');
  const value = (from as Json | undefined)?.[member];
  if (value === undefined) throw new TypeError(`the example has no member ${path}`);
  if (steps.length === 0) {
    into[member] = value;
    return;
  }
  const inner = into[member] ?? (steps[0]?.startsWith('[') ? [] : {});
  into[member] = inner;
  copy({ path, from: value, into: inner as Json, steps });
}

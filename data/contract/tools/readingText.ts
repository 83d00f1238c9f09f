import { z } from 'zod';
import { isUnmeasured, type TierEvidence, untieredOf } from '../meanings/untiered.ts';
import { payloads, type SchemaId } from '../payloads/payloads.ts';
import { printedToken, type TokenValue, tokenAt } from './exactTokens.ts';
import table from './readings.json' with { type: 'json' };
import type { ToolProvenance } from './toolResult.ts';

/** A figure of a text: path in the data, its unit where it has one, and its name where the path is too long for one. */
const figure = z.tuple([z.string(), z.string().optional(), z.string().optional()]);

/** What a reading text shows of an answer. */
const reading = z.strictObject({
  /** Figures of the one-line summary. */
  headline: z.array(figure),
  figures: z.array(figure),
  /** Path of a text that is the answer itself. */
  prose: z.string().optional(),
  /** Figures that measure nothing in a row whose debt or coins are unproven or none; what it lacks is said instead (M3.3). */
  measured: z.array(z.string()).optional(),
  /** A list of which the first rows are shown. */
  rows: z.strictObject({ member: z.string(), columns: z.array(figure) }).optional(),
});

type Figure = z.infer<typeof figure>;
type Reading = z.infer<typeof reading>;

/**
 * What is reported of the answers whose figures are chosen by hand, by schema id. Of the most stressed it is the live
 * figures first: the rank is theirs, and those of the filing may contradict it.
 */
export const readings: Readonly<Record<string, Reading>> = z.record(z.string(), reading).parse(table);

/** Longest summary and longest reading text in characters (I4.MCP.15). */
const maxSummary = 140;
export const maxReading = 1500;
const maxTail = 850;
const shownRows = ['[0]', '[1]', '[2]', '[3]', '[4]'];
const maxValue = 120;

/** What a text is about. */
export type About = {
  readonly title: string;
  readonly schemaId: string;
  /** Ticker or product; null where the answer is about no single one. */
  readonly subject: string | null;
  readonly sourceDate: string | null;
  readonly data: TokenValue;
};

/** The parts of a reading text that no call changes. */
export type PreparedReading = { readonly summary: string; readonly figures: string };

/**
 * Puts the figures of an answer into words, each as it stands in the data: a one-line summary, and the lines of figures.
 * A number is repeated digit by digit, so that text and data cannot disagree (I4.MCP.15).
 */
export function prepareReading(about: About): PreparedReading {
  const reading = readings[about.schemaId] ?? fromExcerpt(about.schemaId);
  return { summary: summaryOf(about, reading), figures: figuresOf(about, reading) };
}

/** The complete text: figures, then the notes on the call; what is too long is dropped from the end of the figures. */
export function readingText(figures: string, tail: string): string {
  if (tail === '') return cut(figures, maxReading);
  const end = cut(tail, maxTail);
  return `${cut(figures, maxReading - end.length - 1)}\n${end}`;
}

// payloads without words of their own show what their catalogue entry shows
function fromExcerpt(schemaId: string): Reading {
  if (!Object.hasOwn(payloads, schemaId)) return { headline: [], figures: [] };
  const paths = leafPaths(payloads[schemaId as SchemaId].excerpt, '').map((path): Figure => [path]);
  return { headline: paths.slice(0, 3), figures: paths };
}

function leafPaths(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return path === '' ? [] : [path];
  return Object.entries(value).flatMap(([name, inner]) =>
    leafPaths(inner, Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`),
  );
}

function summaryOf({ title, subject, sourceDate, data }: About, { headline, measured }: Reading): string {
  const date = sourceDate === null ? '' : ` (${sourceDate})`;
  const parts = [`${subject === null ? '' : `${subject} · `}${title}`];
  for (const figure of measuredOf(headline, { data, below: '', measured })) {
    const shown = shownFigure(data, figure, '');
    if (shown === null) continue;
    if (`${[...parts, shown].join(', ')}${date}.`.length <= maxSummary) parts.push(shown);
  }
  return `${parts.join(', ')}${date}.`.slice(0, maxSummary);
}

function figuresOf({ title, subject, data }: About, { figures, prose, rows, measured }: Reading): string {
  const shown = measuredOf(figures, { data, below: '', measured }).flatMap(
    (figure) => shownFigure(data, figure, '') ?? [],
  );
  const lines = [`${subject === null ? '' : `${subject} · `}${title}.`];
  const untiered = measured === undefined ? null : untieredOf(tierEvidence(data, ''));
  if (untiered !== null) lines.push(`No tier: ${untiered.why}; ${untiered.remedy}.`);
  if (shown.length > 0) lines.push(`${shown.join('; ')}.`);
  const told = prose === undefined ? null : printedToken(tokenAt(data, prose));
  if (told !== null) lines.push(told.trim());
  if (rows !== undefined) lines.push(...rowLines(data, { ...rows, measured }));
  return lines.join('\n');
}

function rowLines(
  data: TokenValue,
  { member, columns, measured }: NonNullable<Reading['rows']> & { measured: Reading['measured'] },
): string[] {
  const list = tokenAt(data, member);
  if (!Array.isArray(list)) return [];
  if (list.length === 0) return [`${member}: none.`];
  const lines = shownRows.flatMap((row) => {
    const below = `${member}${row}.`;
    const cells = measuredOf(columns, { data, below, measured }).flatMap(
      (figure) => shownFigure(data, figure, below) ?? [],
    );
    return cells.length === 0 ? [] : [`- ${cells.join(', ')}`];
  });
  return [`First of ${member}:`, ...lines];
}

/** The figures but those that measure nothing in this row. */
function measuredOf(
  figures: readonly Figure[],
  { data, below, measured }: { data: TokenValue; below: string; measured: Reading['measured'] },
): readonly Figure[] {
  if (measured === undefined || !isUnmeasured(tierEvidence(data, below))) return figures;
  return figures.filter(([path]) => !measured.includes(path));
}

function tierEvidence(data: TokenValue, below: string): TierEvidence {
  const at = (path: string) => printedToken(tokenAt(data, `${below}${path}`));
  const notes = tokenAt(data, `${below}data_quality_notes`);
  return {
    tier: at('risk_tier'),
    basis: at('figures_basis'),
    relevance: at('treasury_relevance'),
    quality: at('quality_flag'),
    period: at('period'),
    sourceDate: at('source_date'),
    notes: Array.isArray(notes) ? notes.flatMap((note) => printedToken(note) ?? []) : [],
  };
}

function shownFigure(data: TokenValue, [path, unit, called]: Figure, below: string): string | null {
  const value = printedToken(tokenAt(data, `${below}${path}`));
  if (value === null) return null;
  const name = path.split(/\.|\[\d+\]/).filter((step) => step !== '');
  const label = called ?? (below === '' ? name.join(' ') : (name.at(-1) ?? path));
  const has = unit === undefined || unit === '' ? '' : ` ${unit}`;
  return `${label} ${cut(value, maxValue).replace(/\.$/, '')}${has}`;
}

// cut at a space: half a number would be another number
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = text.slice(0, length - 1);
  const space = Math.max(end.lastIndexOf(' '), end.lastIndexOf('\n'));
  return `${space > 0 ? end.slice(0, space) : ''}…`;
}

/** An age as a tool tells it: whole hours and whole days beside its minutes (I4.MCP.15). */
type AgeInUnits = Pick<ToolProvenance, 'age_minutes' | 'age_hours' | 'age_days'>;

/** The members of an age in minutes; what is not known in one unit is not known in any. */
export function ageInUnits(minutes: number | null): AgeInUnits {
  if (minutes === null) return { age_minutes: null, age_hours: null, age_days: null };
  const hours = Math.floor(minutes / 60);
  return { age_minutes: minutes, age_hours: hours, age_days: Math.floor(hours / 24) };
}

/** The age in words, in the largest unit that it is two of; null where it is not known. */
export function ageInWords({
  age_minutes: minutes,
  age_hours: hours,
  age_days: days,
}: AgeInUnits): string | null {
  if (minutes === null || hours === null || days === null) return null;
  if (days >= 2) return `${days} days`;
  return hours >= 2 ? `${hours} hours` : `${minutes} minutes`;
}

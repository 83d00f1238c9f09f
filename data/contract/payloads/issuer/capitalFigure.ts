import { z } from 'zod';
import { date, exact } from '../../values/primitives.ts';
import { payload } from '../payload.ts';

/** How well filed facts prove a figure, the best first (M18.1). */
export const figureStatuses = ['proven', 'supported', 'stated', 'partial', 'unproven'] as const;

/** Why a figure is null (M18.2). */
export const capitalReasons = [
  'not_filed',
  'not_applicable',
  'conflict',
  'unconfirmed',
  'price_missing',
  'price_basis_unknown',
  'no_instance',
  'status_unproven',
  'cash_flow_positive',
  'lower_bound',
  'par_only',
  'missing',
] as const;

export type FigureStatusName = (typeof figureStatuses)[number];
export type CapitalReason = (typeof capitalReasons)[number];

/** A filed fact behind figures of the payload, which name it by its place in `facts` (I2.71). */
export const capitalFact = z.object({
  concept: z.string(),
  start: date.optional(),
  date: date.optional(),
  members: z.array(z.number().int().min(0)).optional(),
  value: z.string(),
  unit: z.string().optional(),
});

/** A figure with status, basis and facts, or null with its reason (I2.71). */
const schema = z.object({
  value: z.union([exact, z.string()]).nullable(),
  status: z.enum(figureStatuses).optional(),
  basis: z.string().optional(),
  null_reason: z.enum(capitalReasons).optional(),
  part: z.string().optional(),
  facts: z.array(z.number().int().min(0)).optional(),
});

/** Null alone where no fact is filed. */
export const figure = schema.nullable();

export type CapitalFactRow = z.infer<typeof capitalFact>;
export type CapitalFigure = z.infer<typeof figure>;

/** Stands in the capital structure alone. */
export const capitalFigure = payload({
  id: 'capital_figure.v1',
  name: 'CapitalFigure',
  schema,
  example: { value: 800_000_000, status: 'proven', basis: 'gross', facts: [0, 1] },
  excerpt: ['value', 'status'],
  meanings: {
    value:
      'Amount, count or rate; of a date the day, of a month the month. Null with a reason. A figure that is null as a whole is not filed as a fact, which is not zero.',
    status: 'proven by an identity of filed facts, supported, stated by one tag, partial, or unproven.',
    basis: 'How it was found, in the word of its rule.',
    null_reason: 'Why there is none: a word of METHODOLOGY M18.2.',
    part: 'Which part is missing, in conflict, or known as a lower bound.',
    facts: 'Filed facts behind it, by their place in the list facts of the payload, from 0.',
  },
  stored: {},
});

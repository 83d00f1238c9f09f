import { z } from 'zod';
import { covenantStress } from '../payloads/issuer/covenantStress.ts';

/** `/samples/{operation_id}` (I4.F20.1): the answer of a paid route, marked as a sample before anything else. */
export const sample = z.looseObject({ sample: z.literal(true) });

/** Its first members, as an excerpt. */
export const sampleExample = { sample: true, ...covenantStress.example } as const;

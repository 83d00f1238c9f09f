/**
 * How a chart says that what it draws rests on made-up observations (flag `synthetic`): below a name, in a table or a
 * description, under the picture (V39a). Not the word of the flag alone: baskets are synthetic products, too.
 */
export const madeUp = {
  detail: 'made up',
  observations: 'made-up observations',
  note: 'Made up: synthetic observations for a demonstration, of no market.',
} as const;

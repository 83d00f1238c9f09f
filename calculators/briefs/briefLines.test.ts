import { expect, it } from 'vitest';
import { core, fitLines, leading } from './briefLines.ts';

const bodyOf = (lines: Parameters<typeof fitLines>[0]['sections'][number]['lines']) =>
  fitLines({ title: 'T', sections: [{ heading: 'S', lines }], style: 'trader' })
    .split('\n\n')
    .slice(2, -1);

it('puts what leads first for traders, an item behind the sentence of its list (M11.9)', () => {
  expect(bodyOf([core('One.'), core('- a'), leading(core('- b')), leading(core('Two.'))])).toEqual([
    'Two. One.\n- b\n- a',
  ]);
  expect(bodyOf([core('- a'), leading(core('- b')), core('One.')])).toEqual(['- b\n- a', 'One.']);
  expect(bodyOf([core('One.'), leading(core('- b'))])).toEqual(['One.\n- b']);
});

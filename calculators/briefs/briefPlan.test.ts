import { describe, expect, it } from 'vitest';
import { longestBrief } from '../../data/contract/payloads/reports/naturalBrief.ts';
import type { BriefStyle } from '../../data/contract/values/enums.ts';
import { type BriefLine, core, detail, leading, must, orShort } from './briefLines.ts';
import { briefPlan, planText } from './briefPlan.ts';

const limits = 'Limits of the Evidence';
const textOf = (sections: Readonly<Record<string, readonly BriefLine[]>>, style: BriefStyle) => {
  const named = Object.entries(sections).map(([heading, lines]) => ({ heading, lines }));
  const plan = briefPlan({ title: 'T', sections: named, style });
  return planText(plan, plan.compiled);
};
const bodyOf = (lines: readonly BriefLine[]) => textOf({ S: lines }, 'trader').split('\n\n').slice(2, -1);

it('puts what leads first for traders, an item behind the sentence of its list (M11.9)', () => {
  expect(bodyOf([core('One.'), core('- a'), leading(core('- b')), leading(core('Two.'))])).toEqual([
    'Two. One.\n- b\n- a',
  ]);
  expect(bodyOf([core('- a'), leading(core('- b')), core('One.')])).toEqual(['- b\n- a', 'One.']);
  expect(bodyOf([core('One.'), leading(core('- b'))])).toEqual(['One.\n- b']);
});

describe('a text over the length of its style (M11.9)', () => {
  const long = (word: string, length: number) => `${word} ${'x'.repeat(length - word.length - 2)}.`;
  const sectionsOf = (text: string) =>
    text
      .split('\n## ')
      .slice(1)
      .map((one) => one.split('\n\n')[1]?.replaceAll(/x+/g, 'x').trimEnd());

  it('loses the lines of the highest level first, the last of the longest section', () => {
    const text = textOf(
      {
        A: [core('One.'), core(long('Two', 900))],
        B: [core('Three.'), core(long('Four', 901))],
        [limits]: [must('- L.')],
      },
      'concise',
    );
    expect(sectionsOf(text)).toEqual([
      'One. Two x.',
      'Three.',
      '- L.\n- This text is cut to the length of its style; summary_data holds every row.',
    ]);
    expect(textOf({ A: [core('One.'), detail('Two.')] }, 'concise')).not.toContain('Two.');
  });

  it('then takes shorter wordings outside the limits, then gives up sections that may go, then the limits get shorter', () => {
    const of = (fill: number) =>
      sectionsOf(
        textOf(
          {
            A: [must(long('Stays', fill)), orShort(must(long('Long', 300)), 'Short.')],
            B: [core(long('May go', 200))],
            [limits]: [
              orShort(must(long('- First', 100)), '- 1.'),
              orShort(must(long('- Second', 100)), '- 2.'),
            ],
          },
          'concise',
        ),
      );
    const caveats = '- First x.\n- Second x.';
    const cut = '\n- This text is cut to the length of its style; summary_data holds every row.';
    const [stays, gone] = ['Stays x. Short.', 'Left out for length; summary_data holds it.'];
    expect(of(600)).toEqual(['Stays x. Long x.', 'May go x.', caveats]);
    expect(of(800)).toEqual([stays, 'May go x.', caveats]);
    expect(of(950)).toEqual([stays, gone, `${caveats}${cut}`]);
    expect(of(1080)).toEqual([stays, gone, `- First x.\n- 2.${cut}`]);
    expect(of(1170)).toEqual([stays, gone, `- 1.\n- 2.${cut}`]);
  });

  it('is left as it is where nothing may go, so that its check names it', () => {
    const text = textOf({ A: [must(long('Stays', 1600))] }, 'concise');
    expect(text.length).toBeGreaterThan(longestBrief.concise);
  });
});

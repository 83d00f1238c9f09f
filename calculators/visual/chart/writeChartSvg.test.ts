import { describe, expect, it } from 'vitest';
import { chartCases } from '../../../fixtures/visual/goldenCharts.ts';
import { roleRules } from '../theme/tokens.ts';
import { writeChartSvg } from './writeChartSvg.ts';

const charts = [...chartCases()];

describe('writeChartSvg', () => {
  it.each(charts)('%s names its roles by classes that the rules of a sheet know (V54)', (_, chart) => {
    const svg = writeChartSvg(chart, { theme: 'light', idPrefix: 'c-', faces: 'none' });
    const rules = roleRules('dark');
    const classes = [...svg.matchAll(/ class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' '));
    expect(classes.length).toBeGreaterThan(0);
    for (const name of new Set(classes)) expect(rules).toContain(`.${name}{`);
  });

  it.each(charts)(
    '%s has a name, a description and prefixed ids, and nothing that runs or loads',
    (_, chart) => {
      const svg = writeChartSvg(chart, { theme: 'dark', idPrefix: 'c-', faces: 'embedded' });
      const id = `c-${chart.id}`;
      expect(svg).toContain(`role="img" lang="en" aria-labelledby="${id}-title ${id}-desc"`);
      expect([...svg.matchAll(/ id="([^"]*)"/g)].map(([, name]) => name)).toEqual([
        `${id}-title`,
        `${id}-desc`,
      ]);
      expect(svg).toContain('@font-face');
      expect(svg).not.toMatch(/<script|<foreignObject|<use|href=| on[a-z]+=/);
    },
  );

  it('leaves the faces to the page on request', () => {
    for (const [, chart] of charts) {
      const svg = writeChartSvg(chart, { theme: 'light', idPrefix: 'c-', faces: 'none' });
      expect(svg).not.toContain('<style>');
    }
  });
});

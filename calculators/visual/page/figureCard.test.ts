import { describe, expect, it } from 'vitest';
import { figureCard } from './figureCard.ts';

const card = {
  id: 'tier-bars',
  heading: 'Five issuers are CRITICAL',
  paragraphs: ['By the filings alone it is two.'],
  svg: '<svg role="img"></svg>',
  table: {
    caption: 'Issuers by tier',
    columns: [
      { label: 'Tier', align: 'start' },
      { label: 'Issuers', align: 'end' },
    ],
    rows: [['CRITICAL', '5']],
  },
} as const;
const table = `<table class="rows"><caption>Issuers by tier</caption>
<thead><tr><th scope="col">Tier</th><th scope="col" class="end">Issuers</th></tr></thead>
<tbody>
<tr><th scope="row">CRITICAL</th><td class="end" data-label="Issuers">5</td></tr>
</tbody></table>
`;

describe('a figure card', () => {
  it('states its finding, shows the picture as it is, and has the figures as a table', () => {
    expect(figureCard(card).markup).toBe(`<section class="card" aria-labelledby="tier-bars-heading">
<h2 id="tier-bars-heading">Five issuers are CRITICAL</h2>
<p>By the filings alone it is two.</p>
<svg role="img"></svg><details><summary>The figures as a table</summary>
${table}</details>
</section>
`);
  });

  it('shows the table itself where there is no picture', () => {
    const { markup } = figureCard({ ...card, svg: null });
    expect(markup).toContain(table);
    expect(markup).not.toContain('<details>');
  });

  it('names the company where a row or a sentence begins with its ticker', () => {
    const rows = [['MSTR', '5']];
    const { markup } = figureCard({
      ...card,
      paragraphs: ['MSTR: bought.', 'By the filings MSTR is LOW.'],
      table: { ...card.table, rows },
      names: new Map([['MSTR', 'Strategy "Inc"']]),
    });
    const named = '<abbr title="Strategy &quot;Inc&quot;">MSTR</abbr>';
    expect(markup).toContain(`<th scope="row">${named}</th>`);
    expect(markup).toContain(`<p>${named}: bought.</p>`);
    expect(markup).toContain('<p>By the filings MSTR is LOW.</p>');
  });

  it('shows markup in names as text', () => {
    const rows = [['<img src=x onerror=alert(1)>', '"5"']];
    const { markup } = figureCard({ ...card, heading: '</h2><script>', table: { ...card.table, rows } });
    expect(markup).not.toMatch(/<script|<img|"5"/);
    expect(markup).toContain('&lt;/h2&gt;&lt;script&gt;');
  });
});

import { describe, expect, it } from 'vitest';
import { type Block, documentBounds, readBlocks } from './readBlocks.ts';
import { decodeDocument } from './reportText.ts';

const told = (html: string) => (readBlocks(html).blocks ?? []).map(textOf);
const textOf = (block: Block) =>
  block.kind === 'paragraph'
    ? block.text
    : block.rows.map((row) => row.map(({ text, from, to }) => `${from}-${to} ${text}`).join(' | '));

describe('paragraphs of a document', () => {
  it('end at block elements, not at line breaks or spans, and are numbered in document order', () => {
    expect(told('<p>We <b>held</b><br>5&nbsp;BTC<div>and <span>no</span>\n more</div><hr>x')).toEqual([
      'We held 5 BTC',
      'and no more',
      'x',
    ]);
  });

  it('leave out what is hidden, a script, a comment or an inline XBRL header', () => {
    const hidden =
      '<div style="DISPLAY : none">1</div><p hidden>2</p><ix:header><p>3</p></ix:header><script>"<p>4"</script>' +
      '<!-- <p>5 --><style>6</style><span style="visibility:hidden">7</span><svg><text>8</text></svg>';
    expect(told(`${hidden}<p>9</p>`)).toEqual(['9']);
  });

  it.each([
    ['of no size', '<span style="font-size:0">1</span><span style="font: 1px serif">2</span>'],
    ['of a hundredth of an inch', '<b style="font-size:.01in">1</b><b style="font:700 1px/10px serif">2</b>'],
    ['sized by a parent of none', '<span style="font-size:0px"><b style="font-size:1em">1</b></span>'],
    [
      'of the colour of the page',
      '<font color="#FFF">1</font><span style="color: rgb(255, 255, 255)">2</span>',
    ],
    ['nearly of the colour of the page', '<span style="color:#fefefe">1</span>'],
    ['of no colour', '<span style="color:transparent">1</span><b style="color:rgba(0,0,0,0)">2</b>'],
    ['of the colour of its box', '<div style="background:#003366"><i style="color:#036">1</i></div>'],
    ['of the colour of its cell', '<table bgcolor=navy><tr><td><font color=navy>1</font></table>'],
    [
      'struck through',
      '<s>1</s><strike>2</strike><del>3</del><u style="text-decoration: line-through">4</u>',
    ],
    ['of no opacity', '<span style="opacity: 0">1</span><b style="opacity:0.0">2</b>'],
    [
      'beside the page',
      '<p style="text-indent:-9999px">1</p><p style="position:absolute; left:-5000px">2</p>',
    ],
    ['clipped', '<p style="clip: rect(0 0 0 0)">1</p><p style="clip-path:inset(50%)">2</p>'],
    ['in a box without room', '<div style="height:0; overflow:hidden">1</div>'],
    ['scaled to nothing', '<div style="transform:scale(0)">1</div>'],
  ])('leave out text %s (M17.2)', (_, html) => {
    expect(told(`${html}<p>seen</p>`)).toEqual(['seen']);
  });

  it.each([
    [
      'white on a dark box',
      '<div style="background-color:#003366"><span style="color:#fff">seen</span></div>',
    ],
    ['white in a dark row', '<tr bgcolor="#000080"><td><font color="white">seen</font></td></tr>'],
    ['white on a picture', '<div style="background:url(a.jpg) #fff"><b style="color:white">seen</b></div>'],
    ['sized again within a box of none', '<div style="font-size:0"><b style="font-size:10pt">seen</b></div>'],
    ['named small in a box of no size', '<p style="font-size:0"><b style="font-size:x-small">seen</b></p>'],
    ['of a heavy face', '<p style="font-size:0"><b style="font:700 10pt/1.2 Arial">seen</b></p>'],
    ['of a colour that is none', '<p style="color:constructor;background:__proto__">seen</p>'],
    ['as large as its box', '<p style="font-size:1em;opacity:0.9;text-decoration:underline">seen</p>'],
    ['with a hanging indent', '<p style="text-indent:-36pt; margin-left:36pt">seen</p>'],
    ['in a line of no margin', '<p style="margin:0;height:1pt;color:black;font:10pt Times">seen</p>'],
    ['inserted', '<ins>seen</ins>'],
  ])('keep text %s', (_, html) => {
    expect(told(html)).toEqual(['seen']);
  });

  it('keep what is visible behind unclosed and misnested tags', () => {
    expect(told('<p><font>a<p><font>b</div></td>c<ul><li>d<li>e</ul>f')).toEqual([
      'a',
      'b',
      'c',
      'd',
      'e',
      'f',
    ]);
  });

  it('give typographic quotes, hyphens and spaces their plain forms, and join a lone bullet with its text', () => {
    expect(told('<p>“We” held 5\u00adBTC\u200b – the Company’s</p><div>•</div><div>mined 3</div>')).toEqual([
      '"We" held 5BTC - the Company\'s',
      '• mined 3',
    ]);
  });

  it('of plain text are its lines, or what stands between empty lines where lines are wrapped', () => {
    expect(told(`${'We held coins. '.repeat(9)}\nWe sold some.`)).toHaveLength(2);
    expect(told('We held\n5 BTC.\n\nWe sold\nsome.')).toEqual(['We held 5 BTC.', 'We sold some.']);
  });

  it('are read from UTF-8, UTF-16 with a mark, and windows-1252', () => {
    const bytes = (...values: number[]) => new Uint8Array(values);
    expect(decodeDocument(bytes(0xef, 0xbb, 0xbf, 0xe2, 0x82, 0xac))).toBe('€');
    expect(decodeDocument(bytes(0xff, 0xfe, 0xac, 0x20))).toBe('€');
    expect(decodeDocument(bytes(0x80, 0x35))).toBe('€5');
  });
});

describe('tables of a document', () => {
  it('join what is split over cells, and take markers off the number before them', () => {
    const html =
      '<table><tr><td>Held (2)</td><td>$</td><td>75.3</td><td>(5</td><td>)</td><td>12</td><td>%</td><td>900</td><td>(1)</td></tr></table>';
    expect(told(html)).toEqual([['0-1 Held | 1-3 $75.3 | 3-5 (5) | 5-7 12% | 7-9 900']]);
  });

  it('resolve spans of columns and rows, and repeat no figure', () => {
    const html =
      '<table><tr><td rowspan=2>BTC</td><td colspan=2>June</td></tr><tr><td rowspan="2">5</td><td>6</td></tr><tr><td>x</td><td>7</td></tr></table>';
    expect(told(html)).toEqual([['0-1 BTC | 1-3 June', '0-1 BTC | 1-2 5 | 2-3 6', '0-1 x | 2-3 7']]);
  });

  it('without a figure right of the first cell are paragraphs, a row each', () => {
    expect(
      told('<table><tr><td>Item 8.01<td>Other Events.<tr><td>•<td><p>We hold coins.</p><p>Many.</p></table>'),
    ).toEqual(['Item 8.01 Other Events.', '• We hold coins.', 'Many.']);
  });
});

describe('a document over a bound', () => {
  it.each([
    ['tags', '<b></b>'.repeat(documentBounds.tags / 2 + 1)],
    ['depth', '<div>'.repeat(documentBounds.depth + 1)],
    ['cells', `<table><tr>${'<td>1'.repeat(documentBounds.cells + 1)}`],
    ['cells', `<table>${'<tr><td rowspan=999>a<td rowspan=999>b</tr>'.repeat(9000)}</table>`],
    ['characters', `<p>5 BTC ${'x'.repeat(documentBounds.characters)}`],
  ])('of %s is refused whole', (bound, html) => {
    expect(readBlocks(`<p>We held 5 BTC.</p>${html}`)).toEqual({ blocks: null, bound });
  });

  it('is read up to each of them', () => {
    const html = `${'<b></b>'.repeat(1000)}${'<div>'.repeat(documentBounds.depth - 1)}${'x'.repeat(documentBounds.characters)}`;
    expect(readBlocks(html).bound).toBeNull();
  });
});

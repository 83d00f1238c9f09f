import { Tokenizer } from 'htmlparser2';
import { isHiding, isUnseen, type Look, lookWithin, pageLook } from './hiddenText.ts';
import { finishParagraph, isDisguised, type Mark, plainCharacters, superscript } from './reportText.ts';
import type { DocumentBound } from './statement.ts';
import { type FiledCell, type GridRow, gridOf, isDataTable, layoutParagraphs } from './tableGrid.ts';

/** A paragraph or a table of a document, numbered from 0 in document order (M17.2). */
export type Paragraph = {
  readonly kind: 'paragraph';
  readonly index: number;
  readonly text: string;
  readonly marks: readonly Mark[];
  readonly isDisguised: boolean;
};
export type DataTable = { readonly kind: 'table'; readonly index: number; readonly rows: readonly GridRow[] };
export type Block = Paragraph | DataTable;

export type DocumentBlocks =
  | { readonly blocks: readonly Block[]; readonly bound: null }
  | { readonly blocks: null; readonly bound: DocumentBound };

/** What a document may hold (M17.3). */
export const documentBounds = {
  bytes: 16 * 1024 * 1024,
  tags: 400_000,
  depth: 256,
  cells: 20_000,
  characters: 20_000,
} as const satisfies Record<DocumentBound, number>;

/** Layouts put a bullet into a cell or box of its own. */
const loneBullet = /^[•●▪■◦·*-]$/;

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const empty = words('area base br col embed hr img input link meta param source track wbr');
const unread = words('script style head ix:header ix:hidden svg object iframe template s strike del');
const paragraphEnds = words(
  'address article aside blockquote body caption center dd dialog dir div dl dt fieldset figcaption figure footer ' +
    'form h1 h2 h3 h4 h5 h6 header hr html li main menu nav ol p pre section table td th tr ul',
);

/** Elements an opening tag closes without their end tag, and the element behind which nothing is closed. */
const closes: Readonly<Record<string, readonly [closed: ReadonlySet<string>, within: ReadonlySet<string>]>> =
  {
    li: [words('li'), words('ul ol table')],
    dd: [words('dd dt'), words('dl table')],
    dt: [words('dd dt'), words('dl table')],
    tr: [words('tr'), words('table')],
    td: [words('td th'), words('tr table')],
    th: [words('td th'), words('tr table')],
    tbody: [words('tbody thead tfoot tr'), words('table')],
    thead: [words('tbody thead tfoot tr'), words('table')],
    tfoot: [words('tbody thead tfoot tr'), words('table')],
  };
const paragraph = words('p');
const cellOrTable = words('td th caption table');
const table = words('table');

/** Attributes that say what is read and where it stands. */
const attributesRead = {
  ...{ hidden: true, style: true, color: true, bgcolor: true },
  ...{ colspan: true, rowspan: true },
} as const;
type Attributes = Readonly<Partial<Record<keyof typeof attributesRead, string>>>;
const longestValue = 2000;
const nothing = () => undefined;

type OpenElement = { readonly name: string; readonly isHidden: boolean; readonly look: Look };
type OpenTable = { rows: FiledCell[][]; row: FiledCell[] | null; cell: FiledCell | null; cells: number };

class BoundExceeded extends Error {
  readonly bound: DocumentBound;
  constructor(bound: DocumentBound) {
    super(bound);
    this.bound = bound;
  }
}

/** The blocks of an HTML or plain text document, or the bound for which it is refused whole. */
export function readBlocks(text: string): DocumentBlocks {
  const reader = new BlockReader();
  try {
    if (!/<[a-z!/]/i.test(text)) reader.readPlain(text);
    else reader.readHtml(text);
    return { blocks: reader.blocks, bound: null };
  } catch (error) {
    if (error instanceof BoundExceeded) return { blocks: null, bound: error.bound };
    throw error;
  }
}

class BlockReader {
  readonly blocks: Block[] = [];
  private readonly open: OpenElement[] = [];
  private readonly openCounts = new Map<string, number>();
  private readonly tables: OpenTable[] = [];
  private hidden = 0;
  private tags = 0;
  private text = '';

  /** Text without a tag: a line is a paragraph; where lines are wrapped, what stands between empty lines. */
  readPlain(text: string): void {
    const lines = text.split(/\r\n|\r|\n/);
    const isWrapped = lines.some((line) => line.trim() === '') && lines.every((line) => line.length <= 90);
    for (const line of lines) {
      if (!isWrapped || line.trim() === '') this.endParagraph();
      this.addText(`${line} `);
    }
    this.endParagraph();
  }

  readHtml(text: string): void {
    let name = '';
    let attributes: Attributes = {};
    let attribute = '';
    let value = '';
    const finish = (isEmpty: boolean) => this.startTag(name, attributes, isEmpty);
    const tokenizer = new Tokenizer(
      { decodeEntities: true },
      {
        ontext: (start, end) => this.addText(text.slice(start, end)),
        ontextentity: (codePoint) => this.addText(String.fromCodePoint(codePoint)),
        onopentagname: (start, end) => {
          name = text.slice(start, end).toLowerCase();
          attributes = {};
        },
        onattribname: (start, end) => {
          attribute = end - start > 10 ? '' : text.slice(start, end).toLowerCase();
          value = '';
        },
        onattribdata: (start, end) => {
          if (attribute in attributesRead) value += text.slice(start, Math.min(end, start + longestValue));
        },
        onattribentity: (codePoint) => {
          value += String.fromCodePoint(codePoint);
        },
        onattribend: () => {
          if (attribute in attributesRead) attributes = { [attribute]: value, ...attributes };
        },
        onopentagend: () => finish(false),
        onselfclosingtag: () => finish(true),
        onclosetag: (start, end) => this.endTag(text.slice(start, end).toLowerCase()),
        oncdata: nothing,
        oncomment: nothing,
        ondeclaration: nothing,
        onend: nothing,
        onprocessinginstruction: nothing,
      },
    );
    tokenizer.write(text);
    tokenizer.end();
    this.closeFrom(0);
    this.endParagraph();
  }

  private countTag(): void {
    this.tags += 1;
    if (this.tags > documentBounds.tags) throw new BoundExceeded('tags');
  }

  private startTag(name: string, attributes: Attributes, isEmpty: boolean): void {
    this.countTag();
    const implied = closes[name];
    if (implied !== undefined) this.closeInnermost(...implied);
    else if (paragraphEnds.has(name)) this.closeInnermost(paragraph, cellOrTable);
    if (paragraphEnds.has(name)) this.endParagraph();
    if (name === 'br') this.addText(' ');
    if (empty.has(name)) return;
    const isHidden = unread.has(name) || 'hidden' in attributes || isHiding(attributes['style'] ?? '');
    const { style, color, bgcolor } = attributes;
    this.push({ name, isHidden, look: lookWithin(this.look(), { style, color, bgcolor }) });
    if (this.hidden === 0) this.enter(name, attributes);
    // `<td/>` and `<ix:hidden/>` are empty, but what a browser would hide stays hidden
    if (isEmpty && (!isHidden || name.includes(':'))) this.closeFrom(this.open.length - 1);
  }

  private enter(name: string, attributes: Attributes): void {
    const current = this.tables.at(-1);
    if (name === 'sup') this.text += superscript.start;
    if (name === 'table') this.tables.push({ rows: [], row: null, cell: null, cells: 0 });
    if (current === undefined) return;
    if (name === 'tr') {
      current.row = [];
      current.rows.push(current.row);
    }
    if (name !== 'td' && name !== 'th') return;
    current.cells += 1;
    if (current.cells > documentBounds.cells) throw new BoundExceeded('cells');
    if (current.row === null) {
      current.row = [];
      current.rows.push(current.row);
    }
    current.cell = { parts: [], columns: spanOf(attributes['colspan']), rows: spanOf(attributes['rowspan']) };
    current.row.push(current.cell);
  }

  private endTag(name: string): void {
    this.countTag();
    if (paragraphEnds.has(name)) this.endParagraph();
    if (name === 'br') this.addText(' ');
    const within = name === 'table' ? new Set<string>() : cellParts.has(name) ? table : cellOrTable;
    this.closeInnermost(new Set([name]), within);
  }

  /** Closes the innermost open element of a name with all it holds, unless it lies outside of `within`. */
  private closeInnermost(names: ReadonlySet<string>, within: ReadonlySet<string>): void {
    if (![...names].some((name) => (this.openCounts.get(name) ?? 0) > 0)) return;
    for (let at = this.open.length - 1; at >= 0; at -= 1) {
      const name = this.open[at]?.name ?? '';
      if (names.has(name)) this.closeFrom(at);
      if (names.has(name) || within.has(name)) return;
    }
  }

  private push(element: OpenElement): void {
    this.open.push(element);
    this.openCounts.set(element.name, (this.openCounts.get(element.name) ?? 0) + 1);
    if (element.isHidden) this.hidden += 1;
    if (this.open.length > documentBounds.depth) throw new BoundExceeded('depth');
  }

  private closeFrom(at: number): void {
    while (this.open.length > at) {
      const element = this.open.at(-1);
      if (element === undefined) return;
      if (this.hidden === 0) this.leave(element.name);
      this.open.pop();
      this.openCounts.set(element.name, (this.openCounts.get(element.name) ?? 1) - 1);
      if (element.isHidden) this.hidden -= 1;
    }
  }

  private leave(name: string): void {
    if (name === 'sup') this.text += superscript.end;
    if (paragraphEnds.has(name)) this.endParagraph();
    const current = this.tables.at(-1);
    if (current === undefined) return;
    if (name === 'td' || name === 'th') current.cell = null;
    if (name === 'tr') current.row = null;
    if (name === 'table') this.endTable(current);
  }

  private endTable(finished: OpenTable): void {
    this.tables.pop();
    const rows = gridOf(finished.rows, documentBounds.cells);
    if (rows === null) throw new BoundExceeded('cells');
    const isData = isDataTable(rows);
    if (isData) this.blocks.push({ kind: 'table', index: this.blocks.length, rows });
    for (const text of layoutParagraphs(finished.rows, { isData })) this.addParagraph(text, []);
  }

  private look(): Look {
    return this.open.at(-1)?.look ?? pageLook;
  }

  private addText(chars: string): void {
    if (this.hidden > 0 || isUnseen(this.look())) return;
    this.text += plainCharacters(chars);
    if (this.text.length > documentBounds.characters * 2) this.text = this.text.replace(/ {2,}/g, ' ');
    if (this.text.length > documentBounds.characters * 2) throw new BoundExceeded('characters');
  }

  private endParagraph(): void {
    if (this.text === '') return;
    const { text, marks } = finishParagraph(this.text);
    this.text = '';
    if (text.length > documentBounds.characters) throw new BoundExceeded('characters');
    if (text === '') return;
    const cell = this.tables.at(-1)?.cell;
    if (cell) cell.parts.push({ text, marks });
    else this.addParagraph(text, marks);
  }

  private addParagraph(own: string, marks: readonly Mark[]): void {
    const before = this.blocks.at(-1);
    const bullet = before?.kind === 'paragraph' && loneBullet.test(before.text) ? `${before.text} ` : '';
    const text = bullet + own;
    const block: Paragraph = {
      kind: 'paragraph',
      index: this.blocks.length - (bullet === '' ? 0 : 1),
      text,
      marks: marks.map(({ at, name }) => ({ at: at + bullet.length, name })),
      isDisguised: isDisguised(text),
    };
    this.blocks[block.index] = block;
  }
}

const cellParts = words('td th tr tbody thead tfoot caption');

function spanOf(attribute: string | undefined): number {
  const value = Number(attribute ?? '1');
  return Number.isInteger(value) && value > 1 ? Math.min(value, 200) : 1;
}

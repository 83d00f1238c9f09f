import { FactDictionaries } from './factDictionaries.ts';
import { type FactPage, factPage, pageRows } from './factPage.ts';

/** A row whose accession or value the typed columns cannot hold; `row` counts from the first page of the batch. */
export type ExactRow = {
  readonly row: number;
  readonly accession: string;
  readonly valueExact: string | null;
};

/** Collects the rows of a batch of files in pages; a file that fails is taken back whole. */
export class FactSink {
  readonly dictionaries = new FactDictionaries();
  /** number of the file being read; the stamp of its keys */
  serial = 0;
  /** the page being filled and the next row in it */
  page: FactPage;
  row = 0;
  private pages: FactPage[];
  private spare: ArrayBuffer[] = [];
  private exact: ExactRow[] = [];

  constructor() {
    this.page = factPage();
    this.pages = [this.page];
  }

  get rows(): number {
    return (this.pages.length - 1) * pageRows + this.row;
  }

  /** Starts a file; returns the mark to `rewind` to when it fails. */
  beginFile(): number {
    this.serial += 1;
    return this.rows;
  }

  /** Takes back every row after `mark`. */
  rewind(mark: number): void {
    // fresh stamps, so that a second attempt at the file does not meet its own keys
    this.serial += 1;
    const keep = Math.max(1, Math.ceil(mark / pageRows));
    for (const page of this.pages.splice(keep)) this.spare.push(page.buffer);
    this.page = this.pages[keep - 1] as FactPage;
    this.row = mark - (keep - 1) * pageRows;
    this.exact = this.exact.filter((e) => e.row < mark);
  }

  /** Makes room for one more row. */
  ensureRoom(): void {
    if (this.row < pageRows) return;
    this.page = factPage(this.spare.pop());
    this.pages.push(this.page);
    this.row = 0;
  }

  /** Notes what the typed columns of the row about to be completed cannot hold. */
  noteExact(accession: string, valueExact: string | null): void {
    this.exact.push({ row: this.rows, accession, valueExact });
  }

  /** Hands the filled pages over and starts the next batch. */
  take(): { rows: number; pages: FactPage[]; exact: ExactRow[] } {
    const taken = { rows: this.rows, pages: this.pages, exact: this.exact };
    this.page = factPage(this.spare.pop());
    this.pages = [this.page];
    this.exact = [];
    this.row = 0;
    return taken;
  }

  /** Gives page buffers back for reuse. */
  recycle(buffers: readonly ArrayBuffer[]): void {
    this.spare.push(...buffers);
  }
}

import { ByteInterner } from './byteInterner.ts';

/** Strings a worker has met first since its last message, in the order of their codes. */
export type NewStrings = {
  readonly series: readonly (readonly [taxonomy: string, concept: string, unit: string])[];
  readonly form: readonly string[];
  readonly fp: readonly string[];
  readonly frame: readonly string[];
};

/** The dictionaries one worker codes strings with; fp and frame keep code 0 for an absent value. */
export class FactDictionaries {
  readonly taxonomy = new ByteInterner();
  readonly concept = new ByteInterner();
  readonly series = new ByteInterner();
  readonly form = new ByteInterner();
  readonly fp = new ByteInterner();
  readonly frame = new ByteInterner();
  private sent = { series: 0, form: 0, fp: 0, frame: 0 };

  /** True once a dictionary may not grow further. */
  get full(): boolean {
    return [this.taxonomy, this.concept, this.series, this.form, this.fp, this.frame].some((d) => d.full);
  }

  /** The strings added since the last call. */
  takeNew(): NewStrings {
    const news: NewStrings = {
      series: codesFrom(this.sent.series, this.series).map((code) => {
        const concept = this.series.parent(code);
        return [
          this.taxonomy.text(this.concept.parent(concept)),
          this.concept.text(concept),
          this.series.text(code),
        ] as const;
      }),
      form: codesFrom(this.sent.form, this.form).map((code) => this.form.text(code)),
      fp: codesFrom(this.sent.fp, this.fp).map((code) => this.fp.text(code)),
      frame: codesFrom(this.sent.frame, this.frame).map((code) => this.frame.text(code)),
    };
    this.sent = {
      series: this.series.size,
      form: this.form.size,
      fp: this.fp.size,
      frame: this.frame.size,
    };
    return news;
  }
}

function codesFrom(first: number, interner: ByteInterner): number[] {
  return Array.from({ length: interner.size - first }, (_, i) => first + i);
}

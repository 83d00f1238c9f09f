import type { BriefEvidence } from '../compileBrief.ts';

/** A rule of I2.44 a text breaks, by its letter, and how. */
export type BriefViolation = {
  readonly rule: 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l';
  readonly message: string;
};

/** A text taken apart by its headings. */
export type BriefText = {
  readonly text: string;
  /** Lines that begin with `#`, in order. */
  readonly headings: readonly string[];
  /** Lines of each level-2 section, by heading; the first counts where one is repeated. */
  readonly sections: ReadonlyMap<string, readonly string[]>;
  /** Last line that is not empty. */
  readonly lastLine: string;
};

/** Reads the headings of a text and what stands below each. */
export function briefText(text: string): BriefText {
  const lines = text.split('\n');
  const sections = new Map<string, string[]>();
  let open: string[] = [];
  for (const line of lines) {
    if (line.startsWith('#')) {
      open = [];
      const heading = line.replace(/^#+\s*/, '');
      if (line.startsWith('## ') && !sections.has(heading)) sections.set(heading, open);
    } else if (line.trim() !== '') open.push(line);
  }
  return {
    text,
    headings: lines.filter((line) => line.startsWith('#')),
    sections,
    lastLine: lines.findLast((line) => line.trim() !== '') ?? '',
  };
}

/** A text, its evidence, and what is known of both. */
export type Checked<Evidence = BriefEvidence> = {
  readonly brief: BriefText;
  readonly evidence: Evidence;
  readonly facts: EvidenceFacts;
  /** The text without what is quoted from the evidence by name, so that what is left are claims. */
  readonly claims: string;
};

/** Numbers of an evidence as a text may print them. */
export type PrintedNumbers = {
  /** True when one of them prints like this. */
  readonly printsAs: (number: { units: bigint; digits: number; exponent: number }) => boolean;
  readonly isCount: (value: bigint) => boolean;
};

/** What the checks ask of an evidence; made once for all texts of it. */
export type EvidenceFacts = {
  readonly numbers: PrintedNumbers;
  /** Who a number may be said of. */
  readonly subjects: EvidenceSubjects;
  /** Words of every text of the evidence. */
  readonly words: ReadonlySet<string>;
  readonly dates: ReadonlySet<string>;
  /** Names, accession numbers, concepts and addresses as a text may quote them, longest first. */
  readonly quotes: readonly string[];
  /** By ticker, every tier and every posture the evidence states of the issuer. */
  readonly stated: ReadonlyMap<string, ReadonlySet<string>>;
  readonly caveats: readonly string[];
};

/** Issuers, loans and products of an evidence with the numbers it states of each. */
export type EvidenceSubjects = {
  /** By ticker, by the name of an underlying, by the mark of a loan, and by ticker and mark of a loan together. */
  readonly numbersOf: ReadonlyMap<string, PrintedNumbers>;
  /** Numbers that are of none of them: counts of the slice, moves of bitcoin. */
  readonly common: PrintedNumbers;
  /** Thresholds that every reading may be told with. */
  readonly scales: PrintedNumbers;
  readonly tickers: ReadonlySet<string>;
  readonly underlyings: ReadonlySet<string>;
  /** Tickers that are words of another meaning too, so that a sentence with one says nothing of its subject. */
  readonly ambiguous: ReadonlySet<string>;
  /** By the name of a loan, the character that stands for it in the claims. */
  readonly marks: ReadonlyMap<string, string>;
};

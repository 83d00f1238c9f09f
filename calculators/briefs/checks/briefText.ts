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

/** What the checks ask of an evidence; made once for all texts of it. */
export type EvidenceFacts = {
  /** True when a number of the evidence prints like this. */
  readonly printsAs: (number: { units: bigint; digits: number; exponent: number }) => boolean;
  readonly isCount: (value: bigint) => boolean;
  /** Words of every text of the evidence. */
  readonly words: ReadonlySet<string>;
  readonly dates: ReadonlySet<string>;
  /** Names, accession numbers, concepts and addresses as a text may quote them, longest first. */
  readonly quotes: readonly string[];
  /** By ticker, every tier and every posture the evidence states of the issuer. */
  readonly stated: ReadonlyMap<string, ReadonlySet<string>>;
  readonly caveats: readonly string[];
};

import { type FilingDefect, filingParts } from '../../calculators/filing/xbrlFiling.ts';
import { shownText } from './xmlReader.ts';

const maxExamples = 3;
const maxSingle = 200;

/** Collects what is wrong with a filing; many cases of one kind become one counted line. */
export type FilingDefects = {
  /** One case of `kind`, a phrase as in `facts with an unknown unit`; `example` names the case. It spoils the part. */
  count(part: FilingDefect['part'], kind: string, example: string): void;
  /** A defect that stands alone; without a state it is something a filing may lack. */
  add(part: FilingDefect['part'], reason: string, state?: FilingDefect['state']): void;
  /** Takes over what another collection gathered on its own. */
  addAll(other: FilingDefects): void;
  /** In the order instance, schema, linkbases. */
  list(): FilingDefect[];
};

/** Starts an empty collection; its list is bounded by the kinds that exist, however broken the files are. */
export function filingDefects(): FilingDefects {
  const single = new Map<string, FilingDefect>();
  const counted = new Map<
    string,
    { part: FilingDefect['part']; kind: string; n: number; examples: string[] }
  >();
  const add: FilingDefects['add'] = (part, reason, state) => {
    const defect = state === undefined ? { part, reason } : { part, reason, state };
    if (single.size < maxSingle) single.set(`${part} ${reason}`, defect);
  };
  return {
    add,
    addAll(other) {
      for (const { part, reason, state } of other.list()) add(part, reason, state);
    },
    count(part, kind, example) {
      const key = `${part} ${kind}`;
      const entry = counted.get(key) ?? { part, kind, n: 0, examples: [] };
      entry.n += 1;
      const shown = shownText(example);
      if (entry.examples.length < maxExamples && !entry.examples.includes(shown)) entry.examples.push(shown);
      counted.set(key, entry);
    },
    list: () => {
      const defects = [...single.values()];
      for (const { part, kind, n, examples } of counted.values()) {
        defects.push({
          part,
          reason: `${n} ${kind}: ${examples.join(', ')}${n > examples.length ? ', …' : ''}`,
          state: 'unusable',
        });
      }
      return defects.sort((a, b) => filingParts.indexOf(a.part) - filingParts.indexOf(b.part));
    },
  };
}

import type { ConceptNames } from './conceptNames.ts';
import { splitQName } from './schemaReader.ts';
import { iso4217, xbrliNamespace } from './xbrlNamespaces.ts';
import type { ResolvePrefix, XmlElement } from './xmlReader.ts';

/** Reads one `unit`; `result` is its name (`USD`, `USD/shares`), null when it cannot be told. */
export type UnitReader = {
  open(tag: XmlElement): void;
  text(text: string): void;
  close(tag: XmlElement): void;
  result(): string | null;
};

/** Reads a unit of measure: local names, factors sorted and joined by `*`, a divide written with `/`. */
export function unitReader({ names, resolve }: { names: ConceptNames; resolve: ResolvePrefix }): UnitReader {
  const numerator: string[] = [];
  const denominator: string[] = [];
  let into = numerator;
  let measure: string | null = null;
  let broken = false;

  function nameOf(text: string): string | null {
    const [prefix, local] = splitQName(text.trim());
    const uri = resolve(prefix);
    if (uri === undefined || uri === '' || local === '') return null;
    if (uri === iso4217 || (uri === xbrliNamespace && (local === 'shares' || local === 'pure'))) return local;
    // a filer's own `USD` or `shares` must not pass for the registered one
    const misleading = /^[A-Z]{3}$/.test(local) || local === 'shares' || local === 'pure';
    return misleading ? names.qname({ uri, local, declared: prefix }) : local;
  }

  return {
    open(tag) {
      if (tag.uri !== xbrliNamespace) return;
      if (tag.local === 'unitDenominator') into = denominator;
      else if (tag.local === 'unitNumerator') into = numerator;
      else if (tag.local === 'measure') measure = '';
    },
    text(text) {
      if (measure !== null) measure += text;
    },
    close(tag) {
      if (measure === null || tag.uri !== xbrliNamespace || tag.local !== 'measure') return;
      const name = nameOf(measure);
      if (name === null) broken = true;
      else into.push(name);
      measure = null;
    },
    result() {
      if (broken || numerator.length === 0) return null;
      const top = numerator.sort().join('*');
      return denominator.length === 0 ? top : `${top}/${denominator.sort().join('*')}`;
    },
  };
}

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkContent } from '../store/checkContent.ts';
import type { XbrlDocumentKind } from './checkXbrlDocument.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'xbrl-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function check(kind: XbrlDocumentKind, text: string): Promise<string | null> {
  const path = join(directory, 'file');
  await writeFile(path, text);
  return checkContent({ path, kind });
}

const declaration = '<?xml version="1.0" encoding="utf-8"?>';

describe('the two ends of an XBRL document', () => {
  it.each([
    ['instance', `${declaration}<!-- by a tool --><xbrl xmlns="a"><b/></xbrl>`],
    ['instance', '\ufeff<?xml version="1.0"?>\r\n<?x y?>\r\n<xbrli:xbrl>1</xbrli:xbrl>\r\n'],
    ['schema', '<xsd:schema a="b">\n</xsd:schema>\n<!-- end --> <!-- of <schema> -->\n'],
    ['linkbase', '<linkbase></linkbase >'],
    ['linkbase', '<link:linkbase xmlns:link="a"/>'],
    ['schema', `<schema>${'x'.repeat(200_000)}</schema>`],
  ] as const)('are right in a %s', async (kind, text) => {
    expect(await check(kind, text)).toBeNull();
  });

  it.each([
    ['nothing', ''],
    ['blanks', '  \n '],
    ['an error page', '<!DOCTYPE html><html><body>Undeclared automated tool</body></html>'],
    ['another error page', '<html><xbrl></xbrl></html>'],
    ['a DOCTYPE', '<!DOCTYPE xbrl [<!ENTITY a "b">]><xbrl>&a;</xbrl>'],
    ['another document', '<schema></schema>'],
    ['a root that only begins alike', '<xbrlx></xbrlx>'],
    ['no end', '<xbrl><a></a>'],
    ['an end of another prefix', '<xbrli:xbrl></xbrl>'],
    ['text after the end', '<xbrl></xbrl>0'],
    ['a comment that never ends', '<!-- <xbrl></xbrl>'],
    ['a comment that is its end', '<xbrl><!-- </xbrl> -->'],
  ])('show that %s is no instance', async (_, text) => {
    expect(await check('instance', text)).not.toBeNull();
  });

  it('refuse every proper prefix', async () => {
    const text = `${declaration}<xbrl xmlns="a"><b>1</b></xbrl>`;
    for (let length = 0; length < text.length; length += 1) {
      expect(await check('instance', text.slice(0, length))).not.toBeNull();
    }
  });

  it('are those of real filings', async (ctx) => {
    const root = fileURLToPath(new URL('../../../../shared/data/edgar/filings/', import.meta.url));
    const files = await readdir(root, { recursive: true }).catch(() => null);
    if (files === null) return ctx.skip('no filings at hand beside the project');
    let seen = 0;
    for (const file of files.filter((name) => /\.(xsd|xml)$/.test(name) && !name.endsWith('Summary.xml'))) {
      const kind = file.endsWith('.xsd')
        ? 'schema'
        : /_(cal|def|lab|pre)\.xml$/.test(file)
          ? 'linkbase'
          : 'instance';
      expect([file, await checkContent({ path: join(root, file), kind })]).toEqual([file, null]);
      seen += 1;
    }
    expect(seen).toBeGreaterThan(40);
  });
});

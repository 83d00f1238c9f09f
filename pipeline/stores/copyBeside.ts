import type { Store } from '../../data/store/storePort.ts';

/** Copies what stands beside the releases: how the last night ended, and its audits, the newest as they are now. */
export async function copyBeside({ from, to }: { from: Store; to: Store }): Promise<void> {
  const names = (await from.list('audit/')).filter((name) => /^[\w.-]+\.json$/.test(name)).sort();
  const known = new Set(await to.list('audit/'));
  // an audit and the figures of the same night
  const newest = names.slice(-2);
  for (const name of names) {
    if (known.has(name) && !newest.includes(name)) continue;
    await replaceChanged({ from, to, name: `audit/${name}` });
  }
  await replaceChanged({ from, to, name: 'last-run.json' });
}

async function replaceChanged({ from, to, name }: { from: Store; to: Store; name: string }): Promise<void> {
  const wanted = await from.read(name);
  if (wanted === null || (await to.read(name))?.equals(wanted) === true) return;
  await to.replace(name, wanted);
}

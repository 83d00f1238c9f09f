// One dependency rule: what each room may import. README, "Rooms".
const room = (name) => `^${name}/`;
const builtIn = { dependencyTypes: ['core'] };
// tests may import anything; the fixtures source is the one bridge from the pipeline to the fixtures
const exempt = ['\\.test\\.ts$', '^pipeline/source/fixturesSource\\.ts$'];
const only = (from, allowed) => ({
  name: `${from}-imports`,
  severity: 'error',
  from: { path: room(from), pathNot: exempt },
  to: { path: '^(contract|pipeline|calculators|visual|serve|data|fixtures)/', pathNot: allowed.map(room) },
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    only('contract', ['contract']),
    only('calculators', ['calculators', 'contract']),
    only('visual', ['visual', 'contract']),
    only('pipeline', ['pipeline', 'contract', 'calculators', 'visual', 'data']),
    only('serve', ['serve', 'contract', 'visual']),
    {
      name: 'pure-rooms-no-builtins',
      severity: 'error',
      from: { path: '^(contract|calculators)/', pathNot: '\\.test\\.ts$' },
      to: builtIn,
    },
    {
      name: 'contract-zod-only',
      severity: 'error',
      from: { path: '^contract/', pathNot: '\\.test\\.ts$' },
      to: { path: 'node_modules', pathNot: 'node_modules/zod/' },
    },
    {
      name: 'calculators-no-packages',
      severity: 'error',
      from: { path: '^calculators/', pathNot: '\\.test\\.ts$' },
      to: { path: 'node_modules' },
    },
    {
      name: 'one-xml-door',
      severity: 'error',
      from: { path: '^(contract|calculators|pipeline|serve|visual)/', pathNot: ['\\.test\\.ts$', '^pipeline/xbrl/xmlReader\\.ts$'] },
      to: { path: 'node_modules/saxes' },
    },
    {
      name: 'serve-no-batch-packages',
      severity: 'error',
      from: { path: '^serve/', pathNot: '\\.test\\.ts$' },
      to: { path: 'node_modules/(@duckdb|apache-arrow|yauzl|saxes|fast-xml-parser|csv-parse)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^fixtures/(judges|browser|bench/peers)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'], exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};

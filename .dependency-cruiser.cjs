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

// laws of the server; `importers` are the files and rooms that may reach what a law is about
const tests = '\\.test\\.ts$';
const law = ({ name, comment, importers, ...to }) => ({
  name,
  comment,
  severity: 'error',
  from: { path: '^serve/', pathNot: [tests, ...importers] },
  to,
});
const file = (name) => `^serve/${name}\\.ts$`;
// the composition roots and the rooms that are no part of the path of a request
const roots = [file('issuerServeProgram'), file('composeServer')];
const admin = '^serve/operations/(admin|metrics|page|report)/';
const beside = [
  ...roots,
  ...['commands', 'keys', 'evm', 'outbound', 'payments', 'grants', 'checkout', 'settler'].map((name) => room(`serve/${name}`)),
  admin,
];
const gate = [file('access/(accessDecision|gate|keyAccess)')];
const processRooms = '^serve/(ledger|commands|audit|settler)/';
const serverLaws = [
  ...[
    { to: '^serve/ledger/', pathNot: [file('ledger/port/ledgerAddress')], importers: [...gate, '^serve/ledger/'] },
    { to: '^serve/keys/', importers: gate },
    { to: file('access/credentials'), importers: gate },
    { to: file('access/gate'), importers: [file('handle'), file('mcp/(callTool|callVisual|paymentWay|sellTool)')] },
    { to: '^serve/grants/', importers: [] },
    { to: '^serve/checkout/', importers: [] },
    // the challenge prints the entries that the rail compares a payment with
    { to: '^serve/payments/', importers: [file('answer/challenge')] },
  ].map(({ to, pathNot = [], importers }) =>
    law({
      name: `gate-alone-reaches-${to.replace(/^\^serve\/|\\.ts\$|\/$/g, '')}`,
      comment: 'of the path of a request only the gate knows ledger, keys and credentials (PAYMENTS P1.1)',
      importers: [...beside, ...importers],
      path: to,
      pathNot,
    }),
  ),
  law({
    name: 'http-in-the-listeners',
    importers: [processRooms, file('listen'), file('operations/admin/listenAdmin')],
    path: '^(node:)?http$',
    dependencyTypes: ['core'],
  }),
  ...[{ path: '^(node:)?fs(/promises)?$', dependencyTypes: ['core'] }, { path: '^contract/(files|store)/' }].map((to) =>
    law({
      name: 'files-in-the-store-and-the-configuration',
      importers: [
        processRooms,
        '^serve/store/',
        file('config/(config|storeConfig)'),
        file('keys/releaseKeys'),
        file('visual/(renderKey|renderStore)'),
        file('operations/admin/(adminAnswer|collectReadings|newestAudit)'),
        file('operations/metrics/metricsFile'),
      ],
      ...to,
    }),
  ),
  law({
    name: 'metrics-beside-the-requests',
    comment: 'the roots wrap the path of a request with metrics and the operations page (P0.6)',
    importers: [admin, file('issuerServeProgram'), file('commands/(ledgerReport|runSettler|startServer)')],
    path: admin,
  }),
  law({
    name: 'viem-outside-the-requests',
    comment: 'only the settlement process and the MPP worker load it (P4.17, P9.2, P12.2)',
    importers: [file('payments/mpp/chargeLibrary'), file('settler/viemChain')],
    path: 'node_modules/(viem|mppx)/',
  }),
  law({
    name: 'settler-in-a-process-of-its-own',
    importers: ['^serve/settler/', file('commands/runSettler')],
    path: '^serve/settler/',
  }),
  law({ name: 'viem-loads-when-needed', importers: [], path: file('settler/viemChain'), dynamic: false }),
  law({ name: 'viem-from-the-settler-alone', importers: [file('commands/runSettler')], path: file('settler/viemChain') }),
  law({
    name: 'charge-library-in-its-worker',
    importers: [file('payments/mpp/mppWorker')],
    path: file('payments/mpp/chargeLibrary'),
  }),
  law({
    name: 'pictures-in-their-worker',
    comment: 'the event loop never lays out (V69)',
    importers: [file('visual/(visualDesk|visualWorker)')],
    path: '^(visual/(diagram|tools)/|serve/visual/visualDesk)',
  }),
  law({ name: 'visual-worker-started-by-address', importers: [], path: file('visual/visualWorker') }),
  // the worker is started by its address, so that no thread that answers requests loads it
  law({ name: 'worker-started-by-address', importers: [], path: file('payments/mpp/mppWorker') }),
];

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
      // what both programs do with a disk; serve and pipeline share nothing but the contract
      from: { path: '^(contract|calculators|visual)/', pathNot: ['\\.test\\.ts$', '^contract/(bytes|files|store)/'] },
      to: builtIn,
    },
    {
      name: 'contract-zod-only',
      severity: 'error',
      from: { path: '^contract/', pathNot: ['\\.test\\.ts$', '^contract/store/s3/s3Client\\.ts$'] },
      to: { path: 'node_modules', pathNot: 'node_modules/zod/' },
    },
    {
      name: 'one-bucket-door',
      comment: 'signed requests leave from one file (STORE ST14)',
      severity: 'error',
      from: { pathNot: ['\\.test\\.ts$', '^fixtures/', '^contract/store/s3/s3Client\\.ts$'] },
      to: { path: 'node_modules/aws4fetch/' },
    },
    {
      name: 'bucket-door-packages',
      severity: 'error',
      from: { path: '^contract/store/s3/s3Client\\.ts$' },
      to: { path: 'node_modules', pathNot: 'node_modules/(aws4fetch|undici)/' },
    },
    {
      name: 'visual-hashes-only',
      severity: 'error',
      from: { path: '^visual/', pathNot: ['\\.test\\.ts$', '^visual/pdf/pdfKit\\.ts$'] },
      to: { path: 'node_modules', pathNot: 'node_modules/@noble/hashes/' },
    },
    {
      name: 'pdf-in-the-night-only',
      comment: 'the server streams stored files; it neither writes nor loads a PDF library (VISUAL V65)',
      severity: 'error',
      from: { path: '^serve/', pathNot: '\\.test\\.ts$' },
      to: { path: '^visual/pdf/' },
    },
    {
      name: 'one-pdf-door',
      severity: 'error',
      from: { pathNot: ['\\.test\\.ts$', '^visual/pdf/pdfKit\\.ts$'] },
      to: { path: 'node_modules/pdfkit/' },
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
    ...serverLaws,
    {
      name: 'serve-no-batch-packages',
      severity: 'error',
      from: { path: '^serve/', pathNot: '\\.test\\.ts$' },
      to: { path: 'node_modules/(@duckdb|apache-arrow|yauzl|saxes|fast-xml-parser|csv-parse)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^fixtures/(judges|browser|examples|bench/peers)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'], exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};

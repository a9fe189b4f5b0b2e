/*
 * Import rules: one rule per row of the folder table in CONTRIBUTING.md, and some general rules.
 * scripts/boundaries.test.ts plants a violation of each rule and checks that exactly that rule
 * reports it.
 */
const test = String.raw`(\.test\.tsx?$|/testing/)`
const npm = '^node_modules/'
/** @type {import('dependency-cruiser').DependencyType[]} */
const builtin = ['core']

/** Folders as regular expressions over paths. */
const folder = {
  api: '^server/api/',
  domain: '^server/domain/',
  store: '^server/store/',
  http: '^server/http/',
  market: '^server/market/',
  contract: '^src/contract/',
  core: '^src/core/',
  platform: '^src/platform/',
  renderer: '^src/renderer/',
}

/** @param {string} names of packages, as alternatives of a regular expression */
const packages = (names) => `^node_modules/(${names})/`

/**
 * A folder and everything it may import.
 *
 * @param {string} name
 * @param {string} comment
 * @param {string} from
 * @param {string[]} allowed
 */
const mayImportOnly = (name, comment, from, allowed) => ({
  name,
  comment,
  severity: /** @type {const} */ ('error'),
  from: { path: from, pathNot: test },
  to: { pathNot: [from, ...allowed], dependencyTypesNot: builtin, couldNotResolve: false },
})

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const folderRules = [
  mayImportOnly('server-api', 'The service contract imports only zod.', folder.api, [
    packages('zod'),
  ]),
  mayImportOnly(
    'server-domain',
    'The domain imports only the service contract; storage, HTTP and packages stay outside.',
    folder.domain,
    [folder.api, packages('zod')],
  ),
  mayImportOnly('server-store', 'The store imports the domain and the contract.', folder.store, [
    folder.domain,
    folder.api,
    npm,
  ]),
  mayImportOnly(
    'server-http',
    'HTTP imports the domain and the contract; main.ts passes the store to it.',
    folder.http,
    [folder.domain, folder.api, npm],
  ),
  mayImportOnly(
    'server-market',
    'The market simulation imports the domain and the contract.',
    folder.market,
    [folder.domain, folder.api, npm, '^resources/'],
  ),
  mayImportOnly(
    'contract',
    'The console’s contract consists of zod, oRPC contracts and the schemas of the service.',
    folder.contract,
    [folder.api, packages('zod|@orpc/contract|intl-messageformat|@schummar/icu-type-parser')],
  ),
  mayImportOnly(
    'core',
    'The core imports its contract, the platform’s interfaces and the service contract.',
    folder.core,
    [
      folder.contract,
      folder.platform,
      folder.api,
      packages(
        [
          'better-sqlite3|@types/better-sqlite3|zod|@orpc/[^/]+|papaparse|@types/papaparse',
          '@zxcvbn-ts/[^/]+|secure-password-utilities',
        ].join('|'),
      ),
    ],
  ),
  mayImportOnly(
    'client-package',
    'The client package is the core’s service connection and the service contract.',
    '^src/client-package/',
    [folder.core, folder.api, packages('zod')],
  ),
  mayImportOnly('platform', 'The platform imports no core and no host.', folder.platform, [
    folder.contract,
    folder.api,
    npm,
  ]),
  mayImportOnly(
    'hosts',
    'A host imports the platform, the messages and the core’s start-console.ts, never the other host.',
    '^src/(main|browser-host)/',
    [folder.platform, folder.core, '^src/contract/localization/', npm, '^src/(main|browser-host)/'],
  ),
  {
    name: 'hosts-are-separate',
    comment:
      'The two hosts share no files: one shared file would pull `electron` into the browser host.',
    severity: 'error',
    from: { path: '^src/(main|browser-host)/', pathNot: test },
    to: { path: '^src/(main|browser-host)/', pathNot: '^src/$1/' },
  },
  {
    name: 'hosts-use-start-console',
    comment:
      'Hosts start a console with src/core/start-console.ts and import nothing else of the core.',
    severity: 'error',
    from: { path: '^src/(main|browser-host)/', pathNot: test },
    to: { path: folder.core, pathNot: '^src/core/start-console[.]ts$' },
  },
  {
    name: 'preload-alone',
    comment: 'The preload script is a single port and imports none of our code.',
    severity: 'error',
    from: { path: '^src/preload/', pathNot: test },
    to: { path: '^(src|server)/', pathNot: '^src/preload/' },
  },
  mayImportOnly(
    'renderer',
    'The screen imports the contract, and types, money, durations and limits of the service.',
    folder.renderer,
    [folder.contract, folder.api, npm],
  ),
  {
    name: 'renderer-takes-types-and-money',
    comment:
      'The screen imports only types of the service contract, and money.ts, time.ts and limits.ts; ' +
      'schemas come through src/contract.',
    severity: 'error',
    from: { path: folder.renderer, pathNot: test },
    to: {
      path: folder.api,
      pathNot: '^server/api/(money|time|limits)[.]ts$',
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'backend-is-a-process',
    comment: 'The console starts the backend as a process and uses HTTP. So do the tests.',
    severity: 'error',
    from: { path: '^src/' },
    to: { path: '^server/', pathNot: folder.api },
  },
]

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const generalRules = [
  {
    name: 'no-cycles',
    comment: 'In a cycle, no module can be read first.',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  {
    name: 'everything-resolves',
    comment: 'An import that can’t be resolved would also escape every other rule.',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: 'backend-without-console',
    comment: 'The bundled backend runs without the console.',
    severity: 'error',
    from: { path: '^server/' },
    to: { path: '^src/' },
  },
  {
    name: 'electron-only-in-its-host',
    comment:
      'Only Electron’s own host and preload import `electron`; everything else must run without it.',
    severity: 'error',
    from: { pathNot: '^src/(main|preload)/' },
    to: { path: packages('electron') },
  },
  {
    name: 'core-entry-without-electron',
    comment: 'The core process is built separately and must never import `electron`.',
    severity: 'error',
    from: { path: '^src/main/core-entry[.]ts$' },
    to: { path: packages('electron'), reachable: true },
  },
  {
    name: 'platform-types-only',
    comment: 'The host passes the platform to the core, which imports only its types.',
    severity: 'error',
    from: { path: folder.core, pathNot: test },
    to: { path: folder.platform, dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'features-by-their-main-file',
    comment:
      'A feature of the core imports only the `<feature>.ts` of another feature; ' +
      'all features can import mirror/schema.ts.',
    severity: 'error',
    from: { path: '^src/core/([^/]+)/', pathNot: test },
    to: {
      path: '^src/core/([^/]+)/',
      pathNot: [
        '^src/core/$1/',
        String.raw`^src/core/([^/]+)/\1[.]ts$`,
        '^src/core/mirror/schema[.]ts$',
      ],
    },
  },
  {
    name: 'renderer-without-node',
    comment: 'The screen runs in a sandboxed window.',
    severity: 'error',
    from: { path: folder.renderer, pathNot: test },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'contracts-without-node',
    comment: 'The screen also uses the contracts.',
    severity: 'error',
    from: { path: '^(server/api|src/contract)/', pathNot: test },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'domain-without-io',
    comment:
      'The domain’s rules are functions of plain values. Of Node’s modules they import only `crypto`, ' +
      'plus `net` for address sets (allowlist, webhook address) and `diagnostics_channel` (crash points).',
    severity: 'error',
    from: {
      path: folder.domain,
      pathNot: [
        test,
        '^server/domain/(access/allowlist|crash-points|webhooks/webhook-address)[.]ts$',
      ],
    },
    to: { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
  },
  {
    name: 'one-sqlite',
    comment: 'Use better-sqlite3 everywhere: node:sqlite has another version and other defaults.',
    severity: 'error',
    from: {},
    to: { path: '^(node:)?sqlite$' },
  },
  {
    name: 'no-dev-dependencies-at-run-time',
    comment:
      'Code outside the window is not bundled with its packages, so a devDependency would be missing at run time.',
    severity: 'error',
    from: { path: '^(server|src/(core|platform|main|browser-host|preload))/', pathNot: test },
    to: {
      dependencyTypes: ['npm-dev'],
      dependencyTypesNot: ['type-only', 'npm'],
      pathNot: packages('electron|@types/[^/]+'),
    },
  },
  {
    name: 'scripts-without-packages',
    comment: 'The scripts that install packages must run before any package is installed.',
    severity: 'error',
    from: { path: '^scripts/(start|test|build|with-node)[.]mjs$' },
    to: { path: npm, reachable: true },
  },
]

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [...folderRules, ...generalRules],
  options: {
    // TypeScript 7 has no parser that other tools can use: without swc, .ts files would be skipped.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css'],
    },
  },
}

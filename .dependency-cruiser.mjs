/*
 * Who may import whom: one rule per row of the rooms' table in CONTRIBUTING.md, and the few laws
 * that hold everywhere. scripts/boundaries.test.ts plants a violation of each rule and sees exactly
 * that rule fire.
 */
const test = String.raw`(\.test\.tsx?$|/testing/)`
const npm = '^node_modules/'
/** @type {import('dependency-cruiser').DependencyType[]} */
const builtin = ['core']

/** Rooms as regular expressions over paths. */
const room = {
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
 * A room and all that it may import.
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
const rooms = [
  mayImportOnly('server-api', 'The service contract knows zod and nothing else.', room.api, [
    packages('zod'),
  ]),
  mayImportOnly(
    'server-domain',
    'The domain knows the service contract; storage, HTTP and packages stay outside.',
    room.domain,
    [room.api, packages('zod')],
  ),
  mayImportOnly('server-store', 'The store knows the domain and the contract.', room.store, [
    room.domain,
    room.api,
    npm,
  ]),
  mayImportOnly(
    'server-http',
    'HTTP knows the domain and the contract; main.ts hands it the store.',
    room.http,
    [room.domain, room.api, npm],
  ),
  mayImportOnly(
    'server-market',
    'The market simulation knows the domain and the contract.',
    room.market,
    [room.domain, room.api, npm, '^resources/'],
  ),
  mayImportOnly(
    'contract',
    'What the screen may ask is made of zod, oRPC contracts and the schemas of the service.',
    room.contract,
    [room.api, packages('zod|@orpc/contract|intl-messageformat|@schummar/icu-type-parser')],
  ),
  mayImportOnly(
    'core',
    'The core knows its contract, the platform’s interfaces and the service contract.',
    room.core,
    [
      room.contract,
      room.platform,
      room.api,
      packages('better-sqlite3|@types/better-sqlite3|zod|@orpc/[^/]+|papaparse|@types/papaparse'),
    ],
  ),
  mayImportOnly('platform', 'What differs by host knows no core and no host.', room.platform, [
    room.contract,
    room.api,
    npm,
  ]),
  mayImportOnly(
    'hosts',
    'A host knows the platform and the core’s one door; never the other host.',
    '^src/(main|browser-host)/',
    [room.platform, room.core, npm, '^src/(main|browser-host)/'],
  ),
  {
    name: 'hosts-apart',
    comment:
      'Electron’s host and the browser’s never meet: one shared file would pull `electron` into the other.',
    severity: 'error',
    from: { path: '^src/(main|browser-host)/', pathNot: test },
    to: { path: '^src/(main|browser-host)/', pathNot: '^src/$1/' },
  },
  {
    name: 'hosts-use-the-door',
    comment: 'Hosts make a core by src/core/create-core.ts and reach nothing behind it.',
    severity: 'error',
    from: { path: '^src/(main|browser-host)/', pathNot: test },
    to: { path: room.core, pathNot: '^src/core/create-core[.]ts$' },
  },
  {
    name: 'preload-alone',
    comment: 'The preload script is one port and nothing else of ours.',
    severity: 'error',
    from: { path: '^src/preload/', pathNot: test },
    to: { path: '^(src|server)/', pathNot: '^src/preload/' },
  },
  mayImportOnly(
    'renderer',
    'The screen knows the contract, and types and money of the service.',
    room.renderer,
    [room.contract, room.api, npm],
  ),
  {
    name: 'renderer-takes-types-and-money',
    comment:
      'Of the service contract the screen takes types, and money.ts for arithmetic; schemas come through src/contract.',
    severity: 'error',
    from: { path: room.renderer, pathNot: test },
    to: { path: room.api, pathNot: '^server/api/money[.]ts$', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'backend-is-a-process',
    comment: 'The console starts the backend as a process and speaks HTTP to it. Tests too.',
    severity: 'error',
    from: { path: '^src/' },
    to: { path: '^server/', pathNot: room.api },
  },
]

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const laws = [
  {
    name: 'no-cycles',
    comment: 'A cycle has no first module to read.',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  {
    name: 'everything-resolves',
    comment: 'An import that leads nowhere would also escape every other rule.',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: 'backend-knows-no-console',
    comment: 'The bundled backend runs without the console.',
    severity: 'error',
    from: { path: '^server/' },
    to: { path: '^src/' },
  },
  {
    name: 'electron-in-its-host',
    comment:
      'Only Electron’s own host and preload import `electron`; everything else must run without it.',
    severity: 'error',
    from: { pathNot: '^src/(main|preload)/' },
    to: { path: packages('electron') },
  },
  {
    name: 'core-entry-without-electron',
    comment: 'The core’s process is built apart and must never reach `electron`.',
    severity: 'error',
    from: { path: '^src/main/core-entry[.]ts$' },
    to: { path: packages('electron'), reachable: true },
  },
  {
    name: 'platform-by-interface',
    comment:
      'The core is handed its platform by the host: it takes types from there, no implementation.',
    severity: 'error',
    from: { path: room.core, pathNot: test },
    to: { path: room.platform, dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'features-by-their-door',
    comment:
      'A feature of the core reaches another only through what that one exports in `<feature>.ts`; mirror/schema.ts is the shape that all of them fill.',
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
    from: { path: room.renderer, pathNot: test },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'contracts-without-node',
    comment: 'Contracts are read by the screen as well.',
    severity: 'error',
    from: { path: '^(server/api|src/contract)/', pathNot: test },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'domain-without-io',
    comment:
      'The domain’s rules are functions of plain values. It may import only `crypto` of Node’s modules, ' +
      'except `net` for address sets (allowlist, webhook address) and `diagnostics_channel` (crash points).',
    severity: 'error',
    from: {
      path: room.domain,
      pathNot: [
        test,
        '^server/domain/(access/allowlist|crash-points|webhooks/webhook-address)[.]ts$',
      ],
    },
    to: { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
  },
  {
    name: 'one-sqlite',
    comment:
      'better-sqlite3 is the one SQLite: node:sqlite has another version and other defaults.',
    severity: 'error',
    from: {},
    to: { path: '^(node:)?sqlite$' },
  },
  {
    name: 'no-tools-at-run-time',
    comment:
      'What runs beside the window is not bundled with its packages: a devDependency would be missing there.',
    severity: 'error',
    from: { path: '^(server|src/(core|platform|main|browser-host|preload))/', pathNot: test },
    to: {
      dependencyTypes: ['npm-dev'],
      dependencyTypesNot: ['type-only', 'npm'],
      pathNot: packages('electron|@types/[^/]+'),
    },
  },
  {
    name: 'scripts-before-packages',
    comment: 'The scripts that install must run before anything is installed.',
    severity: 'error',
    from: { path: '^scripts/(start|test|build|with-node)[.]mjs$' },
    to: { path: npm, reachable: true },
  },
]

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [...rooms, ...laws],
  options: {
    // TypeScript 7 has no parser for others to use: without swc no .ts file would be looked at.
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

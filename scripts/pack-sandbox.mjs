import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { separateBuilds } from '../vite.shared.ts'
import { buildSeparately } from './lib/build-separately.mjs'
import { run } from './lib/child.mjs'
import { root } from './lib/paths.mjs'
import { runCommand } from './lib/plain-failure.mjs'

/*
 * `npm run pack:sandbox -- [FOLDER]`: builds the service as the npm package `keydesk-sandbox` and
 * packs it into dist/ or another folder. It publishes nothing.
 */
const target = resolve(process.argv[2] ?? join(root, 'dist'))
const folder = join(target, 'keydesk-sandbox')
const source = join(root, 'server', 'package')
/** The licenses of the packages that the bundle contains demand that their texts go along. */
const licenses = 'THIRD-PARTY-NOTICES.txt'

function manifest() {
  const { version, license, dependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  return {
    name: 'keydesk-sandbox',
    version,
    description:
      'The complete service of the Partner Ordering API and the Seller Import API, for tests and development.',
    license,
    type: 'module',
    engines: { node: '>=22.13' },
    bin: { 'keydesk-sandbox': 'command.js' },
    exports: { '.': { types: './library.d.ts', default: './library.js' } },
    files: ['*.js', '*.d.ts', 'chunks', licenses],
    // The only package that isn't bundled, because it is native.
    dependencies: { 'better-sqlite3': dependencies['better-sqlite3'] },
  }
}

await runCommand(async () => {
  process.chdir(root)
  const service = separateBuilds.find(({ name }) => name === 'server')
  if (service === undefined) throw new Error('The service has no build of its own.')
  await buildSeparately(service, folder)
  for (const name of ['command.js', 'README.md']) cpSync(join(source, name), join(folder, name))
  cpSync(join(root, licenses), join(folder, licenses))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  const declared = await run('tsc', [
    '--ignoreConfig',
    '--declaration',
    '--emitDeclarationOnly',
    '--skipLibCheck',
    '--target',
    'esnext',
    '--module',
    'nodenext',
    '--types',
    'node',
    '--outDir',
    folder,
    join(source, 'library.ts'),
  ])
  return declared === 0 ? run('npm', ['pack', folder, '--pack-destination', target]) : declared
})

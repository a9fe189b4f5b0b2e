import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildSeparately } from './lib/build-separately.mjs'
import { run } from './lib/child.mjs'
import { root } from './lib/paths.mjs'
import { runCommand } from './lib/plain-failure.mjs'

/*
 * `npm run pack:client -- [FOLDER]`: builds the console's connection to the service as the npm
 * package `keydesk-client` and packs it into dist/ or another folder. It publishes nothing.
 */
const target = resolve(process.argv[2] ?? join(root, 'dist'))
const folder = join(target, 'keydesk-client')
const source = join(root, 'src', 'client-package')
const licenses = 'THIRD-PARTY-NOTICES.txt'

function manifest() {
  const { version, license, dependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  return {
    name: 'keydesk-client',
    version,
    description: 'A typed client of the Partner Ordering API and the Seller Import API.',
    license,
    type: 'module',
    engines: { node: '>=24' },
    exports: {
      '.': { types: './types/src/client-package/client.d.ts', default: './client.js' },
    },
    files: ['*.js', 'chunks', 'types', licenses],
    // Bundled; the types also need it.
    dependencies: { zod: dependencies['zod'] },
  }
}

/** Declarations of the client and of the contract; those of the console's core aren't needed. */
async function declare() {
  const all = mkdtempSync(join(tmpdir(), 'keydesk-types-'))
  const options = {
    declaration: true,
    emitDeclarationOnly: true,
    skipLibCheck: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    target: 'esnext',
    module: 'esnext',
    moduleResolution: 'bundler',
    types: 'node',
    rootDir: root,
    outDir: all,
  }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
  const status = await run('tsc', ['--ignoreConfig', ...args, join(source, 'client.ts')])
  for (const part of ['server/api', 'src/client-package'])
    cpSync(join(all, part), join(folder, 'types', part), { recursive: true })
  rmSync(all, { recursive: true })
  return status
}

await runCommand(async () => {
  process.chdir(root)
  const input = { client: join(source, 'client.ts') }
  await buildSeparately({ name: 'client', input }, folder)
  cpSync(join(source, 'README.md'), join(folder, 'README.md'))
  cpSync(join(root, licenses), join(folder, licenses))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  const declared = await declare()
  return declared === 0 ? run('npm', ['pack', folder, '--pack-destination', target]) : declared
})

import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from './lib/build.mjs'
import { buildDebianPackage, productVersion, sourceDate } from './lib/deb/debian-package.mjs'
import { root } from './lib/paths.mjs'
import { PlainFailure, runCommand } from './lib/plain-failure.mjs'

/*
 * `npm run dist:deb -- [FOLDER]`: builds the Debian package of the browser host into dist/ or
 * another folder. `--level N` chooses the compression of xz; 1 is fast, for tries.
 */
const megabytes = (/** @type {number} */ bytes) => `${(bytes / 1e6).toFixed(1)} MB`

await runCommand(async () => {
  const { values, positionals } = parseArgs({
    options: { level: { type: 'string', default: '9' } },
    allowPositionals: true,
  })
  if (!/^[0-9]$/.test(values.level)) throw new PlainFailure('--level must be 0 to 9.')
  process.chdir(root)
  process.umask(0o022)
  const built = await build()
  if (built !== 0) return built
  const { path, bytes, parts } = await buildDebianPackage({
    target: resolve(positionals[0] ?? join(root, 'dist')),
    version: productVersion(),
    date: sourceDate(),
    level: Number(values.level),
  })
  for (const part of parts) console.error(`${megabytes(part.bytes).padStart(10)}  ${part.name}`)
  console.error(`${megabytes(bytes).padStart(10)}  ${path}`)
  return 0
})

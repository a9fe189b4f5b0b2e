import { build as buildWithElectronVite } from 'electron-vite'
import { separateBuilds } from '../vite.shared.ts'
import { buildSeparately, buildServer } from './lib/build-separately.mjs'
import { root } from './lib/paths.mjs'

/** Builds everything into out/. Runs with the pinned Node, from the repository's root. */
process.chdir(root)
// Standard output is reserved for the ready line of the program that requested the build.
console.log = console.error
console.info = console.error

await buildWithElectronVite({ logLevel: 'warn' })
for (const program of separateBuilds) if (program.name !== 'server') await buildSeparately(program)
await buildServer()

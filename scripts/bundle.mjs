import { existsSync } from 'node:fs'
import { build as buildWithElectronVite } from 'electron-vite'
import { build } from 'vite'
import { buildsApart, nodeTarget, versionConstant } from '../vite.shared.ts'
import { root } from './lib/paths.mjs'

/** Builds everything into out/. Runs under the pinned Node, from the repository's root. */
process.chdir(root)
// Standard output belongs to the ready line of whoever asked for the build.
console.log = console.error
console.info = console.error

await buildWithElectronVite({ logLevel: 'warn' })

for (const { name, input } of buildsApart) {
  const entries = Object.entries(input)
  const missing = entries.filter(([, path]) => !existsSync(path))
  if (missing.length > 0) throw new Error(`The build of ${name} lacks ${missing.map(([, path]) => path).join(', ')}`)
  if (entries.length === 0) continue
  await build({
    configFile: false,
    logLevel: 'warn',
    define: versionConstant,
    publicDir: false,
    build: {
      ssr: true,
      outDir: `out/${name}`,
      emptyOutDir: true,
      target: nodeTarget,
      minify: false,
      rolldownOptions: { input, output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' } },
    },
  })
}

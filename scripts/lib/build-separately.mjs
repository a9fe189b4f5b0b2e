import { existsSync } from 'node:fs'
import { build } from 'vite'
import { nativePackages, nodeTarget, separateBuilds, versionConstant } from '../../vite.shared.ts'
import { forgetServer, rememberServer, serverSources } from './server-program.mjs'

/**
 * Builds one of the separately built programs.
 *
 * @param {import('../../vite.shared.ts').SeparateBuild} program
 * @param {string} [outDir] default: its folder in out/
 */
export async function buildSeparately(
  { name, input, bundlesPackages: whole = false },
  outDir = `out/${name}`,
) {
  const entries = Object.entries(input)
  const missing = entries.filter(([, path]) => !existsSync(path))
  if (missing.length > 0)
    throw new Error(`The build of ${name} lacks ${missing.map(([, path]) => path).join(', ')}`)
  if (entries.length === 0) return
  await build({
    configFile: false,
    logLevel: 'warn',
    define: versionConstant,
    publicDir: false,
    ...(whole ? { ssr: { noExternal: true, external: [...nativePackages] } } : {}),
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: nodeTarget,
      minify: false,
      rolldownOptions: {
        input,
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
        },
      },
    },
  })
}

/** Builds only the service, and records its sources. */
export async function buildServer() {
  const sources = serverSources()
  forgetServer()
  for (const program of separateBuilds)
    if (program.name === 'server') await buildSeparately(program)
  rememberServer(sources)
}

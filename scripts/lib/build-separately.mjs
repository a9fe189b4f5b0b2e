import { existsSync } from 'node:fs'
import { build } from 'vite'
import { nativePackages, nodeTarget, separateBuilds, versionConstant } from '../../vite.shared.ts'
import { forgetServer, rememberServer, serverSources } from './server-program.mjs'

/**
 * fastify loads `node:https` and `node:http2`, which only a server with TLS needs and which take a
 * twentieth of the service's start. In the bundle it loads them when it creates such a server.
 *
 * @returns {import('vite').Plugin}
 */
function withoutTls() {
  const needed = /^const (https|http2) = require\('node:(https|http2)'\)$/gm
  return {
    name: 'keydesk:without-tls',
    transform(code, id) {
      if (!/fastify[\\/]lib[\\/]server\.js$/.test(id)) return null
      if (code.match(needed)?.length !== 2)
        throw new Error('fastify loads node:https and node:http2 in another way than before.')
      return code.replaceAll(
        needed,
        (_, name, module) =>
          `const ${name} = new Proxy({}, { get: (_, key) => require('node:${module}')[key] })`,
      )
    },
  }
}

/**
 * Builds one of the separately built programs.
 *
 * @param {import('../../vite.shared.ts').SeparateBuild} program
 * @param {string} [outDir] default: its folder in out/
 */
export async function buildSeparately({ name, input }, outDir = `out/${name}`) {
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
    plugins: [withoutTls()],
    ssr: { noExternal: true, external: [...nativePackages] },
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

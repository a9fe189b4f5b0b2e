import { join } from 'node:path'
import { build } from 'vite'

/** Bundles a program, since Node doesn't resolve the imports without extensions that generators write. */
export async function buildWithVite(entry: string, folder: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: 'error',
    root: folder,
    ssr: { noExternal: true },
    build: {
      ssr: entry,
      outDir: join(folder, 'out'),
      rolldownOptions: { output: { format: 'es', entryFileNames: 'program.mjs' } },
    },
  })
  return join(folder, 'out', 'program.mjs')
}

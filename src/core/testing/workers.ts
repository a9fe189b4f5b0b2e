import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { WorkerName } from '../../platform/host.ts'

const core = join(import.meta.dirname, '..')
let sources: ReadonlyMap<string, string> | undefined

/** A worker's source file, for a runtime that runs TypeScript. The first call searches for all. */
export function workerSource(name: WorkerName): string {
  sources ??= new Map(
    globSync('**/*.worker.ts', { cwd: core }).map((path) => [basename(path, '.worker.ts'), path]),
  )
  const found = sources.get(name)
  if (found === undefined) throw new Error(`no worker has the name ${name}`)
  return join(core, found)
}

/** A worker as Vitest's global setup built it from the present sources, or its source file. */
export function testWorker(name: WorkerName): string {
  const folder = process.env['KEYDESK_TEST_WORKERS']
  return folder === undefined ? workerSource(name) : join(folder, `${name}.js`)
}

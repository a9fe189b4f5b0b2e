import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { WorkerName } from '../../platform/host.ts'

/** A worker's source file, for a runtime that runs TypeScript. */
export function workerSource(name: WorkerName): string {
  const [found] = globSync(`**/${name}.worker.ts`, { cwd: join(import.meta.dirname, '..') })
  if (found === undefined) throw new Error(`no worker has the name ${name}`)
  return join(import.meta.dirname, '..', found)
}

/** A worker as Vitest's global setup built it from the present sources, or its source file. */
export function testWorker(name: WorkerName): string {
  const folder = process.env['KEYDESK_TEST_WORKERS']
  return folder === undefined ? workerSource(name) : join(folder, `${name}.js`)
}

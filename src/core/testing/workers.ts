import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { WorkerName } from '../../platform/host.ts'

/** A worker's source file, for a runtime that runs TypeScript. */
export function workerSource(name: WorkerName): string {
  const [found] = globSync(`**/${name}.worker.ts`, { cwd: join(import.meta.dirname, '..') })
  if (found === undefined) throw new Error(`no worker has the name ${name}`)
  return join(import.meta.dirname, '..', found)
}

import { Worker } from 'node:worker_threads'
import SqliteDatabase from 'better-sqlite3'
import type { Attention } from '../context.ts'
import { isDamage } from './damage.ts'
import type { Damage } from './mirrors.ts'

/** The first damage in a database file, as SQLite words it; null for a whole one. Reads the whole file: for a worker. */
export function damageIn(path: string): string | null {
  const database = new SqliteDatabase(path, { readonly: true })
  try {
    const [found] = database.pragma('quick_check(1)') as { quick_check: string }[]
    return found === undefined || found.quick_check === 'ok' ? null : found.quick_check
  } catch (error) {
    if (isDamage(error)) return (error as Error).message
    throw error
  } finally {
    database.close()
  }
}

type Parts = {
  /** Path of the built worker. */
  worker: () => string
  accounts: () => string[]
  files: Record<Damage['place'], (accountId: string) => string>
  repair: (accountId: string, place: Damage['place']) => Promise<void>
  /** Waited for before each file that is long to read. */
  rest: Attention['rest']
  report: (where: string, error: unknown) => void
}

/**
 * Looks through the files of every account, one after the other, in a worker, so that neither the start nor a person waits, and has damaged
 * ones repaired: first the journals, which nobody else has, then what can be read again. Ends early when `signal` aborts.
 */
export async function checkFiles(parts: Parts, signal: AbortSignal): Promise<void> {
  for (const place of ['journal', 'mirror', 'catalogue'] as const) {
    for (const accountId of parts.accounts()) {
      if (place !== 'journal') await parts.rest(signal)
      if (signal.aborted) return
      if (!parts.accounts().includes(accountId)) continue
      try {
        if (await lookThrough(parts.worker(), parts.files[place](accountId), signal) !== null) await parts.repair(accountId, place)
      } catch (error) {
        if (!signal.aborted) parts.report(`check of the ${place}`, error)
      }
    }
  }
}

function lookThrough(worker: string, path: string, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(worker, { workerData: path, name: 'mirror-check' })
    const stop = (): void => void thread.terminate()
    signal.addEventListener('abort', stop, { once: true })
    thread.on('message', resolve)
    thread.on('error', reject)
    thread.on('exit', (code) => {
      signal.removeEventListener('abort', stop)
      reject(new Error(`The mirror check ended early with status ${code}`))
    })
  })
}

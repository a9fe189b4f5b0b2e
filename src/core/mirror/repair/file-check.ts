import { Worker } from 'node:worker_threads'
import SqliteDatabase from 'better-sqlite3'
import type { Attention } from '../../context.ts'
import { isDamage } from './damage.ts'
import type { Damage } from '../files/mirrors.ts'
import { withWorker } from '../../workers/workers.ts'

/**
 * Checks a database file one table with its indexes at a time, because checking a full catalogue
 * takes seconds. Yields null after each intact table. Returns the first damage in SQLite's wording,
 * or null for an intact file. The file is closed between two tables, so that it can be removed.
 * Reads the complete file, so run it in a worker.
 */
export function* findDamage(path: string): Generator<null, string | null> {
  try {
    // The check of the schema's own table covers the free pages.
    for (const table of [
      'sqlite_schema',
      ...query(path, "SELECT name FROM sqlite_schema WHERE type = 'table'"),
    ]) {
      const [found] = query(path, 'SELECT quick_check FROM pragma_quick_check(?)', table)
      if (found !== undefined && found !== 'ok') return found
      yield null
    }
    return null
  } catch (error) {
    if (isDamage(error)) return (error as Error).message
    throw error
  }
}

function query(path: string, sql: string, ...values: readonly string[]): string[] {
  const database = new SqliteDatabase(path, { readonly: true, fileMustExist: true })
  try {
    return database
      .prepare(sql)
      .pluck()
      .all(...values) as string[]
  } finally {
    database.close()
  }
}

/**
 * The messages of the worker, which checks one table of the file at a path with each request:
 * whether it was the last, and any damage.
 */
export type FileCheckCalls = {
  request: string
  result: { done: boolean; damage: string | null }
  progress: never
}

type Parts = {
  /** Path of the built worker. */
  worker: () => string
  accounts: () => string[]
  files: Record<Damage['place'], (accountId: string) => string>
  repair: (accountId: string, place: Damage['place']) => Promise<void>
  /** Awaited before each long read. */
  whenIdle: Attention['whenIdle']
  report: (where: string, error: unknown) => void
}

/**
 * Checks the files of every account, one after the other, in a worker so that neither startup nor
 * the user waits, and has damaged ones repaired. Journals come first, because they exist nowhere
 * else; then the files that can be synced again. Stops early when `signal` aborts.
 */
export async function checkFiles(parts: Parts, signal: AbortSignal): Promise<void> {
  for (const place of ['journal', 'mirror', 'catalogue'] as const) {
    for (const accountId of parts.accounts()) {
      if (signal.aborted) return
      if (!parts.accounts().includes(accountId)) continue
      try {
        if (
          (await checkFile(
            parts.worker(),
            parts.files[place](accountId),
            place === 'journal' ? async () => {} : parts.whenIdle,
            signal,
          )) !== null
        )
          await parts.repair(accountId, place)
      } catch (error) {
        // An account removed since then took its files with it.
        if (!signal.aborted && parts.accounts().includes(accountId))
          parts.report(`check of the ${place}`, error)
      }
    }
  }
}

const checkFile = (
  worker: string,
  path: string,
  whenIdle: Attention['whenIdle'],
  signal: AbortSignal,
): Promise<string | null> =>
  withWorker<FileCheckCalls, string | null>(
    () => new Worker(worker, { name: 'mirror-check' }),
    { signal, canceled: () => new Error('The check was stopped.') },
    async (ask) => {
      for (;;) {
        await whenIdle(signal)
        const { done, damage } = await ask(path)
        if (done) return damage
      }
    },
  )

import { receiveMessageOnPort } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import SqliteDatabase from 'better-sqlite3'
import type { Database } from 'better-sqlite3'
import { execute } from '../records/commands.ts'
import type { Command, CommandResults } from '../records/commands.ts'
import type { Call } from '../../workers/workers.ts'
import { unpackFacts } from '../records/product-facts.ts'
import type { ProductFacts } from '../records/product-facts.ts'
import type { PageHandover } from './page-fetcher.ts'
import type { PageProducts } from '../sync/page-source.ts'

/**
 * The messages of the writer thread: a command for a file, of a pass or of none (0); the end of a
 * pass, which drops its unwritten pages; or a request to close a file.
 */
export type WriterCalls = {
  request: { pass: number; path: string; deed: Command } | { ended: number } | { close: string }
  result: CommandResults[Command['do']] | null
  progress: never
}

/**
 * Milliseconds that a write waits for another program that locks the file, such as a virus scanner
 * or a backup.
 */
const BUSY_TIMEOUT_MS = 30_000

/**
 * Executes commands over dedicated connections, as the only writer of these files. `pages` receives
 * the products to write.
 */
export function createWriterTask(pages: MessagePort) {
  const opened = new Map<string, Database>()
  const passes = new Set<number>()
  const held = new Map<number, Pick<PageHandover, 'pass' | 'products'>>()

  function open(path: string): Database {
    const known = opened.get(path)
    if (known !== undefined) return known
    const db = new SqliteDatabase(path, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS })
    db.pragma('synchronous = NORMAL')
    opened.set(path, db)
    return db
  }

  /** A page's products reach the port before the command that names them arrives. */
  function fetchHeld(): void {
    for (
      let next = receiveMessageOnPort(pages);
      next !== undefined;
      next = receiveMessageOnPort(pages)
    ) {
      const { pass, ticket, products } = next.message as PageHandover
      if (passes.has(pass)) held.set(ticket, { pass, products })
    }
  }
  function products(ticket: PageProducts): readonly ProductFacts[] {
    if (typeof ticket !== 'number') return ticket
    if (!held.has(ticket)) fetchHeld()
    const found = held.get(ticket)
    if (found === undefined) throw new Error('the page to write no longer exists')
    // Unpack as late as possible: garbage collection is faster while fewer objects are alive.
    return unpackFacts(found.products)
  }
  function end(pass: number): void {
    passes.delete(pass)
    fetchHeld()
    for (const [ticket, page] of held) if (page.pass === pass) held.delete(ticket)
  }

  async function work(
    { pass, path, deed }: Extract<WriterCalls['request'], { deed: Command }>,
    signal: AbortSignal,
  ): Promise<WriterCalls['result']> {
    if (pass > 0) passes.add(pass)
    const done = await execute(
      { db: open(path), products, lender: (file) => open(file.path) },
      deed,
      signal,
    )
    if (deed.do === 'partner') for (const page of deed.pages) held.delete(Number(page.products))
    if (deed.do === 'seller') held.delete(Number(deed.page.products))
    return done
  }

  return function answer(
    request: WriterCalls['request'],
    { signal }: Call<never>,
  ): WriterCalls['result'] | Promise<WriterCalls['result']> {
    if ('deed' in request) return work(request, signal)
    if ('ended' in request) end(request.ended)
    else {
      opened.get(request.close)?.close()
      opened.delete(request.close)
    }
    return null
  }
}

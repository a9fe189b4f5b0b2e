import { receiveMessageOnPort } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import SqliteDatabase from 'better-sqlite3'
import type { Database } from 'better-sqlite3'
import { execute } from '../records/commands.ts'
import type { Command, CommandResults } from '../records/commands.ts'
import { unpackFacts } from '../records/product-facts.ts'
import type { ProductFacts } from '../records/product-facts.ts'
import type { PageHandover } from './page-fetcher.ts'
import type { PageProducts } from '../sync/page-source.ts'

/**
 * Message to the writer thread: a command for a file, of a pass or of none (0); the end of a pass,
 * which drops its unwritten pages; a request to close a file; or a request to cancel a command.
 */
export type WriterMessage =
  | { id: number; pass: number; path: string; deed: Command }
  | { ended: number }
  | { id: number; close: string }
  | { abort: number }
export type WriterAnswer =
  { id: number; done: CommandResults[Command['do']] } | { id: number; error: Error }

/**
 * Milliseconds that a write waits for another program that locks the file, such as a virus scanner
 * or a backup.
 */
const BUSY_TIMEOUT_MS = 30_000

/**
 * Executes commands over dedicated connections, as the only writer of these files. `pages` receives
 * the products to write.
 */
export function createWriterTask(pages: MessagePort, answer: (answer: WriterAnswer) => void) {
  const opened = new Map<string, Database>()
  const inFlight = new Map<number, AbortController>()
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

  async function work({
    id,
    pass,
    path,
    deed,
  }: Extract<WriterMessage, { deed: Command }>): Promise<void> {
    const stop = new AbortController()
    inFlight.set(id, stop)
    try {
      if (pass > 0) passes.add(pass)
      const done = await execute(
        { db: open(path), products, lender: (file) => open(file.path) },
        deed,
        stop.signal,
      )
      if (deed.do === 'partner') for (const page of deed.pages) held.delete(Number(page.products))
      if (deed.do === 'seller') held.delete(Number(deed.page.products))
      answer({ id, done })
    } catch (error) {
      answer({ id, error: error instanceof Error ? error : new Error(String(error)) })
    } finally {
      inFlight.delete(id)
    }
  }

  return {
    hear(message: WriterMessage): void {
      if ('abort' in message) inFlight.get(message.abort)?.abort()
      else if ('ended' in message) end(message.ended)
      else if ('deed' in message) void work(message)
      else {
        opened.get(message.close)?.close()
        opened.delete(message.close)
        answer({ id: message.id, done: null })
      }
    },
  }
}

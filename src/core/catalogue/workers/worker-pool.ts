import { getCACertificates } from 'node:tls'
import { MessageChannel, Worker } from 'node:worker_threads'
import type { Database } from 'better-sqlite3'
import type { Host } from '../../../platform/host.ts'
import type { ServiceConnection } from '../../context.ts'
import { failure } from '../../failure.ts'
import { isLoopbackHost } from '../../service-client/service-client.ts'
import { execute } from '../records/commands.ts'
import type { Execute, Command, CommandResults } from '../records/commands.ts'
import type { DetailSourceFile } from '../sync/partner-details.ts'
import { unpackFailure } from './page-fetcher.ts'
import type { FetcherAnswer, FetcherMessage, PageRequest, Route } from './page-fetcher.ts'
import { localPageSource } from '../sync/page-source.ts'
import type { PageSource, PageProducts, PartnerPage, SellerPage } from '../sync/page-source.ts'
import type { WriterAnswer, WriterMessage } from './writer-task.ts'

type Parts = {
  host: Pick<Host, 'workerPath' | 'network'>
  /** The open databases of an account, and its catalogue's file. */
  database: (accountId: string) => Database
  path: (accountId: string) => string
  line: (accountId: string) => Pick<ServiceConnection, 'call' | 'send'>
  report: (where: string, error: unknown) => void
}

/**
 * One pass over an account's catalogue, whose pages are read and written in other threads. `end`
 * drops pages that were read but not written.
 */
export type CataloguePass = { pages: PageSource; execute: Execute; end(): void }

/**
 * Memory limits of each thread. Threads discard their data page by page, and without limits V8
 * keeps growing before it collects garbage. If a catalogue's pages don't fit, the core syncs it.
 */
const MEMORY = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 128 } as const

/** After this many failures, threads aren't started again and the core does their work. */
const MOST_FAILURES = 3

type Waiting = { resolve: (value: never) => void; reject: (error: Error) => void }
type Staff = {
  pages: Worker
  writer: Worker
  /** Aborts when the threads have exited. */ gone: AbortController
  /**
   * The value of {@link import('../../../platform/network.ts').Network.trust} when the threads last
   * received the certificate authorities.
   */ trusts: number | null
}

/**
 * Reads catalogue pages in one thread and writes them in another, which is the only writer of their
 * files. The core only schedules each page and decides which pages to write together. Without
 * threads, or if they keep failing, it does both itself.
 */
export function createWorkerPool({ host, database, path, line, report }: Parts) {
  const waiting = new Map<number, Waiting>()
  const aheads = new Map<number, (nextCursor: string) => void>()
  let staff: Staff | null = null
  let failures = 0
  let lastId = 0

  function dismiss(error: Error): void {
    const dismissed = staff
    staff = null
    dismissed?.gone.abort(error)
    void dismissed?.pages.terminate()
    void dismissed?.writer.terminate()
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  function failed(of: Staff, error: unknown): void {
    if (staff !== of) return
    failures += 1
    report('catalogue threads', error)
    dismiss(new Error('A catalogue thread exited', { cause: error }))
  }
  function hired(): Staff | null {
    if (staff !== null || failures >= MOST_FAILURES) return staff
    try {
      const { port1: pages, port2: writer } = new MessageChannel()
      const team: Staff = {
        pages: new Worker(host.workerPath('catalogue-pages'), {
          name: 'catalogue-pages',
          workerData: { writer },
          transferList: [writer],
          resourceLimits: MEMORY,
        }),
        writer: new Worker(host.workerPath('catalogue-writer'), {
          name: 'catalogue-writer',
          workerData: { pages },
          transferList: [pages],
          resourceLimits: MEMORY,
        }),
        gone: new AbortController(),
        trusts: null,
      }
      for (const worker of [team.pages, team.writer]) {
        worker.unref()
        worker.on('error', (error) => failed(team, error))
        worker.on('exit', (code) =>
          failed(team, new Error(`The thread exited with status ${code}`)),
        )
      }
      team.pages.on('message', (answer: FetcherAnswer) => {
        if ('ahead' in answer) hearAhead(team.pages, answer)
        else settle(answer.id, 'failed' in answer ? unpackFailure(answer.failed) : answer)
      })
      team.writer.on('message', (answer: WriterAnswer) =>
        settle(answer.id, 'error' in answer ? answer.error : answer.done),
      )
      return (staff = team)
    } catch {
      failures = MOST_FAILURES
      return null
    }
  }
  function settle(id: number, outcome: unknown): void {
    const asked = waiting.get(id)
    waiting.delete(id)
    if (outcome instanceof Error) asked?.reject(outcome)
    else asked?.resolve(outcome as never)
  }
  function hearAhead(
    pages: Worker,
    { id, ahead }: Extract<FetcherAnswer, { ahead: string }>,
  ): void {
    aheads.get(id)?.(ahead)
    // Requests that can be sent now are sent in this turn of the event loop.
    setImmediate(() => pages.postMessage({ heard: id } satisfies FetcherMessage))
  }
  function ask<Answer>(
    worker: Worker,
    message: (id: number) => FetcherMessage | WriterMessage,
    signal?: AbortSignal,
  ): Promise<Answer> {
    const id = (lastId += 1)
    const stop = (): void =>
      worker.postMessage({ abort: id } satisfies FetcherMessage & WriterMessage)
    return new Promise<Answer>((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      worker.postMessage(message(id))
      signal?.addEventListener('abort', stop, { once: true })
    }).finally(() => signal?.removeEventListener('abort', stop))
  }

  const here = (accountId: string) => ({
    db: database(accountId),
    products: ownProducts,
    lender: (file: DetailSourceFile) => database(file.accountId),
  })

  async function carry(accountId: string, deed: Command, signal: AbortSignal, pass = 0) {
    const team = hired()
    if (team === null) return await execute(here(accountId), deed, signal)
    // The core has opened, repaired and migrated it.
    database(accountId)
    return await ask(team.writer, (id) => ({ id, pass, path: path(accountId), deed }), signal)
  }

  async function wayTo(baseUrl: string, team: Staff): Promise<Route | null> {
    const { hostname, protocol } = new URL(baseUrl)
    const isNear = isLoopbackHost(hostname)
    if (host.network === undefined || (isNear && protocol === 'http:')) return null
    const proxies = isNear ? null : await host.network.proxyFor(baseUrl)
    const trusted = host.network.trust()
    const authorities = team.trusts === trusted ? null : getCACertificates('default')
    team.trusts = trusted
    return { proxies, authorities }
  }

  /**
   * Scheduling, retries, rejections and the record of each call are the connection's, as for any
   * other call.
   */
  async function read<Page extends PartnerPage | SellerPage>(
    accountId: string,
    team: Staff,
    pass: number,
    wanted: PageRequest,
    signal: AbortSignal,
    ahead?: (nextCursor: string) => void,
  ): Promise<Page> {
    let tries = 0
    // If the service needed a second try, don't send it requests in parallel.
    const hear = (nextCursor: string): void => {
      if (tries === 1) ahead?.(nextCursor)
    }
    return await line(accountId).send(
      wanted.of === 'partner' ? 'listProducts' : 'listSellerProducts',
      async (credentials, within) => {
        const way = await wayTo(credentials.baseUrl, team)
        tries += 1
        let place = 0
        const asked = ask<Extract<FetcherAnswer, { page: unknown }>>(
          team.pages,
          (id) => {
            aheads.set((place = id), hear)
            return { id, pass, wanted, credentials, way }
          },
          within,
        )
        const { status, requestId, page } = await asked.finally(() => aheads.delete(place))
        return { status, requestId, body: page as Page }
      },
      { priority: 'background', signal: AbortSignal.any([signal, team.gone.signal]) },
    )
  }

  return {
    /** Starts a pass over an account's catalogue. */
    pass(accountId: string): CataloguePass {
      const team = hired()
      if (team === null) {
        return {
          pages: localPageSource(line(accountId)),
          execute: (deed, signal) => execute(here(accountId), deed, signal) as never,
          end: () => {},
        }
      }
      const pass = (lastId += 1)
      return {
        pages: {
          partner: (cursor, signal, ahead) =>
            read<PartnerPage>(accountId, team, pass, { of: 'partner', cursor }, signal, ahead),
          seller: (page, signal) =>
            read<SellerPage>(accountId, team, pass, { of: 'seller', page }, signal),
        },
        execute: (deed, signal) => carry(accountId, deed, signal, pass) as never,
        end: () => {
          if (staff === team) team.writer.postMessage({ ended: pass } satisfies WriterMessage)
        },
      }
    },
    /** Executes a command outside a pass. */
    execute: <What extends Command['do']>(
      accountId: string,
      deed: Extract<Command, { do: What }>,
      signal: AbortSignal,
    ): Promise<CommandResults[What]> => carry(accountId, deed, signal) as never,
    /** Closes an account's file before it is closed, replaced or removed elsewhere. */
    async release(accountId: string): Promise<void> {
      const team = staff
      if (team !== null) await ask(team.writer, (id) => ({ id, close: path(accountId) }))
    },
    async close(): Promise<void> {
      failures = MOST_FAILURES
      const team = staff
      staff = null
      await Promise.all([team?.pages.terminate(), team?.writer.terminate()])
      for (const { reject } of waiting.values())
        reject(failure('CANCELLED', 'Keydesk is closing.', 'Start it again.'))
      waiting.clear()
    },
  }
}
export type WorkerPool = ReturnType<typeof createWorkerPool>

function ownProducts(held: PageProducts) {
  if (typeof held === 'number') throw new Error('the page to write no longer exists')
  return held
}

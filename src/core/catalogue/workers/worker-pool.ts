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
import type { FetcherCalls, PageRequest, Route } from './page-fetcher.ts'
import { localPageSource } from '../sync/page-source.ts'
import type { PageSource, PageProducts, PartnerPage, SellerPage } from '../sync/page-source.ts'
import { createWorkers } from '../../workers/workers.ts'
import type { WorkerTeam } from '../../workers/workers.ts'
import type { WriterCalls } from './writer-task.ts'

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

type Calls = { pages: FetcherCalls; writer: WriterCalls }
type Team = WorkerTeam<Calls>

/**
 * Reads catalogue pages in one thread and writes them in another, which is the only writer of their
 * files. The core only schedules each page and decides which pages to write together. Without
 * threads, or if they keep failing, it does both itself.
 */
export function createWorkerPool({ host, database, path, line, report }: Parts) {
  let lastPass = 0
  /**
   * The value of {@link import('../../../platform/network.ts').Network.trust} when the threads last
   * received the certificate authorities.
   */
  const trusts = new WeakMap<Team, number>()
  const workers = createWorkers<Calls>(
    () => {
      const { port1: pages, port2: writer } = new MessageChannel()
      const started = {
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
      }
      for (const worker of Object.values(started)) worker.unref()
      return started
    },
    (error) => report('catalogue threads', error),
  )

  const here = (accountId: string) => ({
    db: database(accountId),
    products: ownProducts,
    lender: (file: DetailSourceFile) => database(file.accountId),
  })

  async function carry(accountId: string, deed: Command, signal: AbortSignal, pass = 0) {
    const team = workers.team()
    if (team === null) return await execute(here(accountId), deed, signal)
    // The core has opened, repaired and migrated it.
    database(accountId)
    return await team.ask('writer', { pass, path: path(accountId), deed }, { signal })
  }

  async function wayTo(baseUrl: string, team: Team): Promise<Route | null> {
    const { hostname, protocol } = new URL(baseUrl)
    const isNear = isLoopbackHost(hostname)
    if (host.network === undefined || (isNear && protocol === 'http:')) return null
    const proxies = isNear ? null : await host.network.proxyFor(baseUrl)
    const trusted = host.network.trust()
    const authorities = trusts.get(team) === trusted ? null : getCACertificates('default')
    trusts.set(team, trusted)
    return { proxies, authorities }
  }

  /**
   * Scheduling, retries, rejections and the record of each call are the connection's, as for any
   * other call.
   */
  async function read<Page extends PartnerPage | SellerPage>(
    accountId: string,
    team: Team,
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
        const answer = await team.ask(
          'pages',
          { pass, wanted, credentials, way },
          { signal: within, progress: hear },
        )
        if ('failed' in answer) throw unpackFailure(answer.failed)
        return { status: answer.status, requestId: answer.requestId, body: answer.page as Page }
      },
      { priority: 'background', signal: AbortSignal.any([signal, team.ended]) },
    )
  }

  return {
    /** Starts a pass over an account's catalogue. */
    pass(accountId: string): CataloguePass {
      const team = workers.team()
      if (team === null) {
        return {
          pages: localPageSource(line(accountId)),
          execute: (deed, signal) => execute(here(accountId), deed, signal) as never,
          end: () => {},
        }
      }
      const pass = (lastPass += 1)
      return {
        pages: {
          partner: (cursor, signal, ahead) =>
            read<PartnerPage>(accountId, team, pass, { of: 'partner', cursor }, signal, ahead),
          seller: (page, signal) =>
            read<SellerPage>(accountId, team, pass, { of: 'seller', page }, signal),
        },
        execute: (deed, signal) => carry(accountId, deed, signal, pass) as never,
        end: () => {
          if (!team.ended.aborted) void team.ask('writer', { ended: pass }).catch(() => {})
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
      await workers.running()?.ask('writer', { close: path(accountId) })
    },
    close: (): Promise<void> =>
      workers.end(failure('CANCELLED', 'Keydesk is closing.', 'Start it again.')),
  }
}
export type WorkerPool = ReturnType<typeof createWorkerPool>

function ownProducts(held: PageProducts) {
  if (typeof held === 'number') throw new Error('the page to write no longer exists')
  return held
}

/**
 * The library of the `keydesk-sandbox` package: starts the service for a test run and gives each
 * test a world of its own.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** How a sandbox starts. */
export type SandboxOptions = {
  /** The data it starts with: `demo` (default) or `empty`. */
  seed?: 'demo' | 'empty'
  /** Number of products in the demo catalogue; 200 by default. */
  products?: number
  /** Whether request rates are enforced; true by default. */
  limits?: boolean
  /**
   * Derives ids, keys, times and everything random from this text and the order of requests, so
   * that two runs with the same calls get the same answers. Rates are then off.
   */
  repeatable?: string
  /** The time at which a repeatable sandbox starts: ISO 8601; the start of 2026 by default. */
  at?: string
}

/** A failure that the service simulates. */
export type Fault = {
  /** The HTTP status of the response, 400 to 599. */
  status?: number
  /** The error code of the response. */
  code?: string
  /** Delay before the response, in milliseconds. */
  latencyMs?: number
  /** Cuts the connection instead of responding. */
  dropConnection?: boolean
  /** Carries the request out first, and loses only its response. */
  afterCommit?: boolean
  /** How many requests it hits; 1 by default. */
  times?: number
}

/** A duration; its parts are added up. */
export type Duration = { days?: number; hours?: number; minutes?: number; ms?: number }

/** A service with its own data, time and addresses. */
export type World = {
  /** Base address of the partner API. */
  readonly url: string
  /** Base address of the seller API. */
  readonly sellerUrl: string
  readonly dashboardUrl: string
  readonly dashboardToken: string
  /** Keys of the demo accounts; empty texts in an `empty` world. */
  readonly partner: { readonly key: string; readonly liveKey: string }
  readonly seller: { readonly key: string }
  readonly clock: {
    /** The service's time. */
    now(): Promise<Date>
    /** Moves the time forward, after everything that becomes due up to then was carried out. */
    advance(by: Duration): Promise<Date>
  }
  readonly faults: {
    /** Makes the next requests of an operation fail, such as `POST /orders`. */
    next(operation: string, fault: Fault): Promise<void>
    clear(): Promise<void>
  }
  /**
   * Calls the dashboard interface.
   *
   * @param path below `/dashboard`
   * @returns the parsed response, undefined if it has no body
   * @throws DashboardError if the service refuses the call
   */
  dashboard(method: string, path: string, body?: unknown): Promise<unknown>
  /** Saves the present state under a name. */
  snapshot(name: string): Promise<void>
  /**
   * What changed since a snapshot, or between it and a later one, in sentences: at most the first
   * thousand.
   */
  differences(from: string, to?: string): Promise<string[]>
  /**
   * Writes all requests so far of a `repeatable` sandbox to a world file, with stand-ins for
   * secrets. `replay` repeats it. A branch has none.
   */
  save(path: string): Promise<void>
  /**
   * A separate world with a copy of this one's data, for one test.
   *
   * @param test the context of a `node:test`, which then stops the world when it ends
   */
  branch(test?: { after(stop: () => Promise<void>): void }): Promise<World>
  /** Stops this world and its branches and deletes their data. */
  stop(): Promise<void>
  /** The same, for `await using world = await sandbox.branch()`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Fixtures for `test.extend` of Vitest or Playwright. */
export type SandboxFixtures = {
  /** One sandbox for each worker. */
  sandbox: [
    (context: object, use: (sandbox: World) => Promise<void>) => Promise<void>,
    { scope: 'worker' },
  ]
  /** A branch of it for each test that uses one. */
  world: (context: { sandbox: World }, use: (world: World) => Promise<void>) => Promise<void>
}

/** The service refused a call of the dashboard interface. */
export class DashboardError extends Error {
  override readonly name = 'DashboardError'
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** The addresses and keys of a world, as in the ready line. */
type Addresses = {
  baseUrl: string
  sellerUrl: string
  dashboardUrl: string
  dashboardToken: string
  demo: { partnerTestKey: string; partnerLiveKey: string; sellerKey: string } | null
}

const program = fileURLToPath(new URL('main.js', import.meta.url))

const millisecondsOf = ({ days = 0, hours = 0, minutes = 0, ms = 0 }: Duration): number =>
  ((days * 24 + hours) * 60 + minutes) * 60_000 + ms

async function call(
  { dashboardUrl, dashboardToken }: Addresses,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const answer = await fetch(`${dashboardUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${dashboardToken}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const parsed: unknown = text === '' ? undefined : JSON.parse(text)
  if (answer.ok) return parsed
  const { error } = parsed as { error: { code: string; message: string } }
  throw new DashboardError(answer.status, error.code, error.message)
}

function worldOf(addresses: Addresses, stop: () => Promise<void>): World {
  const { baseUrl, sellerUrl, dashboardUrl, dashboardToken, demo } = addresses
  const dashboard: World['dashboard'] = (method, path, body) => call(addresses, method, path, body)
  return {
    url: baseUrl,
    sellerUrl,
    dashboardUrl,
    dashboardToken,
    partner: { key: demo?.partnerTestKey ?? '', liveKey: demo?.partnerLiveKey ?? '' },
    seller: { key: demo?.sellerKey ?? '' },
    clock: {
      async now() {
        const { now } = (await dashboard('GET', '/clock')) as { now: string }
        return new Date(now)
      },
      async advance(by) {
        const moved = await dashboard('POST', '/clock/advance', { ms: millisecondsOf(by) })
        return new Date((moved as { now: string }).now)
      },
    },
    faults: {
      async next(operation, { times = 1, ...fault }) {
        const [method, path] = operation.split(' ')
        if (method === undefined || path === undefined)
          throw new TypeError(`An operation is a method and a path, not "${operation}".`)
        const present = (await dashboard('GET', '/faults')) as unknown[]
        const added = { match: { method, path: `/v1${path}` }, times, ...fault }
        await dashboard('PUT', '/faults', [...present, added])
      },
      async clear() {
        await dashboard('DELETE', '/faults')
      },
    },
    dashboard,
    async snapshot(name) {
      await dashboard('POST', '/snapshots', { name })
    },
    async differences(from, to) {
      const query = to === undefined ? '' : `?to=${encodeURIComponent(to)}`
      const path = `/snapshots/${encodeURIComponent(from)}/differences${query}`
      const { results } = (await dashboard('GET', path)) as { results: { text: string }[] }
      return results.map(({ text }) => text)
    },
    async save(path) {
      await writeFile(path, `${JSON.stringify(await dashboard('GET', '/world'), null, 1)}\n`)
    },
    async branch(test) {
      const made = (await dashboard('POST', '/branches')) as Addresses & { id: string }
      const world = worldOf(made, async () => {
        await dashboard('DELETE', `/branches/${made.id}`)
      })
      test?.after(world.stop)
      return world
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/**
 * Starts a service that stores nothing permanently, in a process of its own that ends with this
 * one.
 *
 * @throws Error with the service's own message if it can't start
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<World> {
  const { seed = 'demo', products = 200, limits = true, repeatable, at } = options
  const args = ['--memory', '--port', '0', '--exit-with-parent', '--seed', seed]
  const service = spawn(
    process.execPath,
    [
      program,
      ...args,
      ...(seed === 'demo' ? ['--products', String(products)] : []),
      ...(limits ? [] : ['--no-limits']),
      ...(repeatable === undefined ? [] : ['--repeatable', repeatable]),
      ...(at === undefined ? [] : ['--at', at]),
    ],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  )
  let said = ''
  service.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const lines = createInterface(service.stdout)
  const ended = once(service, 'close')
  const line = await Promise.race([once(lines, 'line'), ended.then(() => null)])
  if (line === null) throw new Error(said.trim() || 'The sandbox ended before it was ready.')
  return worldOf(JSON.parse(String(line[0])) as Addresses, async () => {
    service.stdin.end()
    await ended
  })
}

/** The result of a replay: whether all answers were the same, and a line for each that wasn't. */
export type Replay = { readonly same: boolean; readonly report: string }

/**
 * Repeats a world file in a new sandbox, and compares every answer.
 *
 * @throws Error if the file can't be read
 */
export async function replay(path: string): Promise<Replay> {
  const service = spawn(process.execPath, [program, 'replay', path])
  let report = ''
  let said = ''
  service.stdout.setEncoding('utf8').on('data', (text: string) => (report += text))
  service.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const [status] = await once(service, 'close')
  if (status !== 0 && status !== 1) throw new Error(said.trim())
  return { same: status === 0, report }
}

/**
 * `const test = base.extend(sandboxFixtures())` gives each test that uses `world` its own branch of
 * one sandbox per worker.
 */
export const sandboxFixtures = (options: SandboxOptions = {}): SandboxFixtures => ({
  sandbox: [
    // Vitest requires a destructured parameter to see which fixtures this one needs.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const sandbox = await startSandbox(options)
      await use(sandbox).finally(sandbox.stop)
    },
    { scope: 'worker' },
  ],
  world: async ({ sandbox }, use) => {
    const world = await sandbox.branch()
    await use(world).finally(world.stop)
  },
})

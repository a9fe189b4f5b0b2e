/**
 * Reads of the service compared with plain node:http and mock servers: each in a separate process,
 * the load from another one over 16 keep-alive connections.
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { LoadJob, LoadResult } from './load.ts'
import { installPeer, startPeer } from './peers.ts'
import { startProgram } from './processes.ts'
import { partnerKeys, type Service, startService, wire } from './service.ts'

export type ReadSizes = {
  readonly products: number
  readonly ms: number
  readonly keysPerConnection: number
  /** Installs Prism and json-server where they are missing. */ readonly peers: boolean
}

type Log = (text: string) => void
type Measured = LoadResult & {
  readonly ofBare: number | null
  /** The same ratio by CPU time of the two servers: fairer on a busy machine. */ readonly ofBareCpu:
    | number
    | null
}

const connections = 16
const beside = (name: string): string => path.join(import.meta.dirname, name)
const part = (value: number | null, whole: number | null | undefined): number | null =>
  value === null || whole === null || whole === undefined || whole === 0
    ? null
    : Math.round((value / whole) * 100) / 100

/** Measures one server after the other and compares each with the first one named as plain. */
function createMeasure(ms: number, log: Log) {
  const figures: Record<string, Measured> = {}
  let bare: LoadResult | null = null
  return {
    figures,
    async measure(
      name: string,
      job: Omit<LoadJob, 'warmUpMs' | 'ms'>,
      isBare = false,
    ): Promise<void> {
      const load = await startProgram([beside('load.ts')], {
        ...job,
        warmUpMs: ms / 4,
        ms,
      } satisfies LoadJob)
      const result = load.ready as LoadResult
      if (isBare) bare = result
      const measured = {
        ...result,
        ofBare: part(result.perSecond, bare?.perSecond),
        ofBareCpu: part(result.perCpuSecond, bare?.perCpuSecond),
      }
      figures[name] = measured
      log(
        `${name}: ${result.perSecond.toLocaleString('en')}/s, ${measured.ofBare ?? '?'} of ` +
          `plain (by CPU time ${result.perCpuSecond?.toLocaleString('en') ?? '?'}/s, ` +
          `${measured.ofBareCpu ?? '?'}), ${result.bytes} bytes, p50 ${result.p50Ms} ms, p99 ` +
          `${result.p99Ms} ms`,
      )
    },
  }
}

type Measure = ReturnType<typeof createMeasure>['measure']

/** The same request with each connection's keys in turn, so that no key exceeds its rates. */
function spread(keys: readonly string[], target: (index: number) => string): string[][] {
  const each = Math.floor(keys.length / connections)
  return Array.from({ length: connections }, (_, connection) =>
    keys
      .slice(connection * each, (connection + 1) * each)
      .map((key, index) => wire('GET', target(index * connections + connection), key)),
  )
}

const everywhere = (request: string): string[][] =>
  Array.from({ length: connections }, () => [request])

async function bareOnes(measure: Measure, page: unknown): Promise<void> {
  for (const constant of [false, true]) {
    const bare = await startProgram([beside('bare-http.ts')], { page, constant })
    const { port } = bare.ready as { port: number }
    await measure(
      constant ? 'plain node:http, a constant buffer' : 'plain node:http, serializing 50 products',
      { port, pid: bare.pid, connections: everywhere(wire('GET', '/', 'none')) },
      !constant,
    )
    await bare.stop()
  }
}

/**
 * Every page of 50 by its cursor, in the order in which a sync requests them: more pages than the
 * service caches as text.
 */
async function cursorsOf({ client, ready }: Service): Promise<string[]> {
  const partner = client(ready.demo?.partnerLiveKey ?? '')
  const cursors: string[] = []
  for (let cursor: string | undefined; ;) {
    const { body } = await partner.listProducts({
      query: { limit: 50, ...(cursor === undefined ? {} : { cursor }) },
    })
    if (!body.hasMore || body.nextCursor === null) return cursors
    cursor = body.nextCursor
    cursors.push(cursor)
    await wait(60)
  }
}

/** Changes of a product, which every cached page of products, offers and orders ends with. */
const changesOf = ({ ready }: Service, productId: string): string[] =>
  Array.from({ length: 10 }, (_, index) =>
    wire('PATCH', `/dashboard/products/${productId}`, ready.dashboardToken, {
      description: `Changed ${index}.`,
    }),
  )

async function counted(
  measure: Measure,
  service: Service,
  keysPerConnection: number,
): Promise<void> {
  const keys = await partnerKeys(service, keysPerConnection * connections)
  const cursors = await cursorsOf(service)
  const {
    port,
    running: { pid },
    ready,
    client,
  } = service
  const page = () => '/v1/products?limit=50'
  await measure('GET /products?limit=50', { port, pid, connections: spread(keys, page) })
  const {
    body: {
      results: [first],
    },
  } = await client(ready.demo?.partnerTestKey ?? '').listProducts({ query: { limit: 1 } })
  await measure('GET /products?limit=50 while the catalogue changes 100 times a second', {
    port,
    pid,
    connections: spread(keys, page),
    aside: { requests: changesOf(service, first?.id ?? ''), everyMs: 9 },
  })
  await measure('GET /products?limit=50&cursor=…, a different page each time', {
    port,
    pid,
    connections: spread(
      keys,
      (index) => `/v1/products?limit=50&cursor=${cursors[index % cursors.length] ?? ''}`,
    ),
  })
  await measure('GET /orders?limit=50', {
    port,
    pid,
    connections: spread(keys, () => '/v1/orders?limit=50'),
  })
}

/**
 * Requests that the service's own rates would stop: 300 downloads per minute and account, and a
 * seller's single key.
 */
async function uncounted(measure: Measure, service: Service): Promise<void> {
  const {
    client,
    ready,
    port,
    running: { pid },
  } = service
  const key = ready.demo?.partnerLiveKey ?? ''
  const {
    body: {
      results: [order],
    },
  } = await client(key).listOrders({ query: { status: 'completed', limit: 1 } })
  await measure('GET /orders/{id}/keys, rates off', {
    port,
    pid,
    connections: everywhere(wire('GET', `/v1/orders/${order?.id ?? ''}/keys`, key)),
  })
  const connections = everywhere(
    wire('GET', '/v1/seller/offers?limit=50', ready.demo?.sellerKey ?? ''),
  )
  await measure('GET /seller/offers?limit=50, rates off', { port, pid, connections })
  const productId = (await client(key).listProducts({ query: { limit: 1 } })).body.results[0]?.id
  await measure(
    'GET /seller/offers?limit=50, rates off, while the catalogue changes 100 times a second',
    {
      port,
      pid,
      connections,
      aside: { requests: changesOf(service, productId ?? ''), everyMs: 9 },
    },
  )
}

type OpenApi = {
  paths: Record<
    string,
    { get?: { responses: Record<string, { content?: Record<string, { example?: unknown }> }> } }
  >
}

async function measurePeer(
  measure: Measure,
  name: string,
  args: (port: number) => string[],
  target: string,
): Promise<void> {
  const { port, running } = await startPeer((free) => [process.execPath, ...args(free)], target)
  try {
    await measure(name, {
      port,
      pid: (running.ready as { pid: number }).pid,
      connections: everywhere(wire('GET', target, 'svc_test_x')),
    })
  } finally {
    await running.stop()
  }
}

async function peersOf(
  measure: Measure,
  folder: string,
  { ready }: Service,
  page: { results: unknown[] },
  log: Log,
): Promise<void> {
  const [prism, jsonServer] = [installPeer('prism', log), installPeer('jsonServer', log)]
  const document = (await (await fetch(`${ready.baseUrl}/openapi.json`)).json()) as OpenApi
  const media = document.paths['/products']?.get?.responses['200']?.content?.['application/json']
  if (media === undefined) throw new Error('the OpenAPI document has no response of GET /products')
  media.example = page
  writeFileSync(path.join(folder, 'openapi.json'), JSON.stringify(document))
  writeFileSync(path.join(folder, 'db.json'), JSON.stringify({ products: page.results }))
  if (prism !== null)
    await measurePeer(
      measure,
      'Prism, mocking our document with the same page',
      (port) => [prism, 'mock', '--port', String(port), path.join(folder, 'openapi.json')],
      '/products?limit=50',
    )
  if (jsonServer !== null)
    await measurePeer(
      measure,
      'json-server with the same 50 products',
      (port) => [jsonServer, '--quiet', '--port', String(port), path.join(folder, 'db.json')],
      '/products?_limit=50',
    )
}

/** Measures all reads; `folder` is for its files. */
export async function benchReads(
  folder: string,
  { products, ms, keysPerConnection, peers }: ReadSizes,
  log: Log,
): Promise<Record<string, Measured>> {
  const { measure, figures } = createMeasure(ms, log)
  const data = path.join(folder, 'reads')
  log(`seeding ${products} products`)
  const service = await startService(data, '--products', String(products))
  const { body: page } = await service
    .client(service.ready.demo?.partnerTestKey ?? '')
    .listProducts({ query: { limit: 50 } })
  const answer = await fetch(`${service.ready.baseUrl}/products?limit=50`, {
    headers: { authorization: `Bearer ${service.ready.demo?.partnerTestKey ?? ''}` },
  })
  await bareOnes(measure, await answer.json())
  await counted(measure, service, keysPerConnection)
  if (peers) await peersOf(measure, folder, service, page, log)
  await service.running.stop()
  const unlimited = await startService(data, '--no-limits')
  await uncounted(measure, unlimited)
  await unlimited.running.stop()
  return figures
}

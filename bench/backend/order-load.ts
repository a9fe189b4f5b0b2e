/**
 * Places orders, run as a separate process; each response comes after delivery. Either a number of
 * connections at a time, each with one order after the other, or a fixed rate regardless of the
 * responses. At a fixed rate, a latency counts from the time at which the order should have been
 * sent.
 */
import { text } from 'node:stream/consumers'
import { bodyOf, type Connection, openConnection } from './connection.ts'
import { cpuMsOf } from './processes.ts'
import { quantile } from './quantile.ts'
import { wire } from './service.ts'

export type OrderJob = {
  readonly port: number
  readonly pid: number
  readonly orders: number
  /** Part of every external id. */
  readonly name: string
  readonly keys: readonly string[]
  readonly products: readonly string[]
  readonly pace: { readonly connections: number } | { readonly perSecond: number }
}

export type OrderResult = {
  readonly perSecond: number
  readonly cpuMsAnOrder: number | null
  readonly p50Ms: number
  readonly p99Ms: number
  readonly worstMs: number
}

const took: number[] = []

async function run(job: OrderJob): Promise<OrderResult> {
  const { port, pid, orders, name, keys, products, pace } = job
  let placed = 0

  const requestOf = (index: number): string =>
    wire(
      'POST',
      '/v1/orders?wait=25',
      keys[index % keys.length] ?? '',
      {
        externalId: `${name}-${index}`,
        items: [{ productId: products[index % products.length], qty: 1, maxUnitPrice: 100 }],
      },
      { 'idempotency-key': `${name}-key-${index}` },
    )

  async function place(line: Connection, index: number, from: number): Promise<void> {
    const answer = bodyOf(await line.ask(requestOf(index)))
    took.push(performance.now() - from)
    if (!answer.includes('"status":"completed"'))
      throw new Error(`unexpected response to an order: ${answer}`)
  }

  async function keepPlacing(): Promise<void> {
    const line = openConnection(port)
    while (placed < orders) await place(line, placed++, performance.now())
    line.close()
  }

  async function placeAtRate(perSecond: number): Promise<void> {
    const free: Connection[] = Array.from({ length: 32 }, () => openConnection(port))
    const running: Promise<void>[] = []
    const start = performance.now() + 100
    while (placed < orders) {
      const due = start + (placed * 1000) / perSecond
      const now = performance.now()
      if (now < due) {
        await new Promise((resolve) => setTimeout(resolve, due - now))
        continue
      }
      // The one unused longest, because the service closes connections that are idle for seconds.
      const line = free.shift() ?? openConnection(port)
      running.push(place(line, placed++, due).then(() => void free.push(line)))
    }
    await Promise.all(running)
    for (const line of free) line.close()
  }

  const cpuBefore = cpuMsOf(pid)
  const began = performance.now()
  if ('perSecond' in pace) await placeAtRate(pace.perSecond)
  else await Promise.all(Array.from({ length: pace.connections }, keepPlacing))
  const seconds = (performance.now() - began) / 1000
  const cpuAfter = cpuMsOf(pid)
  const sorted = took.toSorted((a, b) => a - b)
  return {
    perSecond: Math.round(orders / seconds),
    cpuMsAnOrder:
      cpuBefore === null || cpuAfter === null
        ? null
        : Math.round(((cpuAfter - cpuBefore) / orders) * 1000) / 1000,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    worstMs: quantile(sorted, 1),
  }
}

process.stdout.write(
  `${JSON.stringify(await run(JSON.parse(await text(process.stdin)) as OrderJob))}\n`,
)

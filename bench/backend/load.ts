/**
 * A load generator, run as a separate process: keep-alive connections that each send their requests
 * one after the other in a loop. Reads its job from standard input and writes its result as one
 * line.
 */
import { text } from 'node:stream/consumers'
import { openConnection } from './connection.ts'
import { cpuMsOf } from './processes.ts'
import { quantile } from './quantile.ts'

export type LoadJob = {
  readonly port: number
  /** Raw requests, by connection. */
  readonly connections: readonly (readonly string[])[]
  readonly warmUpMs: number
  readonly ms: number
  /** The process whose CPU time is recorded. */
  readonly pid: number
  /** Requests of an additional connection, one every `everyMs`, that aren't counted. */
  readonly aside?: { readonly requests: readonly string[]; readonly everyMs: number }
}

export type LoadResult = {
  readonly perSecond: number
  /** Per second of the server's CPU time. */ readonly perCpuSecond: number | null
  readonly p50Ms: number
  readonly p99Ms: number
  readonly bytes: number
}

async function run(job: LoadJob): Promise<LoadResult> {
  const took: number[] = []
  let bytes = 0
  let counts = false
  let ends = false

  async function keepAsking(requests: readonly string[]): Promise<void> {
    const line = openConnection(job.port)
    for (let index = 0; !ends; index = (index + 1) % requests.length) {
      const began = performance.now()
      const { length } = await line.ask(requests[index] ?? '')
      bytes = length
      if (counts) took.push(performance.now() - began)
    }
    line.close()
  }

  async function askAside({ requests, everyMs }: NonNullable<LoadJob['aside']>): Promise<void> {
    const line = openConnection(job.port)
    for (let index = 0; !ends; index = (index + 1) % requests.length) {
      await line.ask(requests[index] ?? '')
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
    line.close()
  }

  const all = Promise.all([
    ...job.connections.map(keepAsking),
    ...(job.aside === undefined ? [] : [askAside(job.aside)]),
  ])
  const wait = (ms: number) =>
    Promise.race([all, new Promise((resolve) => setTimeout(resolve, ms))])
  await wait(job.warmUpMs)
  const cpuBefore = cpuMsOf(job.pid)
  const began = performance.now()
  counts = true
  await wait(job.ms)
  counts = false
  const seconds = (performance.now() - began) / 1000
  const cpuAfter = cpuMsOf(job.pid)
  ends = true
  await all
  const cpuSeconds = cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) / 1000
  const sorted = took.toSorted((a, b) => a - b)
  return {
    perSecond: Math.round(took.length / seconds),
    perCpuSecond:
      cpuSeconds === null || cpuSeconds === 0 ? null : Math.round(took.length / cpuSeconds),
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    bytes,
  }
}

process.stdout.write(
  `${JSON.stringify(await run(JSON.parse(await text(process.stdin)) as LoadJob))}\n`,
)

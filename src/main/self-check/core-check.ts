import { once } from 'node:events'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import type { Host } from '../../platform/host.ts'
import { withTimeout } from '../../platform/with-timeout.ts'
import type { Check, CoreChecks } from './report.ts'

/** How long one part can take, in milliseconds, on a busy computer with a slow disk. */
const limitMs = 60_000

/** Runs one check. `proof` returns the text to report, and throws when the part doesn't work. */
async function check(proof: () => Promise<string>): Promise<Check> {
  const startedAt = performance.now()
  const timed = (ok: boolean, detail: string): Check => ({
    ok,
    detail,
    ms: Math.round(performance.now() - startedAt),
  })
  try {
    return timed(
      true,
      await withTimeout(proof(), limitMs, `It didn’t respond within ${limitMs / 1000} s.`),
    )
  } catch (error) {
    return timed(false, error instanceof Error ? error.message : String(error))
  }
}

/** The native database and a worker: a worker checks the first table of the console's own file. */
async function useWorker({ dataDir, workerPath }: Host): Promise<string> {
  const worker = new Worker(workerPath('mirror-check'))
  try {
    await once(worker, 'message') // It has loaded.
    const answered = once(worker, 'message')
    worker.postMessage({ id: 1, request: join(dataDir, 'keydesk.db') })
    const [answer] = (await answered) as [{ result?: { damage: string | null }; error?: Error }]
    if (answer.error !== undefined) throw answer.error
    if (answer.result?.damage !== null) throw new Error('The new database is damaged.')
    return 'checked a database'
  } finally {
    await worker.terminate()
  }
}

async function useKeychain({ keychain }: Host): Promise<string> {
  const { available, name, reason } = await keychain.probe()
  if (!available) throw new Error(reason ?? `The ${name} isn’t available.`)
  return name
}

/** A sandbox in memory, which answers a request and stops. */
async function useSandbox({ backends }: Host): Promise<string> {
  const backend = await backends.start({ dataDir: null, port: 0, seed: 'empty' })
  try {
    const { status } = await fetch(new URL('/healthz', backend.ready.baseUrl))
    if (status !== 200) throw new Error(`The sandbox answered with status ${status}.`)
    return 'answered a request'
  } finally {
    await backend.stop()
  }
}

/**
 * Uses every part of an installation that the core needs, in the core's process.
 *
 * @param pageSpoke resolves when a page has sent its first message
 */
export async function checkCore(host: Host, pageSpoke: Promise<void>): Promise<CoreChecks> {
  const [window, worker, keychain, sandbox] = await Promise.all([
    check(async () => {
      await pageSpoke
      return 'sent a request'
    }),
    check(() => useWorker(host)),
    check(() => useKeychain(host)),
    check(() => useSandbox(host)),
  ])
  return { window, worker, keychain, sandbox }
}

import { readdirSync } from 'node:fs'
import { startTestBackend } from '../src/core/testing/backend.ts'
import type { TestBackend } from '../src/core/testing/backend.ts'
import { temporaryFolder } from '../src/core/testing/context.ts'
import { startTestCore, until } from '../src/core/testing/core.ts'
import type { TestCore } from '../src/core/testing/core.ts'
import { memoryKeychain } from '../src/core/testing/keychains.ts'

/** A person who looks at one account after another, in milliseconds per account. */
const LOOK_MS = 1000
const SAMPLE_MS = 250

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
const openFiles = (): number =>
  process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0
const megabytes = (): number => Math.round(process.memoryUsage.rss() / 1e6)
const share = (times: readonly number[], part: number): number =>
  Math.round(times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * part)] ?? 0)

async function connectShops(console_: TestCore, backend: TestBackend, count: number) {
  const ids: string[] = []
  for (let shop = 0; shop < count; shop += 1) {
    const { id } = await backend.dashboard('POST', '/sellers', { name: `Shop ${shop}` })
    const { key } = await backend.dashboard('POST', `/sellers/${String(id)}/keys`, {})
    const account = await console_.ask.accounts.connect({
      key: String(key),
      baseUrl: backend.ready.baseUrl,
      name: `Shop ${shop}`,
    })
    ids.push(account.id)
  }
  return ids
}

/** Requests of the page after a switch to an account. */
async function switchTo({ ask }: TestCore, accountId: string): Promise<number> {
  const startedAt = performance.now()
  await ask.app.changeSettings({ currentAccountId: accountId })
  await Promise.all([
    ask.accounts.connection({ accountId }),
    ask.offers.list({ accountId }),
    ask.disputes.list({ accountId }),
    ask.outbox.list({ accountId }),
  ])
  return performance.now() - startedAt
}

async function measure(accounts: number, switches: number, backend: TestBackend) {
  const folder = temporaryFolder()
  const keychain = memoryKeychain()
  try {
    const first = await startTestCore(folder.path, keychain)
    const ids = await connectShops(first, backend, accounts)
    await first.close()

    const startedAt = performance.now()
    const started = Date.now()
    const console_ = await startTestCore(folder.path, keychain)
    const peak = { megabytes: 0, files: 0 }
    const sampling = setInterval(() => {
      peak.megabytes = Math.max(peak.megabytes, megabytes())
      peak.files = Math.max(peak.files, openFiles())
    }, SAMPLE_MS)
    const syncedAt = async (): Promise<number[]> => {
      const all: number[] = []
      for (const accountId of ids)
        all.push((await console_.ask.accounts.connection({ accountId })).synced.sales ?? 0)
      return all
    }
    await until(syncedAt, (all) => all.every((at) => at >= started), 3_600_000)
    const allSyncedMs = performance.now() - startedAt
    const times: number[] = []
    for (let step = 0; step < switches; step += 1) {
      times.push(await switchTo(console_, ids[(step * 37) % ids.length] ?? ''))
      await pause(LOOK_MS)
    }
    const oldestMs = Date.now() - Math.min(...(await syncedAt()))
    clearInterval(sampling)
    await console_.close()
    return {
      accounts,
      megabytes: peak.megabytes,
      openFiles: peak.files,
      allSyncedSeconds: Math.round(allSyncedMs / 1000),
      oldestSyncSeconds: Math.round(oldestMs / 1000),
      switchMs: { p50: share(times, 0.5), p95: share(times, 0.95) },
    }
  } finally {
    folder.remove()
  }
}

/**
 * A thousand accounts in one console: memory and open files at their peak, the age of the oldest
 * data, and switching. The yardstick is a console with as many accounts as can work at the same
 * time.
 */
export default async function benchAccounts({
  log,
  accounts = 1000,
  switches = 60,
}: {
  log: (text: string) => void
  accounts?: number
  switches?: number
}) {
  const backend = await startTestBackend({ products: 60, noLimits: true })
  try {
    const yardstick = await measure(Math.min(accounts, 10), switches, backend)
    log(`${JSON.stringify(yardstick)}\n`)
    const figures = await measure(accounts, switches, backend)
    log(`${JSON.stringify(figures)}\n`)
    return { figures, yardstick }
  } finally {
    await backend.stop()
  }
}

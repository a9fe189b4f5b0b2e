import path from 'node:path'
import { seeded } from '../../../e2e/support/seeded.ts'
import type { DemoBackend } from '../../../src/core/mirror/testing/backend.ts'
import { temporaryFolder } from '../../../src/core/testing/context.ts'
import { startFaultyProxy } from '../../../src/core/testing/faulty-proxy.ts'
import type { FaultyProxy } from '../../../src/core/testing/faulty-proxy.ts'
import { startConsole } from '../support/console-process.ts'
import type { PowerCuts } from '../support/power-cuts.ts'
import type { ConsoleOptions, Said } from './console.ts'
import { countReceivedPrices } from './received-prices.ts'
import { addUp, noDifference } from './truth.ts'
import type { Difference } from './truth.ts'

export type KilledRun = {
  difference: Difference
  parts: Record<string, Difference>
  kills: number
  /** The kills that hit a listing in progress. */ midway: number
  orders: number
  prices: number
}

const consoleFile = path.join(import.meta.dirname, 'console.ts')
/**
 * The longest lifetime of a console after its accounts work or after its first action, in
 * milliseconds; most are far shorter.
 */
const LONGEST_LIFE_MS = 2500

type Life = {
  rest: Extract<Said, { rest: unknown }>['rest'] | null
  killed: boolean
  syncing: boolean
}

/**
 * SIGKILL after a delay from the time when the accounts work, or from the first action: on a busy
 * machine, and in a first listing, the first action takes a while.
 */
type End = { afterMs: number; of: 'accounts' | 'do' }

/** Runs one console until its SIGKILL; null: it finishes its open work. */
async function live(
  options: ConsoleOptions,
  end: End | null,
  heard: (said: Said) => void,
  cuts: PowerCuts | null = null,
): Promise<Life> {
  const running = startConsole<Said>(consoleFile, options, cuts)
  const life: Life = { rest: null, killed: false, syncing: false }
  for await (const said of running.said) {
    heard(said)
    if (end !== null && end.of in said) running.kill(end.afterMs)
    if ('syncing' in said) life.syncing = said.syncing
    else if ('rest' in said) life.rest = said.rest
  }
  return { ...life, killed: await running.killed() }
}

/** Cuts the network for a while, so that changes are queued in the outbox. */
async function outage(proxy: FaultyProxy, afterMs: number, forMs: number): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, afterMs)
  })
  await proxy.disconnect()
  await new Promise((resolve) => {
    setTimeout(resolve, forMs)
  })
  await proxy.reconnect()
}

/**
 * One console that is killed many times at random points of listings, changes, sending, and writes
 * to the vault, while products change at the service and the network fails and recovers. At the end
 * it must agree with the service, which must have received each price once.
 */
export async function killedRun(
  backend: DemoBackend,
  productIds: readonly string[],
  { seed, kills, cuts }: { seed: number; kills: number; cuts?: PowerCuts | undefined },
): Promise<KilledRun> {
  const below = seeded(seed)
  const folder = temporaryFolder()
  const proxy = await startFaultyProxy(backend.baseUrl)
  const prices = countReceivedPrices(proxy)
  const references: string[] = []
  const run = { kills: 0, midway: 0, orders: 0, prices: 0 }
  let connected = false
  const heard = (said: Said): void => {
    connected ||= 'accounts' in said
    if (!('do' in said)) return
    if (said.do === 'order') references.push(said.externalId)
    else run.prices += 1
  }
  try {
    const { baseUrl, sellerUrl, demo } = backend
    const options = {
      dataDir: path.join(folder.path, 'data'),
      keychainFile: path.join(folder.path, 'keychain.json'),
      baseUrl: proxy.baseUrl,
      backend: { baseUrl, sellerUrl, demo },
      references,
    }
    for (let kill = 0; kill < kills; kill += 1) {
      const end: End = {
        afterMs: Math.floor((below(1000) / 1000) ** 2 * LONGEST_LIFE_MS),
        of: below(2) === 0 ? 'accounts' : 'do',
      }
      // A power failure can come before the accounts are connected, which needs the service.
      const off = connected && below(2) === 0 ? outage(proxy, below(1500), 300) : Promise.resolve()
      const { killed, syncing } = await live(
        {
          ...options,
          day: {
            seed: below(2 ** 31),
            name: `K${seed}-${kill}`,
            firstPrice: 1000 + (seed % 50) * 1000 + kill * 200,
          },
        },
        end,
        heard,
        cuts,
      )
      await off
      run.kills += Number(killed)
      run.midway += Number(killed && syncing)
      for (let change = 0; change < 5; change += 1) {
        const id = productIds[below(productIds.length)] ?? ''
        await backend.dashboard(
          'PATCH',
          `/products/${id}`,
          below(3) === 0
            ? { removed: below(2) === 0 }
            : { name: `Renamed ${below(1e6)}`, supplyUnknown: below(2) === 0 },
        )
      }
    }
    const { rest } = await live({ ...options, day: null }, null, heard)
    if (rest === null) throw new Error('the console did not report its final state')
    rest.parts['prices'] = { ...noDifference, twice: prices.twice() }
    return {
      ...run,
      orders: references.length,
      difference: addUp(...Object.values(rest.parts)),
      parts: rest.parts,
    }
  } finally {
    await proxy.close()
    folder.remove()
  }
}

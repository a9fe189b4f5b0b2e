import { cpSync } from 'node:fs'
import { createBook } from './book.ts'
import { createSimulatedConsole } from './console.ts'
import type { Ask } from './console.ts'
import { createEventLog } from './event-log.ts'
import { createSimulatedNetwork } from './network.ts'
import { fixFloors } from './people/seller.ts'
import type { SeededBytes } from './seeded-bytes.ts'
import { startSimulatedService } from './service.ts'
import type { VirtualTime } from './virtual-time.ts'

/** The accounts of the console, and the seller's at the service. */
export type Accounts = { seller: string; partner: string; shop: string }

/** The state from which every day continues. */
export interface Beginning {
  readonly accounts: Accounts
  readonly secrets: ReadonlyMap<string, string>
  readonly floors: ReadonlyMap<string, number>
  /** When the day starts, in milliseconds since 1970. */
  readonly at: number
  /** Copies the files of the service and the console into a new folder. */
  copyTo(folder: string): void
}

/** How long the console reads its new accounts, in milliseconds. */
const READING_MS = 20_000

async function connectAccounts(ask: Ask): Promise<Accounts> {
  await ask.app.changeSettings({ lockMinutes: 0 })
  const { accounts } = await ask.sandbox.start({})
  const of = (role: string) => accounts.find((each) => each.role === role)
  return {
    seller: of('seller')?.id ?? '',
    partner: of('partner')?.id ?? '',
    shop: of('seller')?.serviceAccountId ?? '',
  }
}

/**
 * A new service, and a console that has connected its accounts, read them, and set floors. On a
 * perfect network this is the same on every day, so that it is done once for all of them.
 */
export async function createBeginning(parts: {
  time: VirtualTime
  bytes: SeededBytes
  folder: string
}): Promise<Beginning> {
  const { time, bytes, folder } = parts
  bytes.restart('beginning')
  const log = createEventLog(time.now)
  const service = await startSimulatedService(`${folder}/service`, time, bytes)
  globalThis.fetch = createSimulatedNetwork(time, log, () => service).fetch as typeof fetch
  const console = createSimulatedConsole({ ...parts, log, demo: () => service.demo })
  const session = await console.start()
  if (session === null) throw new Error('the console was killed')
  const { ask, use } = session
  const book = createBook()
  const accounts = await use(async () => {
    const connected = await connectAccounts(ask)
    await new Promise<void>((resolve) => void time.after(READING_MS, resolve))
    await fixFloors({ ask, seller: connected.seller, book })
    return connected
  })
  await console.quit()
  await service.stop()
  return {
    accounts,
    secrets: console.secrets(),
    floors: book.floors,
    at: time.now(),
    copyTo: (target) => cpSync(folder, target, { recursive: true }),
  }
}

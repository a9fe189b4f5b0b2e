import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { seeded } from '../../e2e/support/seeded.ts'
import soakBackend from './backend.ts'
import soakImport from './import.ts'
import soakOrders from './orders.ts'
import { addUp, cutBackups, cutVaults } from './power/alone.ts'
import type { Sums } from './power/alone.ts'
import { compileShim, missingForCuts } from './power/shim.ts'
import { createCuts } from './power/supply.ts'
import type { Losses } from './power/supply.ts'
import soakSync from './sync.ts'
import soakVault from './vault.ts'

/** Power cuts in all. */
export const defaultRounds = 2000

type Options = {
  rounds: number
  seed: number
  log: (text: string) => void
  /** The parts to run; all of them unless given. */
  only?: readonly Part[]
}
type Part = keyof typeof shares
export type PowerSoak = Sums & {
  cuts: number
  /** Cuts by what they left of the unsynced changes: nothing, the first ones, or any of them. */
  losses: Losses
  /** Changes of the disk that processes made until they were cut, without those of a recording. */
  changes: number
  parts: Partial<Record<Part, Sums & { cuts: number }>>
}

/** How many of 100 cuts strike each part. */
const shares = { vault: 35, backup: 25, keychain: 8, orders: 7, import: 5, sync: 3, backend: 17 }
const partNames = Object.keys(shares) as Part[]
/** A world or a data folder survives this many cuts before it is compared completely. */
const CUTS_A_ROUND = { keychain: 8, orders: 6, import: 10, sync: 10 }

type Run = { seed: number; cuts: number; log: (text: string) => void; losses: Losses; shim: string }

/** A console that works alone: one recorded life per hundred cuts. */
async function alone(cut: typeof cutVaults, { seed, cuts, log, losses, shim }: Run): Promise<Sums> {
  let sums: Sums = { lost: 0, twice: 0, wrong: 0 }
  for (let done = 0; done < cuts; done += 100)
    sums = addUp(
      sums,
      await cut({
        shim,
        cuts: Math.min(100, cuts - done),
        below: seeded(seed + done),
        losses,
        log,
      }),
    )
  return sums
}

/** A part that talks to a service: each cut ends a process of its own. */
function outside(
  part: Exclude<Part, 'vault' | 'backup'>,
  { seed, cuts: count, log }: Pick<Run, 'seed' | 'cuts' | 'log'>,
  cuts: ReturnType<typeof createCuts>,
): Promise<Sums> {
  const common = { seed, log, cuts }
  if (part === 'backend') return soakBackend({ ...common, rounds: count, each: 0 })
  const killsARound = Math.min(count, CUTS_A_ROUND[part])
  const run = { ...common, rounds: Math.ceil(count / killsARound), killsARound }
  switch (part) {
    case 'keychain':
      return soakVault(run)
    case 'orders':
      return soakOrders({ ...run, orders: 12 })
    case 'import':
      return soakImport({ ...run, keys: 2000 })
    case 'sync':
      return soakSync({ ...run, products: 100, runsARound: 0 })
  }
}

const numbers = ({ lost, twice, wrong }: Sums): Sums => ({ lost, twice, wrong })

/**
 * Power losses: a process is cut at one of its changes of the disk, and the disk keeps of the
 * changes that weren't synced nothing, the first ones, or any of them, torn at sectors. Afterwards
 * nothing that was acknowledged may be missing (`lost`) or there more than once (`twice`), and every
 * file must open and agree with the service (`wrong`). Parts: a vault with a passphrase and a backup
 * with its restoration, recorded once and cut often; a vault with a keychain, orders, imports, a
 * synced account and the backend, cut while they run. Needs Linux and a C compiler; without them the
 * soak says so and counts no cut.
 */
export default async function soakPower({
  rounds,
  seed,
  log,
  only = partNames,
}: Options): Promise<PowerSoak> {
  const losses: Losses = { all: 0, from: 0, some: 0 }
  const result: PowerSoak = { lost: 0, twice: 0, wrong: 0, cuts: 0, losses, changes: 0, parts: {} }
  const missing = missingForCuts()
  if (missing !== null) {
    log(missing)
    return result
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'keydesk-power-'))
  const shim = compileShim(folder)
  const whole = only.reduce((sum, part) => sum + shares[part], 0)
  try {
    for (const part of only) {
      const count = Math.max(1, Math.round((rounds * shares[part]) / whole))
      const before = losses.all + losses.from + losses.some
      let sums: Sums
      if (part === 'vault' || part === 'backup')
        sums = await alone(part === 'vault' ? cutVaults : cutBackups, {
          seed,
          cuts: count,
          log,
          losses,
          shim,
        })
      else {
        const cuts = createCuts(seed, losses)
        try {
          sums = numbers(await outside(part, { seed, cuts: count, log }, cuts))
          result.changes += cuts.changes()
        } finally {
          cuts.remove()
        }
      }
      const done = losses.all + losses.from + losses.some - before
      Object.assign(result, addUp(result, sums))
      result.cuts += done
      result.parts[part] = { cuts: done, ...sums }
      log(`${part}: ${done} cuts, lost ${sums.lost}, twice ${sums.twice}, wrong ${sums.wrong}`)
    }
    return result
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

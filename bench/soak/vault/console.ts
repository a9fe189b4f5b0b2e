/*
 * A console's vault as a separate process, to be killed: reads one line of JSON, then stores keys,
 * plans, exports, locks and re-keys in a loop, and writes a line for each stored value. `check`
 * instead opens everything once and reports the result.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { seeded } from '../../../e2e/support/seeded.ts'
import type { CoreServices } from '../../../src/core/core-services.ts'
import { createExports } from '../../../src/core/vault/exports/exports.ts'
import { createReporter, runSoakConsole, soakHost } from '../support/soak-console.ts'
import type { ConsoleFolder } from '../support/soak-console.ts'
import {
  accountIds,
  addAccounts,
  cost,
  openServices,
  readKeys,
  storeKey,
  writePlans,
  wrongPlans,
} from './stored-keys.ts'

export type ConsoleOptions = ConsoleFolder & { seed: number; check: boolean }

const say = createReporter<object>()

function keep(ground: CoreServices, accountId: string, keyId: string): void {
  storeKey(ground, accountId, keyId)
  say({ kept: `${accountId} ${keyId}` })
}

/** Works until it is killed. */
async function work(ground: CoreServices, { dataDir, seed }: ConsoleOptions): Promise<void> {
  const below = seeded(seed)
  writePlans(ground, dataDir)
  const exports = createExports(ground.context, ground.accounts.list, ground.stock.exported, cost)
  say({ ready: true })
  for (let turn = 0; ; turn += 1) {
    for (let count = below(20); count >= 0; count -= 1)
      keep(ground, accountIds[below(accountIds.length)] ?? '', `${seed}-${turn}-${count}`)
    const what = below(6)
    if (what === 0) {
      ground.vault.lock()
      await ground.vault.unlockWithKeychain()
    } else if (what === 1) {
      const file = await exports.sealed('of the soak')
      const { entries } = await exports.open(Buffer.from(file.base64, 'base64'), 'of the soak')
      say({ exported: entries.length })
    } else {
      // Also locks in the middle of it.
      const rekeying = ground.vault.rekey(null)
      const locking =
        below(3) > 0
          ? null
          : new Promise<void>((done) => {
              setImmediate(() => {
                ground.vault.lock()
                done()
              })
            })
      await rekeying.catch(() => {})
      await locking
      if (ground.vault.state().state !== 'open') await ground.vault.unlockWithKeychain()
      await ground.vault.resumeRekeying()
      say({ rekeyed: true })
    }
  }
}

/** Opens all stored values. */
function check(ground: CoreServices, dataDir: string): void {
  const { found, wrong } = readKeys(ground)
  for (const key of found) say({ found: key })
  say({
    wrong: [...wrong, ...wrongPlans(ground, dataDir).map((id) => `the plan of ${id}`)],
    rekeying: ground.vault.state().rekeying,
    entry: ground.vault.entry(),
  })
}

async function main(options: ConsoleOptions): Promise<void> {
  const host = soakHost(options)
  const first = !existsSync(path.join(options.dataDir, 'keydesk.db'))
  if (first) {
    const laid = openServices(host)
    laid.quiet()
    laid.close()
  }
  addAccounts(options.dataDir)
  const ground = openServices(host)
  await ground.start()
  await ground.vault.resumeRekeying()
  if (!options.check) return work(ground, options)
  check(ground, options.dataDir)
  ground.quiet()
  ground.close()
}

runSoakConsole(main)

/*
 * A console's vault as a separate process, to be killed: reads one line of JSON, then stores keys,
 * plans, exports, locks and re-keys in a loop, and writes a line for each stored value. `check`
 * instead opens everything once and reports the result.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { createHash } from 'node:crypto'
import path from 'node:path'
import { seeded } from '../../../e2e/support/seeded.ts'
import { createAccountStore } from '../../../src/core/accounts/store.ts'
import { createCoreServices } from '../../../src/core/core-services.ts'
import type { CoreServices } from '../../../src/core/core-services.ts'
import { openFrames, readFrames } from '../../../src/core/key-import/spool/frames.ts'
import { planOf } from '../../../src/core/key-import/spool/spool-files.ts'
import { importsSchemas, reencryptSpool } from '../../../src/core/key-import/key-import.ts'
import { openDatabase } from '../../../src/core/mirror/database/open-database.ts'
import { orderKeyRecord } from '../../../src/core/orders/schema.ts'
import { ordersSchemas } from '../../../src/core/orders/orders.ts'
import { createExports } from '../../../src/core/vault/exports/exports.ts'
import { createReporter, runSoakConsole, soakHost } from '../support/soak-console.ts'
import type { ConsoleFolder } from '../support/soak-console.ts'

export type ConsoleOptions = ConsoleFolder & { seed: number; check: boolean }

const accountIds = ['account-1', 'account-2', 'account-3']
const frames = 40
const cost = { N: 2 ** 10, r: 8, p: 1 }
const say = createReporter<object>()

/** The value stored under an id: it can be computed from the id. */
const valueOf = (accountId: string, keyId: string): string =>
  createHash('sha256').update(`${accountId} ${keyId}`).digest('hex')

function addAccounts(dataDir: string): void {
  const file = path.join(dataDir, 'keydesk.db')
  const database = openDatabase(file, [])
  const store = createAccountStore(database)
  if (store.all().length === 0) {
    for (const id of accountIds) {
      store.put({
        id,
        name: id,
        role: 'partner',
        mode: 'test',
        baseUrl: 'http://127.0.0.1:9',
        maskedKey: 'svc_test_••••0000',
        kept: 'session',
        serviceAccountId: null,
        idempotency: true,
        demo: null,
        createdAt: 1,
        clockOffsetMs: 0,
      })
    }
  }
  database.close()
}

function open({ dataDir, keychainFile }: ConsoleOptions): CoreServices {
  const host = soakHost({ dataDir, keychainFile })
  return createCoreServices(
    host,
    { passphraseCost: cost },
    {
      schemas: [...ordersSchemas, ...importsSchemas],
      reencryptFiles: [reencryptSpool],
    },
  )
}

const planFor = (ground: CoreServices, dataDir: string, accountId: string) =>
  planOf({
    accountId,
    importId: 'import',
    seal: ground.vault.material().seal,
    folder: path.join(dataDir, 'spool', accountId, 'import'),
  })

function plan(ground: CoreServices, dataDir: string): void {
  for (const accountId of accountIds) {
    const { path: file, key } = planFor(ground, dataDir, accountId)
    if (existsSync(file)) continue
    mkdirSync(path.dirname(file), { recursive: true })
    const writer = openFrames(file, key, true)
    for (let index = 0; index < frames; index += 1)
      writer.append(Buffer.from(valueOf(accountId, `frame ${index}`)))
    writer.finish()
  }
}

function keep(ground: CoreServices, accountId: string, keyId: string): void {
  ground.context.mirrors
    .database(accountId)
    .prepare(
      `INSERT INTO order_keys (order_id, key_id, line, product_id, delivery_type, content_type,
          masked, sealed, delivered_at)
    VALUES ('order', :keyId, 1, 'product', 'key', 'text/plain', '', :sealed, 1)`,
    )
    .run({
      keyId,
      sealed: ground.vault.seal(
        accountId,
        orderKeyRecord('order', keyId),
        Buffer.from(valueOf(accountId, keyId)),
      ),
    })
  say({ kept: `${accountId} ${keyId}` })
}

/** Works until it is killed. */
async function work(ground: CoreServices, { dataDir, seed }: ConsoleOptions): Promise<void> {
  const below = seeded(seed)
  plan(ground, dataDir)
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
  const wrong: string[] = []
  for (const accountId of accountIds) {
    const rows = ground.context.mirrors
      .database(accountId)
      .prepare<[], { key_id: string; sealed: Buffer }>('SELECT key_id, sealed FROM order_keys')
      .all()
    for (const { key_id: keyId, sealed } of rows) {
      say({ found: `${accountId} ${keyId}` })
      if (
        ground.vault.open(accountId, orderKeyRecord('order', keyId), sealed).toString() !==
        valueOf(accountId, keyId)
      )
        wrong.push(`${accountId} ${keyId}`)
    }
    const { path: file, key } = planFor(ground, dataDir, accountId)
    const read = [...readFrames(file, key)].map(String)
    if (
      read.length !== frames ||
      read.some((value, index) => value !== valueOf(accountId, `frame ${index}`))
    )
      wrong.push(`the plan of ${accountId}`)
  }
  say({ wrong, rekeying: ground.vault.state().rekeying, entry: ground.vault.entry() })
}

async function main(options: ConsoleOptions): Promise<void> {
  const first = !existsSync(path.join(options.dataDir, 'keydesk.db'))
  if (first) {
    const laid = open(options)
    laid.quiet()
    laid.close()
  }
  addAccounts(options.dataDir)
  const ground = open(options)
  await ground.start()
  await ground.vault.resumeRekeying()
  if (!options.check) return work(ground, options)
  check(ground, options.dataDir)
  ground.quiet()
  ground.close()
}

runSoakConsole(main)

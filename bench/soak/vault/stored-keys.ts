/** A vault's content whose values can be computed from their ids, so that a check needs no record. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { createAccountStore } from '../../../src/core/accounts/store.ts'
import { createCoreServices } from '../../../src/core/core-services.ts'
import { dataFolderSchemas } from '../../../src/core/open-data-folder.ts'
import type { CoreServices } from '../../../src/core/core-services.ts'
import { makeFolder } from '../../../src/core/durable-files.ts'
import { importsSchemas, reencryptSpool } from '../../../src/core/key-import/key-import.ts'
import { openFrames, readFrames } from '../../../src/core/key-import/spool/frames.ts'
import { planOf } from '../../../src/core/key-import/spool/spool-files.ts'
import { openDatabase } from '../../../src/core/mirror/database/open-database.ts'
import { orderKeyRecord } from '../../../src/core/orders/schema.ts'
import { ordersSchemas } from '../../../src/core/orders/orders.ts'
import type { Host } from '../../../src/platform/host.ts'

export const accountIds = ['account-1', 'account-2', 'account-3']
/** A passphrase costs milliseconds here. */
export const cost = { N: 2 ** 10, r: 8, p: 1 }
export const storedSchemas = [...ordersSchemas, ...importsSchemas]
const FRAMES = 40

/** The value stored under an id: it can be computed from the id. */
const valueOf = (accountId: string, keyId: string): string =>
  createHash('sha256').update(`${accountId} ${keyId}`).digest('hex')

/** Adds accounts to a data folder, once. */
export function addAccounts(dataDir: string): void {
  // A console that was cut during its first start may not have created its tables.
  const database = openDatabase(path.join(dataDir, 'keydesk.db'), dataFolderSchemas)
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

export const openServices = (host: Host): CoreServices =>
  createCoreServices(
    host,
    { passphraseCost: cost },
    { schemas: storedSchemas, reencryptFiles: [reencryptSpool] },
  )

const planFor = (ground: CoreServices, dataDir: string, accountId: string) =>
  planOf({
    accountId,
    importId: 'import',
    seal: ground.vault.material().seal,
    folder: path.join(dataDir, 'spool', accountId, 'import'),
  })

/** Writes each account's plan of an import, once. */
export function writePlans(ground: CoreServices, dataDir: string): void {
  for (const accountId of accountIds) {
    const { path: file, key } = planFor(ground, dataDir, accountId)
    if (existsSync(file)) continue
    makeFolder(path.dirname(file))
    const writer = openFrames(file, key, true)
    for (let index = 0; index < FRAMES; index += 1)
      writer.append(Buffer.from(valueOf(accountId, `frame ${index}`)))
    writer.finish()
  }
}

/** Stores a key; it is on the disk when this returns. */
export function storeKey(ground: CoreServices, accountId: string, keyId: string): void {
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
}

/** Opens all stored keys: those there are, and those with another value. */
export function readKeys(ground: CoreServices): { found: string[]; wrong: string[] } {
  const found: string[] = []
  const wrong: string[] = []
  for (const accountId of accountIds) {
    const rows = ground.context.mirrors
      .database(accountId)
      .prepare<[], { key_id: string; sealed: Buffer }>('SELECT key_id, sealed FROM order_keys')
      .all()
    for (const { key_id: keyId, sealed } of rows) {
      found.push(`${accountId} ${keyId}`)
      const value = ground.vault.open(accountId, orderKeyRecord('order', keyId), sealed).toString()
      if (value !== valueOf(accountId, keyId)) wrong.push(`${accountId} ${keyId}`)
    }
  }
  return { found, wrong }
}

/** The accounts whose plan isn't as {@link writePlans} wrote it. */
export const wrongPlans = (ground: CoreServices, dataDir: string): string[] =>
  accountIds.filter((accountId) => {
    const { path: file, key } = planFor(ground, dataDir, accountId)
    const read = [...readFrames(file, key)].map(String)
    return (
      read.length !== FRAMES ||
      read.some((value, index) => value !== valueOf(accountId, `frame ${index}`))
    )
  })

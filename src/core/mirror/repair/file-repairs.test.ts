import { openSync, statSync, writeSync, closeSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { formatMessage } from '../../../contract/localization/localized.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { startTestBackend } from '../../testing/backend.ts'
import type { TestBackend } from '../../testing/backend.ts'
import { memoryKeychain } from '../../testing/keychains.ts'
import { startTestCore, until } from '../../testing/core.ts'

/** On a busy computer, threads take a while to load. */
const PATIENCE_MS = 60_000

let folder: ReturnType<typeof temporaryFolder>
let backend: TestBackend
beforeEach(async () => {
  folder = temporaryFolder()
  backend = await startTestBackend({ products: 200, noLimits: true })
})
afterEach(async () => {
  await backend.stop()
  folder.remove()
})

/**
 * Overwrites the middle third of a file. Its first page, and so its table of contents, stays
 * intact.
 */
function damageInside(path: string): void {
  const third = Math.floor(statSync(path).size / 3)
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(third, 0x5a), 0, third, third)
  closeSync(file)
}

it(
  'a mirror with inner damage is found at the next start and synced again; the saved keys are intact @long',
  async () => {
    const keychain = memoryKeychain()
    const first = await startTestCore(folder.path, keychain)
    const { id: accountId } = await first.ask.accounts.connect({
      key: backend.ready.demo?.partnerLiveKey ?? '',
      baseUrl: backend.ready.baseUrl,
      name: 'Shop',
    })
    await until(
      () => first.ask.catalogue.sync({ accountId }),
      ({ state, done }) => state === 'idle' && done >= 200,
      PATIENCE_MS,
    )
    const { rows } = await until(
      () => first.ask.orders.list({ accountId, statuses: ['completed'] }),
      ({ rows: found }) => found.length > 0,
      PATIENCE_MS,
    )
    const orderId = rows[0]?.orderId ?? ''
    const [key] = (await first.ask.orders.downloadKeys({ accountId, orderId, acknowledged: true }))
      .keys
    const shown = await first.ask.orders.revealKey({ accountId, orderId, keyId: key?.keyId ?? '' })
    const keptAt = (await first.ask.orders.order({ accountId, orderId })).downloadedHereAt
    await first.close()

    damageInside(join(folder.path, 'mirrors', `${accountId}.db`))
    const second = await startTestCore(folder.path, keychain)
    await until(
      () => second.ask.app.activity({ accountId }),
      (entries) => entries.some(({ code }) => code === 'MIRROR_DAMAGED'),
      PATIENCE_MS,
    )
    const [notice] = await second.ask.notices.list()
    expect(notice).toMatchObject({ kind: 'file-repaired', accountId })
    expect(formatMessage(notice?.text ?? { code: 'text', values: { text: '' } })).toMatch(
      /syncing it again .* kept as mirrors\/.*\.db\.damaged-/,
    )
    await until(
      () => second.ask.catalogue.sync({ accountId }),
      ({ state, done }) => state === 'idle' && done >= 200,
      PATIENCE_MS,
    )
    await until(
      () => second.ask.orders.list({ accountId }),
      ({ total }) => total > 0,
      PATIENCE_MS,
    )
    expect(
      await second.ask.orders.revealKey({ accountId, orderId, keyId: key?.keyId ?? '' }),
    ).toEqual(shown)
    expect((await second.ask.orders.order({ accountId, orderId })).downloadedHereAt).toBe(keptAt)
    expect(
      (await second.ask.app.activity({ accountId: null })).filter(
        ({ code }) => code === 'INTERNAL',
      ),
    ).toEqual([])
    await second.close()
  },
  4 * PATIENCE_MS,
)

import type { Import } from '../../../contract/keys/import-records.ts'
import { startTestBackend } from '../../testing/backend.ts'
import type { TestBackend } from '../../testing/backend.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { startTestCore, until } from '../../testing/core.ts'
import type { TestCore } from '../../testing/core.ts'
import { memoryKeychain } from '../../testing/keychains.ts'

export interface ImportingSeller {
  backend: TestBackend
  folder: string
  accountId: string
  /** The running core; `restart` replaces it. */
  readonly ask: TestCore['ask']
  restart(): Promise<void>
  draft(): Promise<Import>
  /** Adds a file to a draft, in chunks of 30,000 bytes. */
  send(importId: string, name: string, content: Buffer | string, offerId?: string): Promise<string>
  /** Waits until every file of an import is checked or failed. */
  checked(importId: string): Promise<Import>
  /** Waits until an upload has ended. */
  ended(importId: string): Promise<Import>
  /** The seller's offers with the least stock. */
  offers(
    count: number,
  ): Promise<{ offerId: string; productId: string; stock: number; platform: string }[]>
  /** The stock that the service reports. */
  stockOf(offerId: string): Promise<number>
  close(): Promise<void>
}

/** The key with a number in a batch of five letters: different for each number below 32^5. */
export function keyNumber(number: number, batch: string): string {
  const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  let rest = number
  const part = Array.from({ length: 5 }, () => {
    const letter = alphabet[rest % 32]
    rest = Math.floor(rest / 32)
    return letter
  }).join('')
  return `${batch}-${part}-KEY22`
}

/** Starts a core with one seller account of a demo service, whose offers are synced. */
export async function startImportingSeller(): Promise<ImportingSeller> {
  const folder = temporaryFolder()
  const keychain = memoryKeychain()
  const backend = await startTestBackend({ products: 60, noLimits: true })
  const start = () => startTestCore(folder.path, keychain, { rates: null })
  let core = await start()
  const { id: accountId } = await core.ask.accounts.connect({
    key: backend.ready.demo?.sellerKey ?? '',
    baseUrl: backend.ready.baseUrl,
    name: 'Seller',
  })
  await until(
    () => core.ask.offers.list({ accountId }),
    ({ total }) => total > 1,
  )
  return {
    backend,
    folder: folder.path,
    accountId,
    get ask() {
      return core.ask
    },
    async restart() {
      await core.close()
      core = await start()
    },
    draft: () => core.ask.imports.create({ accountId }),
    async send(importId, name, content, offerId) {
      const bytes = Buffer.from(content)
      const { fileId } = await core.ask.imports.addFile({
        importId,
        name,
        size: bytes.length,
        offerId: offerId ?? null,
      })
      let offset = 0
      do {
        const part = bytes.subarray(offset, offset + 30_000)
        const { received } = await core.ask.imports.writeFile({
          importId,
          fileId,
          offset,
          base64: part.toString('base64'),
          last: offset + part.length >= bytes.length,
        })
        offset = received
      } while (offset < bytes.length)
      return fileId
    },
    checked: (importId) =>
      until(
        () => core.ask.imports.get({ importId }),
        ({ files }) =>
          files.length > 0 && files.every(({ state }) => state === 'checked' || state === 'failed'),
      ),
    ended: (importId) =>
      until(
        () => core.ask.imports.get({ importId }),
        ({ endedAt }) => endedAt !== null,
        30_000,
      ),
    async offers(count) {
      const { rows } = await core.ask.offers.list({
        accountId,
        sort: { column: 'stock', direction: 'asc' },
      })
      return rows.slice(0, count)
    },
    async stockOf(offerId) {
      const answer = await fetch(`${backend.ready.sellerUrl}/offers/${offerId}`, {
        headers: { authorization: `Bearer ${backend.ready.demo?.sellerKey ?? ''}` },
      })
      return ((await answer.json()) as { stock: number }).stock
    },
    async close() {
      await core.close()
      await backend.stop()
      folder.remove()
    },
  }
}

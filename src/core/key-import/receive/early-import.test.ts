import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Import } from '../../../contract/keys/import-records.ts'
import { startTestBackend } from '../../testing/backend.ts'
import type { TestBackend } from '../../testing/backend.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { startTestCore, until } from '../../testing/core.ts'
import type { TestCore } from '../../testing/core.ts'
import { fastClock } from '../../testing/fast-clock.ts'
import { startFaultyProxy } from '../../testing/faulty-proxy.ts'
import type { FaultyProxy } from '../../testing/faulty-proxy.ts'
import { memoryKeychain } from '../../testing/keychains.ts'

const clock = fastClock(8, 15_000)

let backend: TestBackend
let proxy: FaultyProxy
let folder: ReturnType<typeof temporaryFolder>
let harness: TestCore
let accountId: string
let offerIds: string[]

beforeAll(async () => {
  backend = await startTestBackend({ products: 60, noLimits: true })
  const answer = await fetch(`${backend.ready.baseUrl}/seller/offers`, {
    headers: { authorization: `Bearer ${backend.ready.demo?.sellerKey ?? ''}` },
  })
  const { results } = (await answer.json()) as { results: { id: string }[] }
  offerIds = results.map(({ id }) => id)
})
afterAll(() => backend.stop())

beforeEach(async () => {
  folder = temporaryFolder()
  proxy = await startFaultyProxy(backend.ready.baseUrl)
  proxy.decide = (_method, path) => (path.includes('/seller/offers') ? 'cut' : 'pass')
  const keychain = memoryKeychain()
  harness = await startTestCore(folder.path, keychain, { clock })
  const key = backend.ready.demo?.sellerKey ?? ''
  const { baseUrl } = proxy
  accountId = (await harness.ask.accounts.connect({ key, baseUrl, name: 'Shop' })).id
})
afterEach(async () => {
  await harness.close()
  await proxy.close()
  folder.remove()
})

async function importFile(text: string): Promise<{ importId: string; fileId: string }> {
  const { importId } = await harness.ask.imports.create({ accountId })
  const bytes = Buffer.from(text)
  const { fileId } = await harness.ask.imports.addFile({
    importId,
    name: 'keys.csv',
    size: bytes.length,
    pictures: null,
  })
  const part = { offset: 0, base64: bytes.toString('base64'), last: true }
  await harness.ask.imports.writeFile({ importId, fileId, ...part })
  return { importId, fileId }
}
const checked = (importId: string, fits: (found: Import) => boolean): Promise<Import> =>
  until(
    () => harness.ask.imports.get({ importId }),
    (found) => found.files.every(({ state }) => state === 'checked') && fits(found),
  )

test.each([
  ['with a header', 'offer,key\n', false],
  ['without a header', '', false],
  ['whose columns a person chose', '', true],
])('matches a file %s once the offers are listed @long', async (_name, header, isConfigured) => {
  const lines = [0, 1, 2].map((at) => `${offerIds[at]},EARLY-${10_000 + at}-KEY22\n`)
  const { importId, fileId } = await importFile(header + lines.join(''))
  await checked(importId, () => true)
  if (isConfigured)
    await harness.ask.imports.configureFile({
      importId,
      fileId,
      settings: { offerColumn: 0, keyColumn: 1 },
    })
  expect((await checked(importId, () => true)).sums.ready).toBe(0)

  proxy.decide = () => 'pass'
  await harness.ask.accounts.syncNow({ accountId })
  const found = await checked(importId, ({ sums }) => sums.ready > 0)
  expect(found.sums).toMatchObject({ ready: 3, noOffer: 0 })
  expect(found.files[0]?.targets.map(({ offerId, matchedBy }) => [offerId, matchedBy])).toEqual(
    offerIds.slice(0, 3).map((offerId) => [offerId, 'offer-id']),
  )
})

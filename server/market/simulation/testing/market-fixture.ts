import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { BodyOf } from '../../../api/handlers.ts'
import {
  createTestClock,
  createTestService,
  dashboard,
  type TestService,
  type TestServiceOptions,
} from '../../../domain/testing/fixture.ts'
import { seedDemoData } from '../../seed-demo-data.ts'
import { simulateMarket } from '../simulation.ts'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

/** A Thursday morning. */
export const startOfTests = Date.parse('2026-03-05T09:20:31.417Z')

const settings: TestServiceOptions = {
  seedWorld: seedDemoData,
  simulateMarket,
  world: { seed: 'demo', products: 60 },
  durable: false,
}

const newFolder = () => mkdtempSync(join(tmpdir(), 'keydesk-market-'))

type File = { name: string; content: Buffer }

/**
 * The database files that tests start with, built once per process and stored in memory, because
 * other files' tests can share the process.
 */
let built: Promise<readonly File[]> | undefined
async function build(): Promise<readonly File[]> {
  const folder = newFolder()
  await createTestService({ ...settings, folder, clock: createTestClock(startOfTests) }).close()
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const kept = files.map((file) => ({ name: relative(folder, file), content: readFileSync(file) }))
  rmSync(folder, { recursive: true })
  return kept
}

function copyTo(folder: string, files: readonly File[]): void {
  for (const { name, content } of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
}

/**
 * Demo data of sixty products with a simulated market, in its own folder; an existing folder is
 * kept.
 */
export async function openMarketFixture(options: TestServiceOptions = {}): Promise<TestService> {
  if (options.folder !== undefined) return createTestService({ ...settings, ...options })
  const folder = newFolder()
  if (options.world === undefined) copyTo(folder, await (built ??= build()))
  const test = createTestService({
    ...settings,
    clock: createTestClock(startOfTests),
    ...options,
    folder,
  })
  const close = async () => {
    await test.close()
    rmSync(folder, { recursive: true })
  }
  return { ...test, close }
}

export const startMarket = async (
  { run }: TestService,
  body: Partial<BodyOf<'startMarket'>> = {},
) => (await run('startMarket', dashboard, { body: { seed: 'monday', intensity: 1, ...body } })).body

export const marketOf = async ({ run }: TestService) => (await run('getMarket', dashboard)).body

export async function advance({ run }: TestService, ms: number): Promise<void> {
  await run('advanceClock', dashboard, { body: { ms } })
}

/** Advances the computer's time by this much and lets the service catch up. */
export async function passTime(test: TestService, ms: number): Promise<void> {
  test.clock.move(ms)
  const { seed, intensity, customers, sellers } = await marketOf(test)
  // Changes nothing, but makes the service check for due events.
  await startMarket(test, { seed: seed ?? '', intensity, customers, sellers })
  for (;;) {
    const { nextDueAt } = await marketOf(test)
    const releaseAt = test.store.sales.nextReleaseAt() ?? Number.POSITIVE_INFINITY
    if (
      Date.parse(nextDueAt ?? '') > test.service.clock.now() &&
      releaseAt > test.service.clock.now()
    )
      return
    await pause(1)
  }
}

/** The complete result of a run as one text: the ledger's head, every offer, sale and dispute. */
export async function digestOf({ store, run }: TestService): Promise<string> {
  const { headHash, ok } = (await run('verifyLedger', dashboard)).body
  const hash = createHash('sha256').update(`${ok} ${headHash}`)
  for (let no = 1; no <= store.market.lastOfferNo(); no += 1) {
    const offer = store.offers.findByNo(no)
    hash.update(`${offer?.id} ${offer?.price} ${offer?.stock} ${offer?.sold} ${offer?.pricedAt}\n`)
  }
  for (const seller of store.accounts.sellers(0, 100)) {
    for (const { id, soldAt, status, releasedAt } of store.sales.page(seller.id, 0, 10_000))
      hash.update(`${id} ${soldAt} ${status} ${releasedAt}\n`)
  }
  for (const dispute of store.disputes.page({}, 0, 1000)) {
    hash.update(
      JSON.stringify([
        dispute.id,
        dispute.status,
        dispute.updatedAt,
        store.disputes.messages(dispute.no),
      ]),
    )
  }
  return hash.update(JSON.stringify(store.market.run()?.counts)).digest('hex')
}

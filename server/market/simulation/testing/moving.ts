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
import { seedWorld } from '../../seed-world.ts'
import { simulateMarket } from '../simulation.ts'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

/** A Thursday morning. */
export const startOfTests = Date.parse('2026-03-05T09:20:31.417Z')

const settings: TestServiceOptions = {
  seedWorld,
  simulateMarket,
  world: { seed: 'demo', products: 60 },
  durable: false,
}

const newFolder = () => mkdtempSync(join(tmpdir(), 'keydesk-market-'))

type File = { name: string; content: Buffer }

/**
 * The files of the world that tests begin with, built once in a process; they are kept in memory,
 * for other files' tests may share the process.
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
 * A demo world of sixty products whose market can move, on a folder of its own; one that is given
 * stays.
 */
export async function openMoving(options: TestServiceOptions = {}): Promise<TestService> {
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

/** The machine's time goes on by so much, and the service catches up. */
export async function letPass(test: TestService, ms: number): Promise<void> {
  test.clock.move(ms)
  const { seed, intensity, customers, sellers } = await marketOf(test)
  // Nothing new, but the service looks whether something is due.
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

/** All that a run leaves behind, as one text: the ledger's head, every offer, sale and dispute. */
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

import { cents } from '../../../../server/api/money.ts'
import { newRuleDefaults } from '../../../../src/contract/price-watch/price-rules.ts'
import type { PlannedBulk, PlannedImport } from '../book.ts'
import { attempt } from '../../sync/day.ts'
import { KEY_MARK, offersFor } from './person.ts'
import type { Deed, Person } from './person.ts'

const MAX_LINES = 40
const CHECK_TRIES = 200

/** A file for two offers, with repeated and broken lines in it. */
function planImport({ below, unique }: Person, offerIds: readonly string[]): PlannedImport {
  const name = unique('I')
  const lines = ['offer;key']
  const keys = new Map<string, string[]>(offerIds.map((id) => [id, []]))
  let [repeated, broken] = [0, 0]
  for (let count = 3 + below(MAX_LINES); count > 0; count -= 1) {
    const offerId = offerIds[below(offerIds.length)] ?? ''
    const roll = below(20)
    const last = lines.at(-1) ?? ''
    if (roll === 0 && lines.length > 1 && !last.endsWith('E+15')) {
      lines.push(last)
      repeated += 1
    } else if (roll === 1) {
      lines.push(`${offerId};1.23E+15`)
      broken += 1
    } else {
      const key = `${name}${KEY_MARK}${String(10_000 + count)}-${String(10_000 + below(89_999))}`
      keys.get(offerId)?.push(key)
      lines.push(`${offerId};${key}`)
    }
  }
  return { fileName: `${name}.csv`, text: lines.join('\r\n'), keys, repeated, broken }
}

async function importKeys(person: Person): Promise<void> {
  const { ask, seller, book, below, pause } = person
  const offers = (await offersFor(person, 'stock')).filter(
    ({ deliveryType }) => deliveryType === 'key',
  )
  const first = below(offers.length)
  const chosen = [offers[first], offers[(first + 1) % offers.length]].flatMap(
    (offer) => offer?.offerId ?? [],
  )
  const plan = planImport(person, chosen)
  book.imports.push(plan)
  const bytes = Buffer.from(plan.text)
  const { importId } = await ask.imports.create({ accountId: seller })
  const { fileId } = await ask.imports.addFile({
    importId,
    name: plan.fileName,
    size: bytes.length,
  })
  await ask.imports.writeFile({
    importId,
    fileId,
    offset: 0,
    base64: bytes.toString('base64'),
    last: true,
  })
  for (let tries = 0; tries < CHECK_TRIES; tries += 1) {
    const { files } = await ask.imports.get({ importId })
    if (files.every(({ state }) => state === 'checked')) break
    await pause(100)
  }
  await ask.imports.upload({ importId })
}

/** Undoes a finished import on one of its offers. */
async function undoImport({ ask, seller, below }: Person): Promise<void> {
  const done = (await ask.imports.list({ accountId: seller })).filter(
    ({ state }) => state === 'done',
  )
  const chosen = done[below(Math.max(1, done.length))]
  if (chosen === undefined) return
  const plans = await ask.imports.undoPlan({ importId: chosen.importId })
  const offerId = plans.find(({ problem }) => problem === null)?.offerId
  if (offerId !== undefined) await ask.imports.undo({ importId: chosen.importId, offerId })
}

async function changeInBulk(person: Person): Promise<void> {
  const { ask, seller, book, below, world } = person
  const running = await ask.offers.bulk.list({ accountId: seller })
  const before = book.bulks.at(-1)
  // An earlier change would still move the prices that this one starts from.
  if (running.some(({ state }) => state !== 'done' && state !== 'cancelled')) return
  if (before !== undefined && before.bulkId === null) return
  const offerIds = (await offersFor(person, 'bulk')).map(({ offerId }) => offerId)
  const plan: PlannedBulk = {
    addedCents: 1 + below(9),
    before: world.pricesOf(offerIds),
    bulkId: null,
    undone: 'no',
  }
  const request = {
    accountId: seller,
    chosen: { offerIds },
    change: {
      kind: 'price' as const,
      how: { by: 'amount' as const, cents: cents(plan.addedCents) },
      keepFloor: false,
    },
  }
  const { fingerprint } = await ask.offers.bulk.preview(request)
  if (!person.isAlive()) return
  book.bulks.push(plan)
  const { bulkId } = await ask.offers.bulk.start({ ...request, fingerprint, beyondGuard: true })
  if (person.isAlive()) plan.bulkId = bulkId
}

async function undoBulk({ ask, seller, book, isAlive }: Person): Promise<void> {
  const plan = book.bulks.at(-1)
  if (plan === undefined || plan.bulkId === null || plan.undone !== 'no') return
  const bulk = (await ask.offers.bulk.list({ accountId: seller })).find(
    ({ bulkId }) => bulkId === plan.bulkId,
  )
  if (bulk?.state !== 'done' || bulk.undoable === 0 || !isAlive()) return
  plan.undone = 'asked'
  await ask.offers.bulk.undo({ accountId: seller, bulkId: plan.bulkId, beyondGuard: true })
}

/** A rule for the offers whose prices nothing else changes; it proposes. */
async function useRule(person: Person): Promise<void> {
  const { ask, seller } = person
  const [known] = await ask.priceWatch.rules({ accountId: seller })
  if (known?.mode === 'propose') return
  const offerIds = (await offersFor(person, 'stock')).map(({ offerId }) => offerId)
  const { ruleId } =
    known ??
    (await ask.priceWatch.saveRule({
      accountId: seller,
      ruleId: null,
      rule: {
        ...newRuleDefaults,
        name: 'Stock',
        scope: { kind: 'offers', offerIds },
        floor: { kind: 'receive', cents: cents(1) },
        atFloor: 'go',
        coolDownMs: 0,
        coolUpMs: 0,
        changesADay: 200,
        mostPercent: 50,
        war: { changes: 100, withinMs: 3_600_000, holdMs: 3_600_000 },
      },
    }))
  await ask.priceWatch.setMode({ accountId: seller, ruleId, mode: 'propose' })
}

async function approve({ ask, seller }: Person): Promise<void> {
  const { rows } = await ask.priceWatch.market({ accountId: seller, tab: 'proposals' })
  const offers = rows.flatMap(({ offerId, proposal }) =>
    proposal === null ? [] : [{ offerId, targetCents: proposal.targetCents }],
  )
  if (offers.length > 0) await ask.priceWatch.approve({ accountId: seller, offers })
}

/** Offers whose floors stay the same for the day, so that rivals reach them. */
const FIXED_FLOORS = 4

/** Sets the floor of an offer close to its price. */
async function setFloorOf(
  { ask, seller, book, isAlive }: Pick<Person, 'ask' | 'seller' | 'book' | 'isAlive'>,
  { offerId, priceCents }: { offerId: string; priceCents: number },
  below: number,
): Promise<void> {
  const floor = cents(Math.max(1, priceCents - below))
  book.floors.delete(offerId)
  await ask.offers.setTerms({ accountId: seller, offerIds: [offerId], ownFloorCents: floor })
  if (isAlive()) book.floors.set(offerId, floor)
}

/** Each is one cent further below its price than the one before. */
export async function fixFloors(person: Pick<Person, 'ask' | 'seller' | 'book'>): Promise<void> {
  const offers = (await offersFor(person, 'stock')).slice(0, FIXED_FLOORS)
  for (const [below, offer] of offers.entries())
    await setFloorOf({ ...person, isAlive: () => true }, offer, below)
}

/** Sets the floor of another offer, often just after its price was approved. */
async function setFloor(person: Person): Promise<void> {
  if (person.below(2) === 0) await approve(person)
  const offers = (await offersFor(person, 'stock')).slice(FIXED_FLOORS)
  const offer = offers[person.below(offers.length)]
  if (offer !== undefined) await setFloorOf(person, offer, person.below(4))
}

export function sellerDeeds(person: Person): Record<string, Deed> {
  const named = {
    importKeys,
    undoImport,
    changeInBulk,
    undoBulk,
    useRule,
    approve: async (each: Person) => {
      await useRule(each)
      await approve(each)
    },
    setFloor,
  }
  return Object.fromEntries(
    Object.entries(named).map(([name, deed]) => [name, () => attempt(deed(person))]),
  )
}

/** The conditions that must hold after each operation. */
import { agree, Difference, field, list, text } from './difference.ts'
import type { Model } from './state.ts'
import { asDashboard, asPartner } from './system.ts'
import { euros, productView } from './views.ts'
import type { World } from './world.ts'
import { dashboard, demand } from './world.ts'

const visible = ['price', 'inStock', 'qty', 'removed', 'name'] as const
const seenOf = (product: unknown): string =>
  JSON.stringify(visible.map((name) => field(product, name)))

type Seen = { facts: string; updatedAt: string }
/** The last catalogue seen in each run. */
const catalogues = new WeakMap<World, Map<string, Seen>>()

/** `updatedAt` changes if something visible changed, and only then (Decision 12). */
function judgeUpdates(world: World, products: readonly unknown[], severalSteps: boolean): void {
  const before = catalogues.get(world) ?? new Map<string, Seen>()
  const now = new Map(
    products.map((each) => [
      text(each, 'id'),
      { facts: seenOf(each), updatedAt: text(each, 'updatedAt') },
    ]),
  )
  for (const [id, { facts, updatedAt }] of now) {
    const earlier = before.get(id)
    if (!earlier) continue
    if (facts !== earlier.facts && updatedAt === earlier.updatedAt)
      throw new Difference(
        'wrong',
        `${id} changed from ${earlier.facts} to ${facts}, but its updatedAt did not change`,
      )
    if (facts === earlier.facts && updatedAt !== earlier.updatedAt && !severalSteps)
      throw new Difference('wrong', `updatedAt of ${id} changed without a reason: ${facts}`)
  }
  catalogues.set(world, now)
}

/** The catalogue as the first partner sees it, including removed products. */
async function compareCatalogue(model: Model, world: World, severalSteps: boolean): Promise<void> {
  const [partner] = model.partners
  if (!partner) return
  const body = await world.system.look('listProducts', asPartner(partner.id), {
    query: { includeRemoved: true, limit: 100 },
  })
  const shown = list(body, 'results')
  const byId = new Map(shown.map((each) => [text(each, 'id'), each]))
  for (const product of model.products)
    agree(byId.get(product.id), productView(model, partner, product), `product ${product.id}`)
  if (byId.size !== model.products.length)
    throw new Difference('wrong', `${byId.size} products, the model has ${model.products.length}`)
  judgeUpdates(world, shown, severalSteps)
}

const VERIFY_EVERY = 50

/**
 * The books sum to zero, balances and catalogue equal the model's, finished orders add up, no key
 * was delivered twice.
 */
export async function invariants(model: Model, world: World, severalSteps: boolean): Promise<void> {
  agree(world.system.sums(), { live: 0, test: 0 }, 'sums of the ledger')
  for (const partner of model.partners) {
    const body = await world.system.look('getPartner', asDashboard, { params: { id: partner.id } })
    agree(
      body,
      { balances: { live: euros(partner.balance.live), test: euros(partner.balance.test) } },
      `balances of ${partner.id}`,
    )
  }
  await compareCatalogue(model, world, severalSteps)
  const told = world.system.told()
  if (told.length > 0)
    throw new Difference('wrong', `the service reported errors: ${told.join('; ')}`)
  if (world.operations % VERIFY_EVERY === 0) await proveLedger(world)
}

export async function proveLedger(world: World): Promise<void> {
  const body = await demand(world, dashboard('GET', '/ledger/verify'), 200)
  agree(body, { ok: true, sums: { live: 0, test: 0 } }, 'the proof of the ledger')
}

/**
 * The actions of the dashboard: top-ups, products, limits, faults, the clock, saved states,
 * restarts.
 */
import fc from 'fast-check'
import type { DeliveryType, Mode, ProductType } from '../../../../server/api/schemas/enums.ts'
import { audit } from '../audit.ts'
import { agree, text } from '../difference.ts'
import { move, spent } from '../ordering.ts'
import { DAY, HOUR, MINUTE, type Model, pick, restore, save } from '../state.ts'
import { advance, nextDue, waiting } from '../time.ts'
import { euros, iso, productView } from '../views.ts'
import { count, dashboard, demand, type World } from '../world.ts'
import { operation } from './command.ts'
import { putFaults } from './orders.ts'

const mode = fc.constantFrom<Mode>('live', 'test')

const topUps = operation(
  'top-up',
  fc.record({
    partner: fc.nat(2),
    mode,
    amount: fc.oneof(fc.integer({ min: 1, max: 30_000 }), fc.constantFrom(100_000, 300_000)),
    reference: fc.constantFrom('none', 'issued', 'used'),
  }),
  {
    async run(model, world, given) {
      const partner = pick(model.partners, given.partner)
      if (!partner) return
      if (given.reference === 'issued') {
        const issued = await demand(
          world,
          dashboard('POST', `/partners/${partner.id}/top-up-references`, { mode: given.mode }),
          201,
        )
        partner.references.push({ text: text(issued, 'reference'), mode: given.mode, used: false })
      }
      const known =
        given.reference === 'none'
          ? undefined
          : partner.references.findLast(
              (each) => each.mode === given.mode && each.used === (given.reference === 'used'),
            )
      const answer = await world.system.call(
        dashboard('POST', `/partners/${partner.id}/top-ups`, {
          mode: given.mode,
          amount: euros(given.amount),
          ...(known && { reference: known.text }),
        }),
      )
      count(world, 'top-up', answer)
      if (known?.used)
        return agree(
          answer,
          { status: 409, body: { error: { code: 'REFERENCE_USED' } } },
          'a reference used before',
        )
      move(model, partner, given.mode, 'top_up', given.amount, null)
      agree(
        answer,
        {
          status: 201,
          body: {
            amount: euros(given.amount),
            balance: euros(partner.balance[given.mode]),
            ...(known && { reference: known.text }),
          },
        },
        'a top-up',
      )
      const reference = text(answer.body, 'reference')
      const kept = partner.references.find((each) => each.text === reference)
      if (kept) kept.used = true
      else partner.references.push({ text: reference, mode: given.mode, used: true })
    },
  },
)

const resets = operation(
  'reset test balance',
  fc.record({ partner: fc.nat(2), amount: fc.integer({ min: 0, max: 50_000 }) }),
  {
    async run(model, world, given) {
      const partner = pick(model.partners, given.partner)
      if (!partner) return
      const body = await demand(
        world,
        dashboard('POST', `/partners/${partner.id}/test-balance/reset`, {
          amount: euros(given.amount),
        }),
        200,
      )
      move(model, partner, 'test', 'reset', given.amount - partner.balance.test, null)
      agree(body, { balance: euros(given.amount) }, 'a reset balance')
    },
  },
)

/** Limits near the amount spent and the price of orders, so that they are reached. */
const limits = operation(
  'limits',
  fc.record({
    partner: fc.nat(2),
    perOrder: fc.oneof(
      { weight: 2, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 40_000 }) },
      { weight: 1, arbitrary: fc.constant(250_000) },
    ),
    /** The rest of the daily limit. */
    room: fc.oneof(
      { weight: 1, arbitrary: fc.constant(null) },
      { weight: 2, arbitrary: fc.integer({ min: 0, max: 6000 }) },
      { weight: 1, arbitrary: fc.constant(1_000_000) },
    ),
  }),
  {
    async run(model, world, { partner: number, perOrder, room }) {
      const partner = pick(model.partners, number)
      if (!partner) return
      const dailyLimit = room === null ? null : spent(model, partner, 'live') + room
      const inEuros = (cents: number | null): number | null =>
        cents === null ? null : euros(cents)
      await demand(
        world,
        dashboard('PATCH', `/partners/${partner.id}`, {
          perOrderLimit: inEuros(perOrder),
          dailyLimit: inEuros(dailyLimit),
        }),
        200,
      )
      Object.assign(partner, { perOrderLimit: perOrder, dailyLimit })
    },
  },
)

const kinds = fc.constantFrom<[ProductType, DeliveryType]>(
  ['game', 'key'],
  ['game', 'key'],
  ['dlc', 'link'],
  ['software', 'account'],
  ['gift-card', 'gift'],
  ['subscription', 'key'],
  ['subscription', 'account'],
)
const makes = operation(
  'create product',
  fc.record({
    kind: kinds,
    releasedIn: fc.oneof(
      { weight: 3, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.integer({ min: -3, max: 20 }) },
    ),
  }),
  {
    when: (model) => model.products.length < 6,
    async run(model, world, { kind: [productType, deliveryType], releasedIn }) {
      const releaseDate =
        releasedIn === null ? null : iso(model.now + releasedIn * DAY).slice(0, 10)
      const made = await demand(
        world,
        dashboard('POST', '/products', {
          name: `Product ${world.next()}`,
          platform: 'Steam',
          region: 'Global',
          productType,
          deliveryType,
          releaseDate,
        }),
        201,
      )
      const releaseAt = releaseDate === null ? null : Date.parse(`${releaseDate}T00:00:00.000Z`)
      model.products.push({
        id: text(made, 'id'),
        productType,
        deliveryType,
        removed: false,
        supplyUnknown: false,
        releaseAt,
        lastPrice: 0,
      })
    },
  },
)

const edits = operation(
  'change product',
  fc.record({
    product: fc.nat(9),
    change: fc.constantFrom(
      { removed: true },
      { removed: false },
      { removed: false },
      { supplyUnknown: true },
      { supplyUnknown: false },
    ),
  }),
  {
    when: (model) => model.products.length > 0,
    async run(model, world, given) {
      const product = pick(model.products, given.product)
      const [partner] = model.partners
      if (!product || !partner) return
      const body = await demand(
        world,
        dashboard('PATCH', `/products/${product.id}`, given.change),
        200,
      )
      Object.assign(product, given.change)
      agree(body, productView(model, partner, product), 'a changed product')
      const read = await world.system.call({
        key: partner.keys.live,
        method: 'GET',
        path: `/v1/products/${product.id}`,
      })
      agree(
        read,
        product.removed
          ? { status: 404, body: { error: { code: 'NOT_FOUND' } } }
          : { status: 200, body: productView(model, partner, product) },
        'a product by itself',
      )
    },
  },
)

const faults = operation(
  'faults',
  fc.array(fc.record({ product: fc.option(fc.nat(9)), units: fc.integer({ min: 1, max: 4 }) }), {
    maxLength: 2,
  }),
  {
    async run(model, world, given) {
      await putFaults(
        model,
        world,
        given.map(({ product, units }) => ({
          productId: product === null ? null : (pick(model.products, product)?.id ?? null),
          left: units,
        })),
      )
    },
  },
)

/** Odd milliseconds avoid the exact ends of windows, which the documents don't define. */
const odd = fc.integer({ min: 1, max: 59_999 })
const span = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 90 }), odd)
      .map(([minutes, ms]) => minutes * MINUTE + ms),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 80 }), odd)
      .map(([hours, ms]) => hours * HOUR + ms),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.integer({ min: 1, max: 30 }), odd).map(([days, ms]) => days * DAY + ms),
  },
)
/** Moves the model's clock, and records the events on the way. */
function pass(model: Model, world: World, until: number): void {
  const facts = () => ({
    released: model.sales.filter(({ status }) => status === 'released').length,
    'escalated by time': model.disputes.filter(({ status }) => status === 'escalated').length,
    'launch delivered or given up': -waiting(model).length,
  })
  const before = facts()
  advance(model, until)
  for (const [name, times] of Object.entries(facts()))
    world.outcomes.set(
      name,
      (world.outcomes.get(name) ?? 0) + times - before[name as keyof typeof before],
    )
}

const advances = operation(
  'advance',
  fc.oneof(
    { weight: 4, arbitrary: span },
    { weight: 1, arbitrary: fc.constantFrom('to the next event', 'to just before the next event') },
  ),
  {
    severalSteps: () => true,
    async run(model, world, given) {
      const next = nextDue(model)
      const until =
        typeof given === 'number'
          ? model.now + given
          : (next ?? model.now + MINUTE) - (given === 'to the next event' ? 0 : 1)
      if (until <= model.now) return
      // The documents don't define how often a launch is retried; a launch that fails all day is
      // tested below.
      if (waiting(model).some(({ line }) => line.dueAt <= until)) await putFaults(model, world, [])
      const body = await demand(
        world,
        dashboard(
          'POST',
          '/clock/advance',
          typeof given === 'number' ? { ms: given } : { to: iso(until) },
        ),
        200,
      )
      pass(model, world, until)
      agree(body, { now: iso(until) }, 'the clock')
    },
  },
)

/** Launches that fail for a full day are given up. */
const badLaunches = operation('a launch that fails', odd, {
  when: (model) => waiting(model).length > 0,
  severalSteps: () => true,
  async run(model, world, ms) {
    const last = Math.max(...waiting(model).map(({ line }) => line.giveUpAt))
    await putFaults(model, world, [{ productId: null, left: 1_000_000 }])
    await demand(world, dashboard('POST', '/clock/advance', { to: iso(last + ms) }), 200)
    pass(model, world, last + ms)
    await putFaults(model, world, [])
  },
})

const saves = operation('save the state', fc.constant(null), {
  async run(model, world) {
    await putFaults(model, world, [])
    await demand(world, dashboard('POST', '/snapshots', { name: 'saved' }), 200)
    save(model)
  },
})

const restores = operation('restore the state', fc.constant(null), {
  when: (model) => model.saved !== null,
  severalSteps: () => true,
  async run(model, world) {
    await putFaults(model, world, [])
    await demand(world, dashboard('POST', '/snapshots/saved/restore'), 200)
    restore(model)
  },
})

const restarts = operation('restart', fc.constant(null), {
  async run(model, world) {
    await world.system.restart()
    model.faults = []
  },
})

const audits = operation('compare everything', fc.constant(null), { run: audit })

export const controlCommands = {
  topUps,
  resets,
  limits,
  makes,
  edits,
  faults,
  advances,
  badLaunches,
  saves,
  restores,
  restarts,
  audits,
}

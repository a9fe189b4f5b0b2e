/** The actions of partners: order, repeat an order, order concurrently, download. */
import fc from 'fast-check'
import type { Mode } from '../../../../server/api/schemas/enums.ts'
import { agree, Difference, field, list, text } from '../difference.ts'
import { accept, deliver, place, type Wanted } from '../ordering.ts'
import { judge, send } from '../repeats.ts'
import { partnerPrice, pick, type Model, type Order } from '../state.ts'
import { quote, units } from '../supply.ts'
import type { Answer } from '../system.ts'
import { euros, keysView, orderView } from '../views.ts'
import { count, dashboard, demand, type Request, type World } from '../world.ts'
import { operation } from './command.ts'

const lines = fc.array(
  fc.record({
    product: fc.nat(9),
    /** Also a product without supply. */
    any: fc.oneof(
      { weight: 9, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
    qty: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 1, max: 2 }) },
      { weight: 1, arbitrary: fc.integer({ min: 4, max: 9 }) },
    ),
    max: fc.constantFrom('plenty', 'plenty', 'plenty', 'exact', 'exact', 'exact', 'below'),
  }),
  { minLength: 1, maxLength: 3 },
)

const wish = fc.record({
  partner: fc.nat(2),
  mode: fc.constantFrom<Mode[]>('live', 'live', 'live', 'test'),
  lines,
  wait: fc.boolean(),
  /** One of a few Idempotency-Keys, so that they are used again with other bodies. */
  repeat: fc.option(fc.nat(400), { freq: 2 }),
  externalId: fc.oneof(
    { weight: 9, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.nat(50) },
  ),
  flaw: fc.oneof(
    { weight: 40, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom('qty', 'bound', 'property', 'unknown') },
  ),
})
type Wish = typeof wish extends fc.Arbitrary<infer T> ? T : never

const partnerOf = (model: Model, id: string) =>
  model.partners.find((each) => each.id === id) ?? unknown('partner', id)

function unknown(what: string, id: string): never {
  throw new Error(`the model has no ${what} ${id}`)
}

/** The highest price for a line, based on the price in the model. */
function maximum(price: number, max: string): number {
  return max === 'plenty' ? 100_000_000 : Math.max(0, max === 'exact' ? price : price - 1)
}

function requestOf(model: Model, world: World, wish: Wish): Request | null {
  const partner = pick(model.partners, wish.partner)
  const stocked = model.products.filter((product) => !product.removed && units(model, product) > 0)
  const chosen = wish.lines.map(({ product, any, qty, max }) => ({
    product: pick(any || stocked.length === 0 ? model.products : stocked, product),
    qty,
    max,
  }))
  if (!partner || chosen.some(({ product }) => product === undefined)) return null
  const asked = chosen.flatMap(({ product, qty }) => (product ? [{ product, qty }] : []))
  const prices = quote(model, partner, asked)
  const items = asked.map(({ product, qty }, index) => ({
    productId: wish.flaw === 'unknown' && index === 0 ? 'prd_unknown' : product.id,
    qty,
    maxUnitPrice: euros(
      maximum(
        prices[index]?.unitPrice ?? partnerPrice(product.lastPrice, partner),
        chosen[index]?.max ?? 'plenty',
      ),
    ),
  }))
  const reused =
    wish.externalId === null
      ? undefined
      : pick(
          model.orders.filter((order) => order.partner === partner),
          wish.externalId,
        )
  const body: Record<string, unknown> = {
    externalId: reused?.externalId ?? `ext-${world.next()}`,
    items,
  }
  const first = items[0]
  if (wish.flaw === 'qty') body['items'] = [{ ...first, qty: 10 }]
  if (wish.flaw === 'bound') body['items'] = [{ ...first, maxUnitPrice: -0.005 }]
  if (wish.flaw === 'property') body['note'] = 'please'
  const waits = wish.wait && asked.every(({ product }) => (product.releaseAt ?? 0) <= model.now)
  return orderRequest(partner.id, wish.mode, partner.keys[wish.mode], body, {
    flawed: wish.flaw !== null && wish.flaw !== 'unknown',
    waits,
    repeat: wish.repeat,
  })
}

type How = { flawed: boolean; waits: boolean; repeat: number | null }

function orderRequest(
  partnerId: string,
  mode: Mode,
  key: string,
  body: Record<string, unknown>,
  { flawed, waits, repeat }: How,
): Request {
  return {
    account: `${partnerId} ${mode}`,
    flawed,
    asking: {
      key,
      method: 'POST',
      path: `/v1/orders${waits ? '?wait=10' : ''}`,
      body,
      repeat: repeat === null ? undefined : `order-key-${repeat}`,
    },
    async first(model, world, answer) {
      const partner = partnerOf(model, partnerId)
      const wanted = (
        body['items'] as { productId: string; qty: number; maxUnitPrice: number }[]
      ).map(({ productId, qty, maxUnitPrice }): Wanted => ({
        product: model.products.find(({ id }) => id === productId) ?? null,
        productId,
        qty,
        max: Math.round(maxUnitPrice * 100),
      }))
      settleOrder(
        model,
        answer,
        waits,
        place(model, { partner, mode, externalId: String(body['externalId']), lines: wanted }),
      )
      count(world, mode === 'test' ? 'test order' : 'order', answer)
    },
  }
}

function settleOrder(
  model: Model,
  answer: Answer,
  waits: boolean,
  placed: ReturnType<typeof place>,
): void {
  if ('code' in placed) {
    const { status, ...error } = placed
    return agree(
      answer,
      { status, body: { error } },
      `an order that the model rejects with ${placed.code}: ${answer.text}`,
    )
  }
  agree(answer.status, 201, `an order that the model accepts: ${answer.text}`)
  placed.id = text(answer.body, 'id')
  if (model.orders.some(({ id }) => id === placed.id))
    throw new Difference('twice', `the order id ${placed.id} was assigned before`)
  accept(model, placed)
  if (!waits) agree(answer.body, orderView(placed), 'an accepted order')
  deliver(model, placed)
  if (waits) agree(answer.body, orderView(placed), 'a finished order')
}

/** Whether the service has done everything that is possible for an order now. */
function final(shown: unknown, { lines, status }: Order): boolean {
  if (status !== 'processing') return text(shown, 'status') !== 'processing'
  return list(shown, 'items').every(
    (item, index) => text(item, 'status') !== 'processing' || lines[index]?.status === 'processing',
  )
}

/** Polls an order until it is final, as a partner would. */
async function untilFinal(world: World, order: Order): Promise<unknown> {
  for (let look = 0; look < 2000; look += 1) {
    const body = await demand(
      world,
      { key: order.partner.keys[order.mode], method: 'GET', path: `/v1/orders/${order.id}` },
      200,
    )
    if (final(body, order)) return body
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Difference('lost', `order ${order.id} keeps processing; the model has ${order.status}`)
}

/** Waits for all orders placed after `known` and compares them. */
async function finish(model: Model, world: World, known: number): Promise<void> {
  for (const order of model.orders.slice(known)) {
    agree(await untilFinal(world, order), orderView(order), `order ${order.id}`)
    const name = `${order.mode} ${order.status}`
    world.outcomes.set(name, (world.outcomes.get(name) ?? 0) + 1)
  }
}

/**
 * Downloads the units of an order and compares them; records units that a partner sees for the
 * first time.
 */
export async function download(model: Model, world: World, order: Order): Promise<void> {
  const body = await demand(
    world,
    { key: order.partner.keys[order.mode], method: 'GET', path: `/v1/orders/${order.id}/keys` },
    200,
  )
  const shown = list(body, 'keys')
  if (order.mode === 'test') noteTestUnits(order, shown)
  agree(body, keysView(order), `keys of ${order.id}`)
  const delivered = order.lines.flatMap((line) => line.delivered)
  for (const [index, unit] of delivered.entries()) {
    unit.id ??= text(shown[index], 'id')
    agree(text(shown[index], 'id'), unit.id, `id of a unit of ${order.id}`)
  }
  if (delivered.length > 0) order.firstDownloadedAt ??= model.now
}

/** Units of the test mode have values generated by the service, which must not change. */
function noteTestUnits(order: Order, shown: unknown[]): void {
  for (const [index, unit] of order.lines.flatMap(({ delivered }) => delivered).entries()) {
    unit.value ??= text(shown[index], 'value')
    if (!unit.value.startsWith('TEST-'))
      throw new Difference('wrong', `a unit of the test mode is ${unit.value}`)
  }
}

/** Units that fail were reserved for a moment and are for sale again. */
const unitsFail = (model: Model): boolean => model.faults.some(({ left }) => left > 0)

const order = operation('order', wish, {
  when: (model) => model.products.length > 0,
  severalSteps: unitsFail,
  async run(model, world, given) {
    const known = model.orders.length
    const request = requestOf(model, world, given)
    if (request) await send(model, world, request)
    await finish(model, world, known)
  },
})

/** Concurrent orders share one wait for the disk; each must see the effects of those before it. */
const burst = operation('concurrent orders', fc.array(wish, { minLength: 2, maxLength: 4 }), {
  when: (model) => model.products.length > 0 && !unitsFail(model),
  severalSteps: unitsFail,
  async run(model, world, given) {
    const known = model.orders.length
    const requests = given.flatMap((each, index) => {
      const request = requestOf(model, world, {
        ...each,
        repeat: each.repeat === null ? null : each.repeat * 4 + index + 1000,
      })
      return request ? [request] : []
    })
    const answers = await Promise.all(requests.map(({ asking }) => world.system.call(asking)))
    for (const [index, request] of requests.entries())
      await judge(model, world, request, answers[index] ?? unknown('answer', String(index)))
    await finish(model, world, known)
  },
})

/**
 * The second of two equal requests finds the first in progress, or its response; never a second
 * order.
 */
const twins = operation('two concurrent equal orders', wish, {
  when: (model) => model.products.length > 0 && !unitsFail(model),
  severalSteps: unitsFail,
  async run(model, world, given) {
    const known = model.orders.length
    const request = requestOf(model, world, {
      ...given,
      repeat: 5000 + (given.repeat ?? 0),
      flaw: null,
    })
    if (!request) return
    const answers = await Promise.all([
      world.system.call(request.asking),
      world.system.call(request.asking),
    ])
    const refused = answers.findIndex(
      ({ body }) => field(field(body, 'error'), 'code') === 'IDEMPOTENCY_IN_PROGRESS',
    )
    for (const answer of refused === 0 ? answers.toReversed() : answers) {
      if (answer !== answers[refused]) await judge(model, world, request, answer)
      else {
        agree(answer.status, 409, 'an order whose twin is in progress')
        count(world, 'twin', answer)
      }
    }
    await finish(model, world, known)
  },
})

const again = operation(
  'again',
  fc.record({
    which: fc.nat(100),
    change: fc.constantFrom('none', 'none', 'order of members', 'body'),
  }),
  {
    when: (model) => model.repeats.size > 0,
    severalSteps: unitsFail,
    async run(model, world, { which, change }) {
      const known = model.orders.length
      const request = pick(
        world.sent,
        world.sent.length - 1 - (which % Math.min(world.sent.length, 12)),
      )
      if (!request) return
      const { body } = request.asking
      const reversed =
        typeof body === 'object' && body !== null && change === 'order of members'
          ? Object.fromEntries(Object.entries(body).toReversed())
          : body
      if (change !== 'body')
        await send(model, world, {
          ...request,
          asking: { ...request.asking, ...(reversed !== undefined && { body: reversed }) },
        })
      else if (request.asking.path.startsWith('/v1/orders')) {
        const [partnerId = '', mode = ''] = request.account.split(' ')
        const other = {
          externalId: `ext-${world.next()}`,
          items: [{ productId: 'prd_unknown', qty: 1, maxUnitPrice: 1 }],
        }
        const asOrder = orderRequest(
          partnerId,
          mode === 'test' ? 'test' : 'live',
          request.asking.key,
          other,
          { flawed: false, waits: request.asking.path.includes('wait'), repeat: null },
        )
        await send(model, world, {
          ...asOrder,
          asking: { ...asOrder.asking, repeat: request.asking.repeat },
        })
      }
      await finish(model, world, known)
    },
  },
)

const downloads = operation('download', fc.nat(500), {
  when: (model) => model.orders.length > 0,
  async run(model, world, which) {
    const chosen = pick(
      model.orders,
      model.orders.length - 1 - (which % Math.min(model.orders.length, 20)),
    )
    if (chosen) await download(model, world, chosen)
  },
})

const refusals = operation(
  'an order during a fault',
  fc.record({ wish, hour: fc.constantFrom('supplier down', 'suspended', 'wrong key') }),
  {
    when: (model) => model.products.length > 0,
    async run(model, world, { wish, hour }) {
      const request = requestOf(model, world, {
        ...wish,
        repeat: null,
        flaw: null,
        externalId: null,
      })
      const partner = pick(model.partners, wish.partner)
      if (!request || !partner) return
      const status = (word: string) =>
        demand(world, dashboard('PATCH', `/partners/${partner.id}`, { status: word }), 200)
      if (hour === 'suspended') await status('suspended')
      if (hour === 'supplier down')
        await demand(world, dashboard('PUT', '/faults', [{ supplierDown: true }]), 200)
      const answer = await world.system.call({
        ...request.asking,
        ...(hour === 'wrong key' && { key: 'svc_live_0000000000000000000000000000' }),
      })
      const codes = {
        'supplier down': [503, 'SERVICE_UNAVAILABLE'],
        suspended: [403, 'ACCOUNT_NOT_ACTIVE'],
        'wrong key': [401, 'UNAUTHORIZED'],
      } as const
      const [expected, code] = codes[hour as keyof typeof codes]
      agree(answer, { status: expected, body: { error: { code } } }, `an order while ${hour}`)
      if (hour === 'suspended') await status('active')
      if (hour === 'supplier down') await putFaults(model, world, [])
      count(world, 'order', answer)
    },
  },
)

export async function putFaults(
  model: Model,
  world: World,
  faults: Model['faults'],
): Promise<void> {
  model.faults = faults
  const body = faults.map(({ productId, left }) => ({
    deliver: { ...(productId !== null && { productId }), failUnits: left },
  }))
  await demand(world, dashboard('PUT', '/faults', body), 200)
}

export const orderCommands = { order, burst, twins, again, downloads, refusals }

/** The actions of sellers: create offers, set prices, upload and withdraw keys. */
import fc from 'fast-check'
import type { OfferStatus } from '../../../../server/api/schemas/enums.ts'
import { agree, Difference, list, field, text } from '../difference.ts'
import { send } from '../repeats.ts'
import { customerPrice, pick, type Model, type Offer } from '../state.ts'
import { notePrices } from '../supply.ts'
import type { Answer, Asking } from '../system.ts'
import { euros, offerView } from '../views.ts'
import { count, type Request, type World } from '../world.ts'
import { operation } from './command.ts'

/** A few prices, so that ties are common, and some unusual ones. */
const price = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(100, 150, 110, 999) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 2500 }) },
  { weight: 1, arbitrary: fc.constantFrom(1, 33_333, 10_000_000) },
)
const status = fc.constantFrom<OfferStatus>('active', 'active', 'active', 'paused')
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

const asked = (offer: Offer, method: Asking['method'], below = '', body?: unknown): Asking => ({
  key: offer.seller.key,
  method,
  path: `/v1/seller/offers/${offer.id}${below}`,
  ...(body !== undefined && { body }),
})

/** An unchanged price keeps its age. */
function reprice(model: Model, offer: Offer, cents: number): void {
  if (offer.price !== cents) offer.priceSince = model.now
  offer.price = cents
  offer.customerPrice = customerPrice(cents, offer.seller, offer.product)
}

const saves = operation(
  'save offer',
  fc.record({ seller: fc.nat(2), product: fc.nat(9), price, status: optional(status) }),
  {
    when: (model) => model.products.length > 0,
    async run(model, world, given) {
      const seller = pick(model.sellers, given.seller)
      const product = pick(model.products, given.product)
      if (!seller || !product) return
      const body = {
        productId: product.id,
        price: euros(given.price),
        ...(given.status && { status: given.status }),
      }
      const answer = await world.system.call({
        key: seller.key,
        method: 'POST',
        path: '/v1/seller/offers',
        body,
      })
      count(world, 'save offer', answer)
      if (product.removed)
        return agree(
          answer,
          { status: 409, body: { error: { code: 'PRODUCT_UNAVAILABLE' } } },
          'an offer for a removed product',
        )
      let offer = model.offers.find((each) => each.seller === seller && each.product === product)
      agree(
        answer,
        { status: offer ? 200 : 201, body: { created: offer === undefined } },
        `saved offer ${answer.text}`,
      )
      if (!offer) {
        const id = text(field(answer.body, 'offer'), 'id')
        offer = {
          id,
          seller,
          product,
          price: 0,
          customerPrice: 0,
          status: 'active',
          priceSince: 0,
          stock: [],
          sold: 0,
          held: 0,
        }
        model.offers.push(offer)
      }
      reprice(model, offer, given.price)
      offer.status = given.status ?? offer.status
      notePrices(model)
      agree(field(answer.body, 'offer'), offerView(model, offer), 'saved offer')
    },
  },
)

const changes = operation(
  'change offer',
  fc.record({
    offer: fc.nat(50),
    price: optional(price),
    status: optional(fc.constantFrom<OfferStatus>('active', 'paused')),
  }),
  {
    when: (model, given) => model.offers.length > 0 && (given.price ?? given.status) !== undefined,
    async run(model, world, given) {
      const offer = pick(model.offers, given.offer)
      if (!offer) return
      const answer = await world.system.call(
        asked(offer, 'PATCH', '', {
          ...(given.price !== undefined && { price: euros(given.price) }),
          ...(given.status && { status: given.status }),
        }),
      )
      count(world, 'change offer', answer)
      if (given.price !== undefined) reprice(model, offer, given.price)
      offer.status = given.status ?? offer.status
      notePrices(model)
      agree(answer, { status: 200, body: offerView(model, offer) }, `changed offer ${answer.text}`)
    },
  },
)

const deletes = operation('delete offer', fc.nat(50), {
  when: (model) => model.offers.length > 0,
  async run(model, world, which) {
    const offer = pick(model.offers, which)
    if (!offer) return
    const answer = await world.system.call(asked(offer, 'DELETE'))
    count(world, 'delete offer', answer)
    if (offer.sold > 0 || offer.held > 0) {
      offer.status = 'paused'
      notePrices(model)
      return agree(
        answer,
        { status: 200, body: offerView(model, offer) },
        'a deleted offer with sales',
      )
    }
    if (offer.stock.length > 0)
      return agree(
        answer,
        { status: 409, body: { error: { code: 'OFFER_HAS_STOCK' } } },
        'a deleted offer with stock',
      )
    agree(answer, { status: 204, text: '' }, 'a deleted offer')
    model.offers.splice(model.offers.indexOf(offer), 1)
  },
})

const key = fc.oneof(
  { weight: 8, arbitrary: fc.constant('new' as const) },
  { weight: 2, arbitrary: fc.record({ known: fc.nat(60), spaced: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constantFrom('picture' as const, 'same as before' as const) },
)
const repeat = fc.option(fc.nat(60), { freq: 2 })
const keys = fc.oneof(
  { weight: 20, arbitrary: fc.array(key, { minLength: 1, maxLength: 16 }) },
  { weight: 1, arbitrary: fc.integer({ min: 40, max: 110 }) },
)
const PNG = Buffer.from('89504e470d0a1a0a', 'hex')

function valueOf(
  world: World,
  wanted: typeof key extends fc.Arbitrary<infer T> ? T : never,
  before: string | undefined,
): string {
  if (wanted === 'new') return `KEY-${world.next()}`
  if (wanted === 'same as before') return before ?? `KEY-${world.next()}`
  if (wanted === 'picture')
    return `data:image/png;base64,${Buffer.concat([PNG, Buffer.from(`picture ${world.next()}`)]).toString('base64')}`
  const known =
    pick(
      world.values,
      world.values.length - 1 - (wanted.known % Math.max(1, world.values.length)),
    ) ?? `KEY-${world.next()}`
  return wanted.spaced ? `  ${known}\t ` : known
}

/** Adds the new keys; returns how many. */
function fill(model: Model, world: World, offer: Offer, values: readonly string[]): number {
  const seen = model.seen.get(offer.product.id) ?? new Set()
  model.seen.set(offer.product.id, seen)
  let added = 0
  for (const value of values.map((each) => each.trim())) {
    if (seen.has(value)) continue
    seen.add(value)
    offer.stock.push({ value, age: world.next() })
    world.values.push(value)
    added += 1
  }
  notePrices(model)
  return added
}

/** Checks a response about an offer that may be gone when the request is repeated. */
const aboutOffer =
  (
    id: string,
    name: string,
    judge: (model: Model, world: World, offer: Offer, answer: Answer) => void,
  ): Request['first'] =>
  (model, world, answer) => {
    const offer = model.offers.find((each) => each.id === id)
    if (offer) judge(model, world, offer, answer)
    else
      agree(
        answer,
        { status: 404, body: { error: { code: 'NOT_FOUND' } } },
        `${name} of an offer that is gone`,
      )
    count(world, name, answer)
  }

const uploads = operation(
  'upload',
  fc.record({
    offer: fc.nat(50),
    keys,
    repeat,
    flaw: fc.oneof(
      { weight: 20, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
  }),
  {
    when: (model) => model.offers.length > 0,
    async run(model, world, given) {
      const offer = pick(model.offers, given.offer)
      if (!offer) return
      const values: string[] = []
      for (const each of typeof given.keys === 'number'
        ? Array.from({ length: given.keys }, () => 'new' as const)
        : given.keys)
        values.push(valueOf(world, each, values.at(-1)))
      if (given.flaw) values.push('KEY\u0007BELL')
      await send(model, world, {
        account: offer.seller.id,
        flawed: given.flaw,
        asking: {
          ...asked(offer, 'POST', '/keys', { keys: values }),
          repeat: given.repeat === null ? undefined : `upload-key-${given.repeat}`,
        },
        first: aboutOffer(offer.id, 'upload', (model, world, offer, answer) => {
          const added = fill(model, world, offer, values)
          agree(
            answer,
            {
              status: 200,
              body: { added, duplicates: values.length - added, stock: offer.stock.length },
            },
            `upload of ${values.join()}`,
          )
        }),
      })
    },
  },
)

const withdraws = operation(
  'withdraw',
  fc.record({ offer: fc.nat(50), count: optional(fc.integer({ min: 1, max: 12 })), repeat }),
  {
    when: (model) => model.offers.length > 0,
    async run(model, world, given) {
      const offer = pick(model.offers, given.offer)
      if (!offer) return
      await send(model, world, {
        account: offer.seller.id,
        asking: {
          ...asked(
            offer,
            'POST',
            '/withdraw',
            given.count === undefined ? {} : { count: given.count },
          ),
          repeat: given.repeat === null ? undefined : `withdraw-key-${given.repeat}`,
        },
        first: aboutOffer(offer.id, 'withdraw', (model, _world, offer, answer) => {
          if ((given.count ?? 0) > offer.stock.length)
            return agree(
              answer,
              { status: 409, body: { error: { code: 'INSUFFICIENT_STOCK' } } },
              'a withdrawal of too many',
            )
          const taken = offer.stock.splice(0, given.count ?? offer.stock.length)
          agree(
            answer,
            {
              status: 200,
              body: {
                count: taken.length,
                keys: taken.map(({ value }) => value),
                stock: offer.stock.length,
              },
            },
            'withdrawal',
          )
          for (const { value } of taken) model.seen.get(offer.product.id)?.delete(value)
          notePrices(model)
        }),
      })
    },
  },
)

const strangers = operation("another seller's offer", fc.nat(50), {
  when: (model) => model.offers.length > 0,
  async run(model, world, which) {
    const offer = pick(model.offers, which)
    const stranger = model.sellers.find((each) => each !== offer?.seller)
    if (!offer || !stranger) return
    for (const asking of [
      asked(offer, 'GET'),
      asked(offer, 'POST', '/withdraw', {}),
      asked(offer, 'DELETE'),
    ]) {
      agree(
        await world.system.call({ ...asking, key: stranger.key }),
        { status: 404, body: { error: { code: 'NOT_FOUND' } } },
        "another seller's offer",
      )
    }
  },
})

/** Compares all offers of all sellers. */
export async function compareOffers(model: Model, world: World): Promise<void> {
  for (const seller of model.sellers) {
    const answer = await world.system.call({
      key: seller.key,
      method: 'GET',
      path: '/v1/seller/offers?limit=100',
    })
    const shown = new Map(list(answer.body, 'results').map((each) => [text(each, 'id'), each]))
    const own = model.offers.filter((offer) => offer.seller === seller)
    if (shown.size !== own.length)
      throw new Difference(
        'lost',
        `${shown.size} offers of ${seller.id}, the model has ${own.length}`,
      )
    for (const offer of own)
      agree(shown.get(offer.id), offerView(model, offer), `offer ${offer.id}`)
  }
}

export const offerCommands = { saves, changes, deletes, uploads, withdraws, strangers }

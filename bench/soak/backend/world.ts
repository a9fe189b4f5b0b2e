/**
 * A small world to be killed in: two partners with webhooks, two sellers with offers of the same
 * products, one product that is never delivered.
 */
import { cents } from '../../../server/api/money.ts'
import type { Ready } from '../../../server/sandbox-types.ts'
import { type Accounts, type Book, emptyBook, type OfferFacts, requireKnown } from './book.ts'
import type { PowerCuts } from '../support/power-cuts.ts'
import type { Findings } from './findings.ts'
import type { Receiver } from './receiver.ts'
import { connect, type Service, type StrictClient } from './service.ts'

export const PARTNERS = 2
export const SELLERS = 2
const PRODUCTS = 4
const FIRST_STOCK = 30
const FIRST_BALANCE = cents(100_000_000)

export type World = {
  readonly folder: string
  readonly receiver: Receiver
  readonly findings: Findings
  /** Null: the service is killed, and the disk keeps everything. */
  readonly cuts: PowerCuts | null
  /** A number that is unique in this world: names, keys and amounts are derived from it. */
  serial(): number
  book: Book
  /** Books of the saved states, by name, with the time of their snapshots. */
  readonly saved: Map<string, { book: Book; createdAt: string }>
  service: Service
  /** Called for each acknowledged step. */
  stepped: () => void
}

/** Units of this product always fail, so that orders with it are refunded partly or completely. */
export const undeliverable = (accounts: Accounts): string => accounts.products.at(-1) ?? ''

/** A key value in a seller's format. */
export const keyValue = (serial: number, length = 0): string =>
  `SOAK-${String(serial).padStart(8, '0')}${'-X'.repeat(length)}`

/** An empty world on a folder, without connections. */
export function createWorld(
  folder: string,
  receiver: Receiver,
  findings: Findings,
  cuts: PowerCuts | null = null,
): World {
  let serial = 0
  const nowhere: Ready = {
    ready: true,
    baseUrl: 'http://127.0.0.1:1/v1',
    sellerUrl: '',
    dashboardUrl: '',
    dashboardToken: '',
    demo: null,
  }
  const world: World = {
    folder,
    receiver,
    findings,
    cuts,
    serial: () => (serial += 1),
    book: emptyBook({ partners: [], sellers: [], products: [] }),
    saved: new Map(),
    service: connect(nowhere, () => world.book.accounts),
    stepped: () => undefined,
  }
  return world
}

/**
 * Connects the accounts of the book to a process that has just become ready, with the fault that
 * makes one product undeliverable.
 */
export async function attach(world: World, ready: Ready): Promise<void> {
  world.service = connect(ready, () => world.book.accounts)
  await failDeliveries(world)
}

/** Makes one product of the book undeliverable. */
export async function failDeliveries(world: World): Promise<void> {
  const productId = undeliverable(world.book.accounts)
  if (productId !== '')
    await world.service.dashboard.putFaults({
      body: [{ deliver: { productId, failUnits: 1_000_000 } }],
    })
}

async function makePartner(world: World, index: number) {
  const { dashboard } = world.service
  const { id } = (
    await dashboard.createPartner({
      body: {
        name: `Partner ${index}`,
        email: `partner-${index}@example.com`,
        perOrderLimit: null,
        dailyLimit: null,
        ...(index === 1 && { priceFactor: 1.1 }),
      },
    })
  ).body
  const keyOf = async (mode: 'live' | 'test') =>
    (await dashboard.createPartnerKey({ params: { id }, body: { mode } })).body.key
  await dashboard.putWebhook({ params: { id }, body: { url: `${world.receiver.url}${id}` } })
  return { id, keys: { live: await keyOf('live'), test: await keyOf('test') } }
}

async function makeSeller(world: World, ready: Ready, index: number, products: readonly string[]) {
  const { dashboard } = world.service
  const { id } = (await dashboard.createSeller({ body: { name: `Seller ${index}` } })).body
  const { key } = (await dashboard.createSellerKey({ params: { id } })).body
  const accounts: Accounts = { partners: [], sellers: [{ id, key, offers: [] }], products: [] }
  const client: StrictClient = connect(ready, () => accounts).seller(0)
  const offers: OfferFacts[] = []
  for (const [at, productId] of products.entries()) {
    const { offer } = (
      await client.saveOffer({ body: { productId, price: cents(200 + 10 * ((at + index) % 3)) } })
    ).body
    offers.push({ id: offer.id, productId })
  }
  return { id, key, offers }
}

/** Sets up the world on an empty service, and writes its book. */
export async function populate(world: World, ready: Ready): Promise<void> {
  world.book = emptyBook({ partners: [], sellers: [], products: [] })
  await attach(world, ready)
  const { dashboard } = world.service
  const products: string[] = []
  const names = new Map<string, string>()
  for (let index = 0; index < PRODUCTS; index += 1) {
    const name = `Product ${index}`
    const { id } = (
      await dashboard.createProduct({
        body: {
          name,
          platform: 'Steam',
          region: 'Global',
          productType: 'game',
          deliveryType: 'key',
        },
      })
    ).body
    products.push(id)
    names.set(id, name)
  }
  const partners = []
  for (let index = 0; index < PARTNERS; index += 1) partners.push(await makePartner(world, index))
  const sellers = []
  for (let index = 0; index < SELLERS; index += 1)
    sellers.push(await makeSeller(world, ready, index, products))

  const book = emptyBook({ partners, sellers, products })
  world.book = book
  for (const [id, name] of names) book.products.set(id, name)
  await attach(world, ready)
  for (const [index, { offers }] of sellers.entries()) {
    for (const { id } of offers) {
      const keys = Array.from({ length: FIRST_STOCK }, () => keyValue(world.serial()))
      await world.service.seller(index).uploadKeys({ params: { id }, body: { keys } })
      for (const key of keys) requireKnown(book.uploaded, id).add(key)
      const { price, status } = (await world.service.seller(index).getOffer({ params: { id } }))
        .body
      book.terms.set(id, { price, status })
    }
  }
  for (const [partner, { id }] of partners.entries()) {
    for (const mode of ['live', 'test'] as const) {
      const reference = `FIRST-${world.serial()}`
      const amount = cents(FIRST_BALANCE + world.serial())
      await dashboard.createTopUp({ params: { id }, body: { mode, amount, reference } })
      book.topUps.set(reference, { partner, mode, amount })
    }
  }
}

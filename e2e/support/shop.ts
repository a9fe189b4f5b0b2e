import type { Page } from '@playwright/test'
import { FirstRun } from '../pages/shell.ts'
import { createOffer } from './disputes.ts'
import type { Harness } from './harness.ts'
import { ExternalService } from './service.ts'

/** Keys that the service accepts, numbered from `from`. */
export const someKeys = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `WHARF-${from + at}-KEEPS`)

/** A seller's account at an external service, which tests also change as another tool would. */
export class Shop {
  readonly service: ExternalService
  readonly key: string

  private constructor(service: ExternalService, key: string) {
    this.service = service
    this.key = key
  }

  /** The demo seller of a new service, which limits requests only if `limits` is true. */
  static async open(harness: Harness, { limits = false } = {}): Promise<Shop> {
    const service = new ExternalService(harness.home, 40, limits ? [] : ['--no-limits'])
    await service.start()
    return new Shop(service, (await service.issueKey('sellers')).key)
  }

  /** A new seller of the same service, without offers. */
  async newSeller(name: string): Promise<Shop> {
    const { id } = (await this.service.dashboard('POST', '/sellers', { name })) as { id: string }
    const { key } = (await this.service.dashboard('POST', `/sellers/${id}/keys`)) as { key: string }
    return new Shop(this.service, key)
  }

  /** Creates a product and an active offer for 4.00 EUR without stock. */
  async offer(name: string): Promise<{ productId: string; offerId: string }> {
    return createOffer(this.service, this.key, name)
  }

  /** Creates an offer for another seller's product, with stock. */
  async undercut(productId: string, price: number, from: number): Promise<string> {
    const { offer } = (await this.#ask('POST', '/offers', { productId, price })) as {
      offer: { id: string }
    }
    await this.upload(offer.id, from, 5)
    return offer.id
  }

  async upload(offerId: string, from: number, count: number): Promise<void> {
    await this.#ask('POST', `/offers/${offerId}/keys`, { keys: someKeys(from, count) })
  }

  async setPrice(offerId: string, price: number): Promise<void> {
    await this.#ask('PATCH', `/offers/${offerId}`, { price })
  }

  async read(offerId: string): Promise<{ price: number; stock: number; productId: string }> {
    return (await this.#ask('GET', `/offers/${offerId}`)) as Awaited<ReturnType<Shop['read']>>
  }

  /** Starts the console and connects this account. */
  async connect(harness: Harness, page: Page): Promise<void> {
    await page.goto(await harness.start())
    await new FirstRun(page).connect(this.key, this.service.baseUrl, 'Kestrel Keys')
  }

  #ask(method: string, path: string, body?: unknown): Promise<unknown> {
    return this.service.seller(this.key, method, path, body)
  }
}

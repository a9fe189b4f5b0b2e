import type { ResponseBody, InputOf } from '../../../../server/api/handlers.ts'
import { cents } from '../../../../server/api/money.ts'
import { failure } from '../../failure.ts'
import type { ServiceConnection } from '../../context.ts'

export type ServedProduct = ResponseBody<'listProducts'>['results'][number]
export type ServedSellerProduct = NonNullable<ResponseBody<'listSellerProducts'>['results']>[number]

/** A product as GET /products returns it. */
export const servedProduct = (id: string, more: Partial<ServedProduct> = {}): ServedProduct => ({
  id,
  name: `Product ${id}`,
  platform: 'Steam',
  region: 'Global',
  productType: 'game',
  deliveryType: 'key',
  price: cents(1000),
  currency: 'EUR',
  inStock: true,
  qty: 5,
  activation: null,
  description: 'a text',
  activationDetails: null,
  languages: ['English'],
  genres: [],
  developer: null,
  publisher: null,
  releaseDate: null,
  ageRating: null,
  coverImage: null,
  screenshots: [],
  systemRequirements: [],
  url: null,
  updatedAt: '',
  removed: false,
  ...more,
})

/**
 * An in-memory service with both catalogue lists, by the rules of the Partner API (GET /products 1
 * to 5; Decision 11) and the Seller API. A test can interrupt a sync at any point. Other tests use
 * the real backend.
 */
export function createCatalogueService() {
  const products = new Map<string, { product: ServedProduct; stamp: number }>()
  const sellerProducts: ServedSellerProduct[] = []
  let stamp = 0
  let epoch = 1
  let claimed: number | null = null
  const calls: { operation: string; query: Record<string, unknown> }[] = []
  let before: (operation: string) => void = () => {}

  const listProducts = (query: Record<string, unknown>): ResponseBody<'listProducts'> => {
    const [of, after] = String(query['cursor'] ?? `${epoch}:0`)
      .split(':')
      .map(Number)
    if (of !== epoch)
      throw failure('VALIDATION_ERROR', 'The cursor is not known.', 'Begin again.', { status: 400 })
    const limit = Number(query['limit'])
    const later = [...products.values()]
      .filter((each) => each.stamp > (after ?? 0))
      .sort((a, b) => a.stamp - b.stamp)
    const page = later.slice(0, limit)
    const first = query['cursor'] === undefined
    return {
      page: first ? 1 : null,
      limit,
      total: first ? (claimed ?? products.size) : null,
      totalPages: null,
      nextCursor:
        page.length === 0 && first ? null : `${epoch}:${page.at(-1)?.stamp ?? after ?? 0}`,
      hasMore: later.length > limit,
      results: page.map(({ product }) => structuredClone(product)),
    }
  }
  const listSellerProducts = (
    query: Record<string, unknown>,
  ): ResponseBody<'listSellerProducts'> => {
    const [page, limit] = [Number(query['page']), Number(query['limit'])]
    const results = sellerProducts.slice((page - 1) * limit, page * limit)
    return {
      page,
      limit,
      total: sellerProducts.length,
      totalPages: Math.ceil(sellerProducts.length / limit),
      hasMore: page * limit < sellerProducts.length,
      results: structuredClone(results),
    }
  }

  const line: Pick<ServiceConnection, 'call'> = {
    call: async (operation, input) => {
      const query: Record<string, unknown> = { ...(input as InputOf<'listProducts'>).query }
      calls.push({ operation, query })
      await new Promise((resolve) => setImmediate(resolve))
      before(operation)
      const answer = operation === 'listProducts' ? listProducts(query) : listSellerProducts(query)
      return answer as ResponseBody<typeof operation>
    },
  }
  return {
    line,
    calls,
    sellerProducts,
    /** Adds or changes a product, which moves it behind every cursor issued so far. */
    put(product: ServedProduct): void {
      stamp += 1
      products.set(product.id, {
        product: { ...product, updatedAt: new Date(stamp).toISOString() },
        stamp,
      })
    },
    /** All products, removed ones included. */
    list: (): ServedProduct[] => [...products.values()].map(({ product }) => product),
    /** Forgets everything it issued and holds, like a newly set up service. */
    reset(): void {
      epoch += 1
      products.clear()
    },
    /** Reports this total, whatever the real number of products. */
    claim(total: number): void {
      claimed = total
    },
    /** Called before each response. An error it throws becomes the response. */
    intercept(hook: (operation: string) => void): void {
      before = hook
    },
  }
}
export type CatalogueService = ReturnType<typeof createCatalogueService>

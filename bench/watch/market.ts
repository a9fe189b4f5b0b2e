import { seeded } from '../../e2e/support/seeded.ts'

const hourMs = 3_600_000
/** Average periods for which offers lead, and then are behind. */
const leadingMs = 12 * hourMs
const behindMs = 2 * hourMs
const pageLimit = 100

type Turn = { from: number; to: number }
export type Loss = Turn & { offerId: string; index: number }

/**
 * A market in which offers lose and regain the lead at times known beforehand. It reports only what
 * the two documents specify.
 */
export function createTurningMarket(
  count: number,
  began: number,
  lengthMs: number,
  now: () => number,
) {
  const below = seeded(20_261_121)
  const wait = (mean: number): number => Math.round(-Math.log(1 - below(2 ** 30) / 2 ** 30) * mean)
  const turns = Array.from({ length: count }, () => {
    const own: Turn[] = []
    for (let at = began + wait(leadingMs); at < began + lengthMs * 2;) {
      const to = at + wait(behindMs)
      own.push({ from: at, to })
      at = to + wait(leadingMs)
    }
    return own
  })
  const idOf = (index: number): string => `off_${String(index).padStart(6, '0')}`
  const price = (index: number): number => 500 + (index % 997) * 7
  const isBehind = (index: number): boolean =>
    turns[index]?.some(({ from, to }) => from <= now() && now() < to) ?? false
  const customer = (cents: number): number => Math.round(cents * 1.1)
  const offerOf = (index: number) => ({
    id: idOf(index),
    productId: `p${index}`,
    name: `Product ${index}`,
    price: price(index),
    customerPrice: customer(price(index)),
    status: 'active',
    stock: 10,
    isCheapest: !isBehind(index),
    commission: { class: 'keys', percent: 10, amount: customer(price(index)) - price(index) },
  })

  return {
    answer(operation: string, input: unknown): unknown {
      const { query = {}, params = {} } = input as {
        query?: { page?: number; search?: string }
        params?: { id?: string }
      }
      if (operation === 'listOffers') {
        const first = ((query.page ?? 1) - 1) * pageLimit
        return {
          results: Array.from(
            { length: Math.max(0, Math.min(pageLimit, count - first)) },
            (_, index) => offerOf(first + index),
          ),
          hasMore: first + pageLimit < count,
        }
      }
      if (operation === 'getOffer') return offerOf(Number((params.id ?? '').slice(4)))
      if (operation !== 'listSellerProducts')
        throw new Error(`this market doesn't support ${operation}`)
      const index = Number((query.search ?? '').slice(1))
      const own = customer(price(index))
      return {
        results: [
          {
            productId: `p${index}`,
            name: `Product ${index}`,
            shopPrice: isBehind(index) ? own - 12 : own,
            bestSellerPrice: price(index),
          },
        ],
      }
    },
    /**
     * When offers lost the lead within a period, for those that were behind long enough within it,
     * and when they regained it.
     */
    losses: (from: number, to: number, leastMs: number): Loss[] =>
      turns.flatMap((own, index) =>
        own
          .filter(
            (turn) =>
              turn.from >= from && turn.from + leastMs <= to && turn.to - turn.from >= leastMs,
          )
          .map((turn) => ({ ...turn, offerId: idOf(index), index })),
      ),
  }
}

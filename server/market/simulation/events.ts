/** What a run of the market writes down to happen later. */
export type MarketEvent =
  /** A seller looks at its prices and stock. */
  | { kind: 'round'; seller: string }
  /** A seller looks for products that others began to sell. */
  | { kind: 'look-around'; seller: string }
  /** A customer looks at a product. */
  | { kind: 'visit'; customer: number; product: string }
  | {
      kind: 'claim'
      customer: number
      order: string
      key: string
      product: string
      problem: Problem
      mistaken: boolean
    }
  /** A customer, or support, looks at a dispute again. */
  | {
      kind: 'look-again'
      dispute: string
      customer: number
      problem: Problem
      mistaken: boolean
      answers: number
      support: number
      /** Somebody is trained: it goes on within a minute, not within hours. */ prompt?: boolean
    }
  /** A simulated seller settles a claim. */
  | { kind: 'settle'; dispute: string }

/** What customers say is wrong with what they bought. */
export type Problem = 'used' | 'invalid' | 'region' | 'edition' | 'login' | 'expired'

export const written = (event: MarketEvent): string => JSON.stringify(event)

/** Reads what `written` wrote. */
export const readEvent = (text: string): MarketEvent => JSON.parse(text) as MarketEvent

/** The scheduled events of a market run. */
export type MarketEvent =
  /** A seller checks its prices and stock. */
  | { kind: 'round'; seller: string }
  /** A seller looks for products that others started to sell. */
  | { kind: 'look-around'; seller: string }
  /** A customer visits a product. */
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
  /** A customer or support checks a dispute again. */
  | {
      kind: 'look-again'
      dispute: string
      customer: number
      problem: Problem
      mistaken: boolean
      answers: number
      support: number
      /** A test dispute: its steps follow within minutes, not hours. */ prompt?: boolean
    }
  /** A simulated seller resolves a claim. */
  | { kind: 'settle'; dispute: string }

export type EventOf<Kind extends MarketEvent['kind']> = Extract<MarketEvent, { kind: Kind }>

/** The customers' complaints about their purchases. */
export type Problem = 'used' | 'invalid' | 'region' | 'edition' | 'login' | 'expired'

export const formatEvent = (event: MarketEvent): string => JSON.stringify(event)

/** Parses the text that `written` created. */
export const parseEvent = (text: string): MarketEvent => JSON.parse(text) as MarketEvent

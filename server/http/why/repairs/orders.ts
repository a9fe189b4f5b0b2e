/** Repairs of refused orders and of refused stock. */
import { type Attempt, withStep } from '../attempt.ts'
import {
  dashboard,
  detail,
  fieldAt,
  numberIn,
  type Refused,
  type Repair,
  textOf,
  withField,
} from './repair.ts'

type Line = { productId: string; qty: number }

const linesOf = ({ body }: Attempt): Line[] => {
  const items = fieldAt(body, 'items')
  return Array.isArray(items) ? (items as Line[]) : []
}

const lineIn = ({ refusal }: Refused): number => Math.max(0, numberIn(refusal, 'line') - 1)

const change = (attempt: Attempt, path: string, value: unknown): Attempt => ({
  ...attempt,
  body: withField(attempt.body, path, value),
})

const withoutLine = (attempt: Attempt, index: number): Attempt[] =>
  linesOf(attempt).length > 1 ? [change(attempt, `items[${index}]`, undefined)] : []

/** The ids of products in stock, those whose id resembles the given one first. */
export async function productsInStock({
  trial,
  attempt,
}: Pick<Refused, 'trial' | 'attempt'>): Promise<string[]> {
  const { sender } = attempt
  if (sender.api === 'partner') {
    const reader = { ...sender, scopes: ['catalog:read'] as const }
    const rows = await trial.list(reader, '/v1/products?inStock=true&limit=20')
    return rows.map((row) => textOf(row, 'id'))
  }
  if (sender.api !== 'seller') return []
  const rows = await trial.list(sender, '/v1/seller/products?limit=20')
  return rows.map((row) => textOf(row, 'productId'))
}

const otherProduct: Repair = async (refused) => {
  const { attempt } = refused
  const ids = await productsInStock(refused)
  if (attempt.sender.api === 'seller')
    return ids.slice(0, 3).map((id) => change(attempt, 'productId', id))
  const line = lineIn(refused)
  const free = ids.filter((id) => !linesOf(attempt).some(({ productId }) => productId === id))
  return [
    ...free.slice(0, 2).map((id) => change(attempt, `items[${line}].productId`, id)),
    ...withoutLine(attempt, line),
  ]
}

/** As many units as there are, then another product. */
const fewerUnits: Repair = async (refused) => {
  const { trial, attempt } = refused
  const { sender } = attempt
  const line = lineIn(refused)
  const wanted = linesOf(attempt)[line]
  if (sender.api !== 'partner' || wanted === undefined) return []
  const reader = { ...sender, scopes: ['catalog:read'] as const }
  const product = await trial.read(reader, `/v1/products/${encodeURIComponent(wanted.productId)}`)
  const stock = typeof product?.['qty'] === 'number' ? product['qty'] : 0
  const before = linesOf(attempt)
    .slice(0, line)
    .filter(({ productId }) => productId === wanted.productId)
    .reduce((sum, { qty }) => sum + qty, 0)
  const left = Math.min(stock - before, wanted.qty - 1)
  return [
    ...(left > 0 ? [change(attempt, `items[${line}].qty`, left)] : []),
    ...(await otherProduct(refused)),
  ]
}

const currentPrice: Repair = (refused) => [
  change(
    refused.attempt,
    `items[${lineIn(refused)}].maxUnitPrice`,
    detail(refused.refusal, 'currentPrice'),
  ),
]

/** Fewer units until the total fits, then fewer lines; `otherwise` raises what limits the order. */
const smallerOrder =
  (available: string, otherwise: (refused: Refused) => Attempt[]): Repair =>
  (refused) => {
    const { attempt, refusal } = refused
    const factor = Math.min(numberIn(refusal, available) / (numberIn(refusal, 'total') || 1), 0.99)
    const lines = linesOf(attempt)
    const reduced = lines.reduce(
      (each, { qty }, index) =>
        change(each, `items[${index}].qty`, Math.max(1, Math.floor(qty * factor))),
      attempt,
    )
    return [
      ...(lines.some(({ qty }) => qty > 1) ? [reduced] : withoutLine(attempt, lines.length - 1)),
      ...otherwise(refused),
    ]
  }

const raiseLimit =
  (limit: string) =>
  ({ attempt }: Refused): Attempt[] =>
    attempt.sender.api === 'partner'
      ? [
          withStep(attempt, {
            sender: dashboard,
            method: 'PATCH',
            path: `/dashboard/partners/${attempt.sender.id}`,
            body: { [limit]: null },
          }),
        ]
      : []

function topUp({ attempt, refusal }: Refused): Attempt[] {
  const { sender } = attempt
  if (sender.api !== 'partner') return []
  const { id, mode } = sender
  const missing = numberIn(refusal, 'total') - numberIn(refusal, 'balance')
  const amount = Math.max(1, Math.ceil(missing * 100) / 100)
  return [
    withStep(attempt, {
      sender: dashboard,
      method: 'POST',
      path: `/dashboard/partners/${id}/top-ups`,
      body: { mode, amount },
    }),
  ]
}

const newExternalId: Repair = ({ attempt }) => {
  const used = String(fieldAt(attempt.body, 'externalId'))
  return [2, 3, 4, 5].map((number) =>
    change(attempt, 'externalId', `${used.slice(0, 95)}-${number}`),
  )
}

export const orderRepairs: Readonly<Record<string, Repair>> = {
  PRODUCT_UNAVAILABLE: otherProduct,
  OUT_OF_STOCK: fewerUnits,
  PRICE_CHANGED: currentPrice,
  ORDER_LIMIT_EXCEEDED: smallerOrder('limit', raiseLimit('perOrderLimit')),
  DAILY_LIMIT_EXCEEDED: smallerOrder('limit', raiseLimit('dailyLimit')),
  INSUFFICIENT_BALANCE: smallerOrder('balance', topUp),
  DUPLICATE_EXTERNAL_ID: newExternalId,
}

/** Refusals of the document: by status, with an example of each code and of its details. */
import type { Endpoint } from '../../api/endpoints/endpoint.ts'
import { commonErrors } from '../../api/endpoints/endpoints.ts'
import { type ErrorCode, errorTable, type FieldProblem } from '../../api/errors.ts'
import type { Examples, PublicOperation } from './examples/example.ts'
import { completedOrder, productId } from './examples/examples-partner.ts'
import { headersOf } from './headers.ts'

const line = { productId, line: 1 }

/** `details` by code, as the service fills them; omitted codes have none. */
const details: Readonly<Partial<Record<ErrorCode, unknown>>> = {
  RATE_LIMITED: { retryAfterMs: 412 },
  PRODUCT_UNAVAILABLE: line,
  OUT_OF_STOCK: line,
  PRICE_CHANGED: { ...line, currentPrice: 16.2 },
  DUPLICATE_EXTERNAL_ID: { orderId: completedOrder.id },
  INSUFFICIENT_BALANCE: { balance: 12.4, total: 30.92 },
  ORDER_LIMIT_EXCEEDED: { limit: 2500, total: 2783.16 },
  DAILY_LIMIT_EXCEEDED: { limit: 10_000, total: 10_018.4 },
  INSUFFICIENT_STOCK: { stock: 36 },
}

/**
 * Validation problems, for operations where the default, a page number out of range, doesn't fit.
 */
const problems: Readonly<Partial<Record<PublicOperation, readonly FieldProblem[]>>> = {
  createOrder: [
    { field: 'items[0].qty', message: 'must be at most 9' },
    { field: 'items[0].maxUnitPrice', message: 'must be at least 0' },
  ],
  listProducts: [{ field: 'cursor', message: 'was issued with other filters' }],
  testWebhook: [{ field: 'webhook', message: 'no webhook endpoint is set' }],
  saveOffer: [{ field: 'price', message: 'must have at most two decimals' }],
  changeOffer: [{ field: 'body', message: 'must have a price, a status, or both' }],
  uploadKeys: [{ field: 'keys[3]', message: 'has control characters' }],
  withdrawKeys: [{ field: 'count', message: 'must be at least 1' }],
  answerDispute: [{ field: 'body', message: 'must not be empty' }],
  replaceKey: [{ field: 'body', message: 'must have either key or fromStock' }],
}
const badPage: readonly FieldProblem[] = [{ field: 'limit', message: 'must be at most 100' }]

/** Codes whose example needs details other than the default. */
const special: Readonly<Partial<Record<PublicOperation, Partial<Record<ErrorCode, unknown>>>>> = {
  saveOffer: { PRODUCT_UNAVAILABLE: { productId } },
  replaceKey: { INSUFFICIENT_STOCK: { stock: 0 } },
}

const detailsOf = (operation: PublicOperation, code: ErrorCode): unknown =>
  code === 'VALIDATION_ERROR'
    ? (problems[operation] ?? badPage)
    : (special[operation]?.[code] ?? details[code])

function exampleOf(operation: PublicOperation, code: ErrorCode) {
  const { message } = errorTable[code]
  const given = detailsOf(operation, code)
  return {
    summary: message,
    value: {
      error: {
        code,
        message,
        ...(given === undefined ? {} : { details: given }),
        requestId: 'req_1m7zsbn16cezyzfp1py1',
      },
    },
  }
}

/** What to do about a code, where its message doesn't say it. */
const remedies: Readonly<Partial<Record<ErrorCode, string>>> = {
  PRICE_CHANGED:
    'Use `details.currentPrice`: it is the unit price for the quantity you asked for, and can be ' +
    "above the product's `price`, which is for one unit.",
}

const advice = { final: 'final', retry: 'can be retried' }

/** Refusals of an operation by status, each with the codes it can have. */
export function refusalsOf(operation: PublicOperation, endpoint: Endpoint): Record<string, object> {
  const codes = [...new Set<ErrorCode>([...commonErrors[endpoint.api], ...endpoint.errors])]
  const statuses = [...new Set(codes.map((code) => errorTable[code].status))].toSorted(
    (a, b) => a - b,
  )
  return Object.fromEntries(
    statuses.map((status) => {
      const here = codes.filter((code) => errorTable[code].status === status)
      const examples: Examples = Object.fromEntries(
        here.map((code) => [code, exampleOf(operation, code)]),
      )
      const description = here
        .map(
          (code) =>
            `\`${code}\`, ${advice[errorTable[code].guidance]}: ${errorTable[code].message}` +
            (remedies[code] === undefined ? '' : ` ${remedies[code]}`),
        )
        .join('\n\n')
      return [
        String(status),
        {
          description,
          headers: headersOf(status, endpoint),
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' }, examples },
          },
        },
      ]
    }),
  )
}

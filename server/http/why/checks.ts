/** The checks of a request in their order, with the rule that each of them enforces. */
import type { Check } from '../../api/errors.ts'
import { keyRates } from '../../domain/limits/rates.ts'
import type { RefusedRequest } from '../request-log/refused-request.ts'
import type { Matched } from './attempt.ts'

type Step = Check | 'FAULT' | 'RESOURCE' | 'STATE'

export type CheckRow = {
  check: string
  title: string
  result: 'passed' | 'failed' | 'not reached'
  value: string | null
}

const titles: Readonly<Record<Step, readonly [title: string, rule: string]>> = {
  UNAUTHORIZED: [
    'Valid key',
    'Every request needs one valid key of its interface, as `Authorization: Bearer`.',
  ],
  ACCOUNT_NOT_ACTIVE: ['Account is active', 'Only active accounts can send requests.'],
  IP_NOT_ALLOWED: [
    'Address is allowed',
    'An account with an allowlist accepts requests from the listed addresses only.',
  ],
  KEY_RATE: ['Rate of the key', 'A key can send 20 requests a second and 600 a minute.'],
  UNKNOWN_ROUTE: ['Known method and path', 'The method and the path must be an operation.'],
  INSUFFICIENT_SCOPE: ['Key has the scope', 'A key can call the operations of its scopes only.'],
  ENDPOINT_RATE: [
    'Rate of the operation',
    'An account can send 120 orders, 300 key downloads and 300 key uploads a minute.',
  ],
  FAULT: ['No fault is set', 'A fault set on the dashboard refuses the requests that it matches.'],
  VALIDATION_ERROR: [
    'Valid request',
    'Every parameter and field must fit the reference; `details` names each one that doesn’t.',
  ],
  IDEMPOTENCY: [
    'Idempotency key is new',
    'A repeated Idempotency-Key returns the first response, and needs the same body.',
  ],
  DUPLICATE_EXTERNAL_ID: [
    'External id is unused',
    'An account can use each externalId once, in both modes together.',
  ],
  SERVICE_UNAVAILABLE: [
    'Supplier is available',
    'No order is accepted while the supplier is down.',
  ],
  PRODUCT_UNAVAILABLE: [
    'Products are available',
    'Every product must be in the catalogue, and not removed.',
  ],
  OUT_OF_STOCK: ['Stock is sufficient', 'Every line needs its complete quantity in stock.'],
  PRICE_CHANGED: [
    'Live price within your limit',
    'If the live unit price of any line is above its maxUnitPrice, the complete order is rejected.',
  ],
  ORDER_LIMIT_EXCEEDED: [
    'Total within the order limit',
    'The total of an order must not be above the limit of the account.',
  ],
  DAILY_LIMIT_EXCEEDED: [
    'Spending within the daily limit',
    'The orders of any 24 hours together must not be above the limit of the account.',
  ],
  INSUFFICIENT_BALANCE: [
    'Balance is sufficient',
    'The balance of the key’s mode must cover the total.',
  ],
  RESOURCE: [
    'Resource exists',
    'The resource must exist and belong to the account, in the mode of the key.',
  ],
  STATE: ['Allowed in this state', 'The present state of the resource must allow the operation.'],
}

const orderSteps: readonly Step[] = [
  'DUPLICATE_EXTERNAL_ID',
  'SERVICE_UNAVAILABLE',
  'PRODUCT_UNAVAILABLE',
  'OUT_OF_STOCK',
  'PRICE_CHANGED',
  'ORDER_LIMIT_EXCEEDED',
  'DAILY_LIMIT_EXCEEDED',
  'INSUFFICIENT_BALANCE',
]

/** The checks that apply to a request, in their order. */
function stepsOf({ zone }: RefusedRequest, at: Matched | null): Step[] {
  const partner = zone === 'partner'
  const steps: (Step | false)[] = [
    'UNAUTHORIZED',
    zone !== 'dashboard' && 'ACCOUNT_NOT_ACTIVE',
    partner && 'IP_NOT_ALLOWED',
    zone !== 'dashboard' && 'KEY_RATE',
    'UNKNOWN_ROUTE',
    at?.endpoint.scope != null && 'INSUFFICIENT_SCOPE',
    at?.endpoint.rate != null && 'ENDPOINT_RATE',
    zone !== 'dashboard' && at !== null && 'FAULT',
    at !== null && 'VALIDATION_ERROR',
    at?.endpoint.idempotent === true && 'IDEMPOTENCY',
    ...(at?.operation === 'createOrder' ? orderSteps : []),
    at !== null && at.operation !== 'createOrder' && 'RESOURCE',
    at !== null && at.operation !== 'createOrder' && 'STATE',
  ]
  return steps.filter((step) => step !== false)
}

/** The check that refused the request. */
function failedStep({ error, fault, usedUp, requestId }: RefusedRequest): Step {
  const { code, message } = error
  if (fault !== null && fault !== 'supplierDown') return 'FAULT'
  if (error.requestId !== requestId || code.startsWith('IDEMPOTENCY_')) return 'IDEMPOTENCY'
  if (code === 'RATE_LIMITED')
    return usedUp?.startsWith('key') === true ? 'KEY_RATE' : 'ENDPOINT_RATE'
  if (code === 'NOT_FOUND') return message === 'Path not found.' ? 'UNKNOWN_ROUTE' : 'RESOURCE'
  return Object.hasOwn(titles, code) ? (code as Step) : 'STATE'
}

function valueOf(step: Step, refused: RefusedRequest, at: Matched | null): string | null {
  const { caller, presented, error, zone } = refused
  switch (step) {
    case 'UNAUTHORIZED':
      if (zone === 'dashboard') return null
      return presented === null ? 'no readable key' : `${presented.kind?.prefix ?? ''}***`
    case 'IP_NOT_ALLOWED':
      return refused.address
    case 'KEY_RATE':
      return keyRates.map(({ limit, windowMs }) => `${limit} in ${windowMs / 1000} s`).join(', ')
    case 'UNKNOWN_ROUTE':
      return at === null ? refused.method : `${at.endpoint.method} ${at.endpoint.path}`
    case 'INSUFFICIENT_SCOPE':
      return caller?.kind === 'partner'
        ? `${at?.endpoint.scope ?? ''} of ${caller.scopes.join(', ')}`
        : (at?.endpoint.scope ?? null)
    case 'FAULT':
      return refused.fault
    case 'IDEMPOTENCY':
      return error.requestId === refused.requestId
        ? (refused.idempotencyKeys[0]?.slice(0, 100) ?? 'none')
        : `the response of ${error.requestId}`
    case 'RESOURCE':
      return at === null ? null : Object.values(at.params).join(', ') || null
    default:
      return step === 'STATE' ? null : (refused.seen[step as Check] ?? null)
  }
}

/** Every check with its result, and the rule of the one that failed. */
export function checksOf(
  refused: RefusedRequest,
  at: Matched | null,
): { checks: CheckRow[]; rule: string } {
  const failed = failedStep(refused)
  const steps = stepsOf(refused, at)
  if (!steps.includes(failed)) steps.push(failed)
  const place = steps.indexOf(failed)
  const checks = steps.map((step, index): CheckRow => {
    const result = index < place ? 'passed' : index === place ? 'failed' : 'not reached'
    return {
      check: step,
      title: titles[step][0],
      result,
      value: result === 'not reached' ? null : valueOf(step, refused, at),
    }
  })
  return { checks, rule: titles[failed][1] }
}

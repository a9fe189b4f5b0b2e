/** Operations of the document, built from the endpoint table with their texts and examples. */
import type { Endpoint, RateClass } from '../../api/endpoints/endpoint.ts'
import { classRates, type Rate } from '../../domain/limits/rates.ts'
import { type JsonSchema, referenceTo } from './components.ts'
import type { Examples, PublicOperation } from './examples/example.ts'
import { responses, requests } from './examples/examples.ts'
import { headersOf } from './headers.ts'
import { parametersOf } from './parameters.ts'
import { refusalsOf } from './refusals.ts'
import { tagOf } from './tags.ts'
import { partnerDescriptions } from './descriptions/partner-operations.ts'
import { sellerDescriptions } from './descriptions/seller-operations.ts'

const descriptions: Readonly<Record<PublicOperation, string>> = {
  ...partnerDescriptions,
  ...sellerDescriptions,
}

const rateText = ({ limit }: Rate, what: string) =>
  `${limit} ${what} in any minute, in addition to the key rate`

const rates: Readonly<Record<RateClass, string>> = {
  orders: rateText(classRates.orders, 'orders of an account'),
  downloads: rateText(classRates.downloads, 'downloads of an account'),
  uploads: rateText(classRates.uploads, 'uploads of a seller'),
}

/** An operation's scope, rate and idempotency from the table, in one line. */
function facts({ scope, rate, idempotent }: Endpoint): string {
  return [
    scope === null ? null : `**Scope** \`${scope}\``,
    rate === null ? null : `**Rate** ${rates[rate]}`,
    idempotent ? '**Idempotency-Key** accepted' : null,
  ]
    .filter((fact) => fact !== null)
    .join(' · ')
}

const json = (schema: JsonSchema, examples: Examples | undefined) => ({
  'application/json': { schema, ...(examples === undefined ? {} : { examples }) },
})

/** Descriptions for successes with several examples. */
const summariesOfSuccess: Readonly<Partial<Record<PublicOperation, string>>> = {
  listProducts: 'A page of the catalogue.',
  createOrder: 'The order: accepted, and paid.',
  getOrder: 'The order in its current state.',
  getOrderKeys: 'Every unit delivered so far.',
}

function successesOf(operation: PublicOperation, endpoint: Endpoint) {
  return Object.fromEntries(
    Object.entries(endpoint.responses).map(([status, answer]) => {
      const examples = responses[operation][Number(status)]
      const [only, more] = Object.values(examples ?? {})
      const description =
        more === undefined
          ? `${only?.summary}.`
          : (summariesOfSuccess[operation] ?? `${endpoint.summary}.`)
      const headers = headersOf(Number(status), endpoint)
      return [
        status,
        answer === null
          ? { description: 'Done; no body.', headers }
          : { description, headers, content: json(referenceTo(answer.strict), examples) },
      ]
    }),
  )
}

const bearer = {
  partner: [{ partnerKey: [] }, { partnerApiKey: [] }],
  seller: [{ sellerKey: [] }],
  dashboard: [],
}

/** One operation object. */
export function operationOf(operation: PublicOperation, endpoint: Endpoint): object {
  const { scope, body, bodyOptional, api, summary } = endpoint
  return {
    operationId: operation,
    tags: [tagOf(operation, endpoint)],
    summary,
    description: [descriptions[operation], facts(endpoint)]
      .filter((part) => part !== '')
      .join('\n\n'),
    ...(scope === null ? {} : { 'x-scope': scope }),
    security: bearer[api],
    parameters: parametersOf(operation, endpoint),
    ...(body === null
      ? {}
      : {
          requestBody: {
            required: !bodyOptional,
            content: json(referenceTo(body), requests[operation]),
          },
        }),
    responses: { ...successesOf(operation, endpoint), ...refusalsOf(operation, endpoint) },
  }
}

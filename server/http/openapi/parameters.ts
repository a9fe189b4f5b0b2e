/** Parameters of the document, each with a description and an example. */
import type { Endpoint } from '../../api/endpoints/endpoint.ts'
import { pathParameters } from '../../api/endpoints/endpoints.ts'
import { parameterSchema } from './components.ts'
import type { PublicOperation } from './examples/example.ts'
import { completedOrder, productId } from './examples/examples-partner.ts'

type Note = { readonly description: string; readonly example?: unknown }

const page: Note = { description: 'Number of the page, starting at 1.', example: 1 }
const limit: Note = { description: 'Maximum number of results on a page.', example: 50 }

/** Query parameters with the same meaning everywhere. */
const queryNotes: Readonly<Record<string, Note>> = {
  page,
  limit,
  // No example: the other examples together are a request that can be sent unchanged, and a cursor
  // can't be combined with them.
  cursor: {
    description:
      '`nextCursor` of an earlier response. Opaque, bound to the filters it was issued with, ' +
      'and not combinable with `page` or `updatedSince`.',
  },
  updatedSince: {
    description: 'Only products that changed at or after this time.',
    example: '2026-01-01T00:00:00Z',
  },
  inStock: {
    description: 'Only available products (true), or only unavailable ones (false).',
    example: true,
  },
  platform: { description: 'The platform, exactly as `GET /meta` names it.', example: 'Steam' },
  region: { description: 'The region, exactly as `GET /meta` names it.', example: 'Global' },
  productType: { description: 'The kind of product.', example: 'game' },
  deliveryType: {
    description:
      'The kind of delivery: a code, a gift link, account credentials or an activation link.',
    example: 'key',
  },
  search: {
    description: 'A part of the name, in any case, or an exact product id.',
    example: 'tide',
  },
  ids: {
    description:
      'Product ids separated by commas, at most 100. The parameter can also be repeated.',
    example: `${productId},prd_10178`,
  },
  includeRemoved: {
    description:
      'Include products that left the catalogue, with `removed: true`. Use it to keep a copy up to date.',
    example: true,
  },
  wait: {
    description: 'Seconds to wait for the order to be final before responding, in real time.',
    example: 5,
  },
  externalId: { description: 'Your own id for the order.', example: completedOrder.externalId },
  createdFrom: {
    description: 'Orders created at or after this time.',
    example: '2026-01-01T00:00:00Z',
  },
  createdTo: { description: 'Orders created before this time.', example: '2036-01-01T00:00:00Z' },
}

const statusNotes: Readonly<Partial<Record<PublicOperation, Note>>> = {
  listOrders: { description: 'Orders with this status.', example: 'completed' },
  listOffers: { description: 'Offers with this status.', example: 'active' },
  listDisputes: { description: 'Disputes with this status.', example: 'open' },
}

/** The `id` of a path, by the path segment before it. */
const idNotes: Readonly<Record<string, Note>> = {
  products: { description: 'Id of the product.', example: productId },
  orders: { description: 'Id of the order.', example: completedOrder.id },
  offers: { description: 'Id of the offer.', example: 'off_1kdvdne5kgkypnadny2k' },
  disputes: { description: 'Id of the dispute.', example: 'dsp_1kdvdna057a458zymmxa' },
}

function noted(note: Note | undefined, what: string): Note {
  if (note === undefined) throw new Error(`no description for ${what} in the OpenAPI document`)
  return note
}

const idempotencyKey = (operation: PublicOperation) => ({
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Identifies this request for 24 hours: printable ASCII, one value per action. ' +
    'Repeat it to get the first response again.',
  schema: { type: 'string', minLength: 8, maxLength: 100, pattern: '^[\\x20-\\x7E]*$' },
  example: operation === 'createOrder' ? 'shop-10042-order' : `${operation}-10042`,
})

/** All parameters of an operation. Throws if one has no description. */
export function parametersOf(operation: PublicOperation, endpoint: Endpoint): object[] {
  const path = pathParameters(endpoint.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    ...noted(idNotes[endpoint.path.split('/')[1] ?? ''], `${operation}, ${name}`),
  }))
  const query = Object.entries(endpoint.query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema: name === 'ids' ? { type: 'string' } : parameterSchema(schema),
    ...noted(
      name === 'status' ? statusNotes[operation] : queryNotes[name],
      `${operation}, ${name}`,
    ),
  }))
  return [...path, ...query, ...(endpoint.idempotent ? [idempotencyKey(operation)] : [])]
}

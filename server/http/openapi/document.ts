/** The OpenAPI 3.1 document of both APIs, written from the endpoint table. */
import type { Method } from '../../api/endpoints/endpoint.ts'
import { endpointOf, operationIds } from '../../api/endpoints/endpoints.ts'
import { componentSchemas } from './components.ts'
import type { PublicOperation } from './examples/example.ts'
import { commonInfo } from './info.ts'
import { headerComponents } from './headers.ts'
import { introduction } from './descriptions/introduction.ts'
import { operationOf } from './operations.ts'
import { tagGroups, tags } from './tags.ts'
import { webhooks } from './webhooks.ts'

const isPublic = (operation: (typeof operationIds)[number]): operation is PublicOperation =>
  endpointOf(operation).api !== 'dashboard'

/** The operations that the document describes, in the table's order. */
export const publicOperations: readonly PublicOperation[] = operationIds.filter(isPublic)

/** Paths below `/v1`; the seller's are below `/v1/seller`. */
function pathsOf() {
  const paths: Record<string, Partial<Record<Lowercase<Method>, object>>> = {}
  for (const operation of publicOperations) {
    const endpoint = endpointOf(operation)
    const path = endpoint.api === 'seller' ? `/seller${endpoint.path}` : endpoint.path
    const methods = (paths[path] ??= {})
    methods[endpoint.method.toLowerCase() as Lowercase<Method>] = operationOf(operation, endpoint)
  }
  return paths
}

const securitySchemes = {
  partnerKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'A partner key: `svc_test_…` or `svc_live_…`.',
  },
  partnerApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'The same partner key in the `X-Api-Key` header.',
  },
  sellerKey: { type: 'http', scheme: 'bearer', description: 'A seller key: `svcs_…`.' },
}

/** The document for a service at `origin`, a scheme and authority without a trailing slash. */
export function openApiDocument(origin: string) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Partner Ordering API and Seller Import API',
      ...commonInfo,
      summary:
        'Catalogue, orders and delivered keys for partners; offers, stock, sales and disputes for sellers.',
      description: introduction,
    },
    servers: [
      {
        url: `${origin}/v1`,
        description: 'This service. The prefix of the key selects live or test mode.',
      },
    ],
    tags,
    'x-tagGroups': tagGroups,
    paths: pathsOf(),
    webhooks: webhooks(),
    components: { securitySchemes, headers: headerComponents, schemas: componentSchemas() },
  }
}

/** Routes from the endpoint table: one for each operation that has a handler. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { payloadOf } from '../api/encode.ts'
import { apiRoots, type Endpoint } from '../api/endpoints/endpoint.ts'
import { endpointOf, operationIds } from '../api/endpoints/endpoints.ts'
import { ApiError } from '../api/errors.ts'
import type {
  ResultOf,
  BytesResponse,
  Call,
  EncodedResponse,
  Handlers,
  OperationId,
} from '../api/handlers.ts'
import { clientAddress } from './access/address.ts'
import { RequestCall, type PendingWaits } from './call.ts'
import { jsonContent, replayedHeader } from './refusals.ts'
import { parseRequest, type ParsedRequest } from './request/request-input.ts'
import type { Zone } from './access/zones.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    zone?: Zone
    endpoint?: Endpoint
  }
}

export type RoutePorts = {
  readonly handlers: Handlers
  /** Scheme and authority of the service. */
  readonly origin: () => string
  readonly waits: PendingWaits
}

type AnyAnswer = ResultOf<OperationId> | EncodedResponse | BytesResponse
type AnyHandler = (call: Call, input: ParsedRequest['input']) => AnyAnswer | Promise<AnyAnswer>

/** `/orders/{id}` in the router's syntax: `/orders/:id`. */
const routerPath = (endpoint: Endpoint): string =>
  apiRoots[endpoint.api] + endpoint.path.replace(/\{(\w+)\}/g, ':$1')

function send(operation: OperationId, answer: AnyAnswer, reply: FastifyReply): FastifyReply {
  const payload = payloadOf(operation, answer)
  reply.code(answer.status)
  if ('replayed' in answer) reply.header(replayedHeader, 'true')
  return payload === null ? reply.send() : reply.header('content-type', jsonContent).send(payload)
}

function registerOperation(
  app: FastifyInstance,
  operation: OperationId,
  handler: AnyHandler,
  ports: RoutePorts,
): void {
  const endpoint = endpointOf(operation)
  app.route({
    method: endpoint.method,
    url: routerPath(endpoint),
    config: { zone: endpoint.api, endpoint },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const { caller } = request
      if (caller === null) throw new ApiError('UNAUTHORIZED')
      const { input, idempotency } = parseRequest(endpoint, request)
      const address = clientAddress(request.raw.socket.remoteAddress)
      const call = new RequestCall(request, reply, {
        caller,
        address,
        origin: ports.origin(),
        idempotency,
        waits: ports.waits,
      })
      return send(operation, await handler(call, input), reply)
    },
  })
}

/**
 * Registers every operation that has a handler. An operation without one is an unknown route and
 * returns NOT_FOUND.
 */
export function registerRoutes(app: FastifyInstance, ports: RoutePorts): void {
  for (const operation of operationIds) {
    const handler = ports.handlers[operation]
    // The table pairs each handler with the schemas that parsed its input, and with the API that
    // admitted its caller.
    if (handler !== undefined)
      registerOperation(app, operation, handler as unknown as AnyHandler, ports)
  }
}

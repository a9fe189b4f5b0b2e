/** Requests to the operations of the endpoint table. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import createRouter from 'find-my-way'
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
import type { Log } from '../domain/ports/environment.ts'
import { clientAddress } from './access/address.ts'
import { RequestCall, type PendingWaits } from './call.ts'
import { jsonContent, refusalOf, replayedHeader } from './refusals.ts'
import { allProblems, parseRequest, type ParsedRequest } from './request/request-input.ts'
import type { Zone } from './access/zones.ts'

/** A row of the endpoint table. */
type Operation = { readonly id: OperationId; readonly endpoint: Endpoint }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The zone of a route outside of the endpoint table. */
    zone?: Zone
    /** The route of all operations. */
    operations?: true
  }
  interface FastifyRequest {
    /** The operation that it calls; null for other routes and unknown paths. */
    operation: Operation | null
  }
}

/** Largest request head that is read, and therefore the longest path parameter. */
export const MAX_HEAD_BYTES = 64 * 1024

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

/** The methods of requests to an endpoint: HEAD answers like GET without a body (Decision 43). */
const methodsOf = ({ method }: Endpoint): createRouter.HTTPMethod[] =>
  method === 'GET' ? ['GET', 'HEAD'] : [method]

/** The operations by method and path. All services of a process share it. */
const operations = createRouter({ maxParamLength: MAX_HEAD_BYTES })
const methods = new Set<createRouter.HTTPMethod>()
for (const id of operationIds) {
  const endpoint = endpointOf(id)
  for (const method of methodsOf(endpoint)) {
    methods.add(method)
    operations.on(method, routerPath(endpoint), () => undefined, { id, endpoint })
  }
}

/**
 * Sets the operation and the path parameters of a request. The operation stays null for a path that
 * no operation with a handler has.
 */
export function findOperation(request: FastifyRequest, handlers: Handlers): void {
  if (request.routeOptions.config.operations !== true) return
  const found = operations.find(request.method as createRouter.HTTPMethod, request.url)
  if (found === null) return
  const operation = found.store as Operation
  if (handlers[operation.id] === undefined) return
  request.operation = operation
  request.params = found.params
}

/**
 * The error of a refused request. A VALIDATION_ERROR lists each invalid field (Decision 9), also
 * those that the checks after its own would find.
 */
export function completeRefusal(
  error: unknown,
  { handlers, log }: Pick<RoutePorts, 'handlers'> & { log: Log },
  request: FastifyRequest,
): unknown {
  const { operation } = request
  const { code, message, details } = refusalOf(error)
  if (operation === null || code !== 'VALIDATION_ERROR' || !Array.isArray(details)) return error
  const check = handlers[operation.id]?.check
  try {
    return new ApiError(code, message, allProblems(details, operation.endpoint, request, check))
  } catch (defect) {
    log.error('the details of a refusal are incomplete', {
      requestId: request.id,
      error: defect instanceof Error ? defect.stack : String(defect),
    })
    return error
  }
}

/**
 * Registers one route for every operation: a route each would take a quarter of the time in which a
 * branch starts. {@link findOperation} must run before.
 */
export function registerRoutes(app: FastifyInstance, ports: RoutePorts): void {
  app.route({
    method: [...methods],
    url: '/*',
    exposeHeadRoute: false,
    config: { operations: true },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const { caller, operation } = request
      if (operation === null) throw new ApiError('NOT_FOUND')
      if (caller === null) throw new ApiError('UNAUTHORIZED')
      // The table pairs each handler with the schemas that parsed its input, and with the API that
      // admitted its caller.
      const handler = ports.handlers[operation.id] as unknown as AnyHandler
      const { input, idempotency } = parseRequest(operation.endpoint, request)
      const address = clientAddress(request.raw.socket.remoteAddress)
      const call = new RequestCall(request, reply, {
        caller,
        address,
        origin: ports.origin(),
        idempotency,
        waits: ports.waits,
      })
      return send(operation.id, await handler(call, input), reply)
    },
  })
}

import { setDefaultCACertificates } from 'node:tls'
import {
  ResponseError,
  NetworkError,
  ServiceError,
} from '../../../../server/api/client/client-errors.ts'
import { createCaller } from '../../../../server/api/client/client.ts'
import type { ClientOptions } from '../../../../server/api/client/client.ts'
import type { ProxyVariables } from '../../../platform/network.ts'
import type { Call } from '../../workers/workers.ts'
import { createTransport } from '../../service-client/service-client.ts'
import type { KeepAliveTransport } from '../../service-client/service-client.ts'
import { packFacts } from '../records/product-facts.ts'
import type { PackedFacts, ProductFacts } from '../records/product-facts.ts'
import {
  earlyCursor,
  partnerInput,
  partnerPage,
  sellerInput,
  sellerPage,
} from '../sync/page-source.ts'
import type { PartnerPage, SellerPage } from '../sync/page-source.ts'
import { parseFast } from '../records/fast-page-parser.ts'

/**
 * A page to fetch in another thread: by cursor from a partner's list, or by number from a seller's.
 */
export type PageRequest = { of: 'partner'; cursor: string | null } | { of: 'seller'; page: number }

/**
 * How a thread connects to the service. `authorities`: the certificate authorities to trust from
 * this request on, same as in the core's own thread. Null: no change.
 */
export type Route = { proxies: ProxyVariables | null; authorities: readonly string[] | null }

/**
 * The messages of the thread that fetches pages. `way` null: connect directly, with Node's own
 * certificate authorities. The result is the response without its products, which go to the writer
 * thread, or the failure. Progress: the cursor behind a page that is still being read, to be
 * confirmed once the next page has been requested or won't be requested early.
 */
export type FetcherCalls = {
  request: {
    pass: number
    wanted: PageRequest
    credentials: { key: string; baseUrl: string }
    way: Route | null
  }
  result:
    | { status: number; requestId: string | null; page: PartnerPage | SellerPage }
    | { failed: CarriedFailure }
  progress: string
}

/** Message from there to the writer thread. */
export type PageHandover = { pass: number; ticket: number; products: PackedFacts }

type CarriedFailure =
  | ({ kind: 'service' } & Pick<
      ServiceError,
      'code' | 'message' | 'status' | 'requestId' | 'details' | 'retryAfterMs'
    >)
  | ({ kind: 'answer' } & Pick<ResponseError, 'message' | 'status' | 'requestId' | 'retryAfterMs'>)
  | ({ kind: 'network' } & Pick<NetworkError, 'message' | 'sent'>)
  | { kind: 'defect'; message: string }

/** Errors lose their class between threads. */
function packFailure(error: unknown): CarriedFailure {
  if (error instanceof ServiceError) {
    const { code, message, status, requestId, details, retryAfterMs } = error
    return { kind: 'service', code, message, status, requestId, details, retryAfterMs }
  }
  if (error instanceof ResponseError)
    return {
      kind: 'answer',
      message: error.message,
      status: error.status,
      requestId: error.requestId,
      retryAfterMs: error.retryAfterMs,
    }
  if (error instanceof NetworkError)
    return { kind: 'network', message: error.message, sent: error.sent }
  return { kind: 'defect', message: error instanceof Error ? error.message : String(error) }
}

export function unpackFailure(failed: CarriedFailure): Error {
  switch (failed.kind) {
    case 'service':
      return new ServiceError(failed)
    case 'answer':
      return new ResponseError(failed.message, failed.status, failed.requestId, failed.retryAfterMs)
    case 'network':
      return new NetworkError(failed.message, failed.sent)
    case 'defect':
      return new Error(failed.message)
  }
}

/**
 * Fetches requested pages, hands their products to the writer thread and returns everything else.
 */
export function createPageFetcher(handOver: (page: PageHandover) => void) {
  let lastTicket = 0
  const transports = new Map<string, KeepAliveTransport>()
  function transportBy(way: Route | null): KeepAliveTransport {
    const name = JSON.stringify(way?.proxies)
    const known =
      transports.get(name) ??
      createTransport(
        way === null ? undefined : { proxyFor: async () => way.proxies, trust: () => 0 },
        { kept: true },
      )
    transports.set(name, known)
    return known
  }

  /**
   * Sends the request and reports the next cursor early. Parsing a page blocks this thread for
   * milliseconds, so it starts after the next page has been requested and the service works in
   * parallel.
   */
  const sendAhead =
    (
      transport: KeepAliveTransport,
      confirmed: (cursor: string) => Promise<void>,
    ): KeepAliveTransport =>
    async (request) => {
      let handled: Promise<void> | undefined
      const sent = await transport(request, (part) => {
        const ahead = earlyCursor(part.toString())
        if (ahead !== null) handled = confirmed(ahead)
      })
      await handled
      return sent
    }

  async function read(
    { wanted, credentials, way }: FetcherCalls['request'],
    { signal, confirmed }: Call<string>,
  ) {
    if (way?.authorities != null) setDefaultCACertificates(way.authorities)
    const transport = transportBy(way)
    if (wanted.of === 'partner') {
      let texts: Uint8Array[] | undefined
      const quick: ClientOptions<AbortSignal>['quick'] = (_operation, { text, bytes }) => {
        const known = bytes === undefined ? null : parseFast(text, bytes)
        texts = known?.texts
        return (known?.body as never) ?? null
      }
      const call = createCaller({ ...credentials, send: sendAhead(transport, confirmed), quick })
      const { status, requestId, body } = await call('listProducts', partnerInput(wanted.cursor), {
        signal,
      })
      return { status, requestId, page: partnerPage(body, texts) }
    }
    const call = createCaller({ ...credentials, send: transport })
    const { status, requestId, body } = await call('listSellerProducts', sellerInput(wanted.page), {
      signal,
    })
    return { status, requestId, page: sellerPage(body) }
  }

  return async function fetchPage(
    request: FetcherCalls['request'],
    call: Call<string>,
  ): Promise<FetcherCalls['result']> {
    try {
      const { status, requestId, page } = await read(request, call)
      const products: readonly ProductFacts[] = page.products
      const ticket = (lastTicket += 1)
      handOver({ pass: request.pass, ticket, products: packFacts(products) })
      return { status, requestId, page: { ...page, products: ticket } }
    } catch (error) {
      return { failed: packFailure(error) }
    }
  }
}

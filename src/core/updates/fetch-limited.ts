import type { IncomingMessage } from 'node:http'
import type { Network } from '../../platform/network.ts'
import { isLoopbackHost } from '../service-client/service-client.ts'
import { UpdateRefused } from './refused.ts'

const { Agent: HttpAgent, request: httpRequest } = process.getBuiltinModule('node:http')
const { Agent: HttpsAgent, request: httpsRequest } = process.getBuiltinModule('node:https')

/** The server or the network didn't deliver. Another try can succeed. */
class UpdateUnavailable extends Error {}

/** How long a server may send nothing, in milliseconds. */
const IDLE_MS = 30_000

/** Updates come encrypted, except from a server on this computer, with which an owner tries them. */
function assertEncrypted(address: URL): void {
  if (address.protocol === 'https:') return
  if (address.protocol !== 'http:' || !isLoopbackHost(address.hostname))
    throw new UpdateRefused('not-encrypted')
}

async function open(
  address: URL,
  network: Network | undefined,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const secure = address.protocol === 'https:'
  if (secure) network?.trust()
  const proxyEnv = secure ? ((await network?.proxyFor(address.href)) ?? {}) : {}
  const agent = secure ? new HttpsAgent({ proxyEnv }) : new HttpAgent({})
  return new Promise((resolve, reject) => {
    // No name, account or version of this installation is sent.
    const headers = { accept: 'application/octet-stream', 'accept-encoding': 'identity' }
    const request = (secure ? httpsRequest : httpRequest)(address, { agent, headers, signal })
    request.setTimeout(IDLE_MS, () => request.destroy(new Error('no response in time')))
    request.once('response', resolve).once('error', reject).end()
  })
}

/**
 * Fetches an address without following redirects and passes its bytes on. Throws
 * {@link UpdateRefused} when more than `most` bytes arrive, fewer than announced, or anything but a
 * plain answer of this server; {@link UpdateUnavailable} when there is none.
 *
 * @param limits `most`: of bytes; `patienceMs`: for the complete answer
 */
export async function fetchLimited(
  address: URL,
  limits: { most: number; patienceMs: number; network: Network | undefined; signal: AbortSignal },
  take: (bytes: Buffer) => Promise<void> | void,
): Promise<void> {
  assertEncrypted(address)
  const { most, network } = limits
  const signal = AbortSignal.any([limits.signal, AbortSignal.timeout(limits.patienceMs)])
  try {
    const response = await open(address, network, signal)
    try {
      await read(response, most, take)
    } finally {
      response.destroy()
    }
  } catch (error) {
    if (error instanceof UpdateRefused) throw error
    throw new UpdateUnavailable('The server for updates didn’t answer.', { cause: error })
  }
}

async function read(
  response: IncomingMessage,
  most: number,
  take: (bytes: Buffer) => Promise<void> | void,
): Promise<void> {
  const { statusCode = 0, headers } = response
  if (statusCode >= 300 && statusCode < 400) throw new UpdateRefused('redirected')
  if (statusCode !== 200) throw new UpdateUnavailable(`HTTP ${statusCode}`)
  const announced = headers['content-length']
  if (Number(announced ?? 0) > most) throw new UpdateRefused('too-large')
  let size = 0
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      size += part.length
      if (size > most) throw new UpdateRefused('too-large')
      await take(part)
    }
  } catch (error) {
    if (size > 0 && !response.complete && !(error instanceof UpdateRefused))
      throw new UpdateRefused('cut-off')
    throw error
  }
}

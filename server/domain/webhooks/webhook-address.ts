/**
 * Decides where events may be sent. Addresses in networks that only the service can reach are
 * excluded.
 */
import { BlockList, isIP, isIPv4 } from 'node:net'
import { createAddressKind } from '../../api/address-kind.ts'

export const addressKind = createAddressKind({ BlockList, isIP, isIPv4 })

/**
 * Whether an event may be sent to an address: https to any public address, and http or https to
 * this computer where that is allowed.
 */
export function mayReceive(protocol: string, address: string, loopbackAllowed: boolean): boolean {
  const kind = addressKind(address)
  return kind === 'loopback' ? loopbackAllowed : kind === 'public' && protocol === 'https:'
}

/** A URL's host without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

/**
 * The problem with a receiver's URL that its text alone reveals, or null. A host name is checked
 * when it is resolved.
 */
export function addressProblem(text: string, loopbackAllowed: boolean): string | null {
  const url = new URL(text)
  const host = hostOf(url)
  if (url.username !== '' || url.password !== '') return 'must not carry a user name or password'
  const local = host === 'localhost' || host.endsWith('.localhost')
  if (isIP(host) !== 0 || local) {
    return mayReceive(url.protocol, local ? '127.0.0.1' : host, loopbackAllowed)
      ? null
      : 'must be an https address that can be reached from outside'
  }
  return url.protocol === 'https:' ? null : 'must be an https address'
}

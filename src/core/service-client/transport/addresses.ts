import { BlockList, isIP, isIPv4 } from 'node:net'
import { createAddressKind } from '../../../../server/api/address-kind.ts'

const addressKind = createAddressKind({ BlockList, isIP, isIPv4 })

/** Whether an IP address is this computer's loopback. */
export const isLoopback = (address: string): boolean => addressKind(address) === 'loopback'

/** Whether an IP address is on the public internet. */
export const isPublic = (address: string): boolean => addressKind(address) === 'public'

/** Whether the host of a URL is this computer: `localhost` or a loopback address. */
export const isLoopbackHost = (hostname: string): boolean =>
  hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''))

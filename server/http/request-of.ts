import type { request } from 'node:http'

/**
 * The function that sends a request to an address. TLS is loaded only for an address that needs it,
 * because it takes several milliseconds of the start.
 */
export const requestOf = (url: URL): typeof request =>
  url.protocol === 'https:'
    ? process.getBuiltinModule('node:https').request
    : process.getBuiltinModule('node:http').request

/** How features poll the service: at a cadence that follows what users are viewing. */
export { startPolling as keepPolling } from './keep-polling.ts'
export { createAttention } from './attention.ts'
export { pollSellers as watchSellers } from './watch-sellers.ts'
export { readNewest } from './newest-first.ts'
export type { ListingState } from './newest-first.ts'

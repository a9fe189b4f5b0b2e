/** How features poll the service: at a cadence that follows what users are viewing. */
export { keepPolling } from './keep-polling.ts'
export { createAttention } from './attention.ts'
export { watchSellers } from './watch-sellers.ts'
export { readNewest } from './newest-first.ts'
export type { ListingState } from './newest-first.ts'

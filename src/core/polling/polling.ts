/**
 * How features read from the service again and again: at a cadence that follows what people look
 * at.
 */
export { keepPolling } from './keep-polling.ts'
export { createAttention } from './attention.ts'
export { watchSellers } from './watch-sellers.ts'
export { readNewest } from './newest-first.ts'
export type { ListingState } from './newest-first.ts'

/** How features poll the service: at a cadence that follows what users are viewing. */
export { startPolling } from './poll-topic.ts'
export { createAttention } from './attention.ts'
export { pollSellers } from './poll-sellers.ts'
export { createListingStore } from './listing-store.ts'
export { readNewest } from './newest-first.ts'
export type { ListingState } from './newest-first.ts'

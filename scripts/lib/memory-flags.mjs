/*
 * V8 lets the heap for new objects grow to 134 MB, which the core fills while it syncs a large shop.
 * A quarter of that needs no more processor time. `resources/linux/keydesk` has the same flag.
 */
export const memoryFlags = ['--max-semi-space-size=16']

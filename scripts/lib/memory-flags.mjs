/*
 * V8 lets the heap for new objects grow to 134 MB, which the core fills while it syncs a large shop.
 * A quarter of that needs no more processor time. It also lets the heap for old objects grow by
 * more than half before it collects them; with 40 % the core needs a tenth less memory and as much
 * processor time. `resources/linux/keydesk` has the same flags.
 */
export const memoryFlags = ['--max-semi-space-size=16', '--heap-growing-percent=40']

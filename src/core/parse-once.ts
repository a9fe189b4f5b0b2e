/**
 * The context of a schema that is used once or twice in a process, such as for a small file at the
 * start: generating a parser for it takes longer than all its uses without one.
 */
export const parseOnce = { jitless: true } as const

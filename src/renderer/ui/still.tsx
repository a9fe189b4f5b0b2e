import { memo, type ReactNode } from 'react'

interface StillProps {
  /** Every value that the children show or use in their handlers. */
  by: readonly unknown[]
  children: ReactNode
}

/**
 * Renders its children only when one of `by` has changed. Use it around the content next to a long
 * table: the page renders for each window of rows that arrives, many times per second during a fast
 * scroll.
 */
export const Still = memo(
  ({ children }: StillProps) => children,
  (before, after) =>
    before.by.length === after.by.length &&
    before.by.every((each, at) => Object.is(each, after.by[at])),
)

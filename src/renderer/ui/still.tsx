import { memo, type ReactNode } from 'react'

interface StillProps {
  /** All that the children show, and all that what they do takes from the page. */
  by: readonly unknown[]
  children: ReactNode
}

/**
 * Draws its children anew only when one of `by` changed. For what stands around a long table: its
 * page is drawn with every window of rows that arrives, and while the table scrolls fast these are
 * many a second.
 */
export const Still = memo(
  ({ children }: StillProps) => children,
  (before, after) =>
    before.by.length === after.by.length &&
    before.by.every((each, at) => Object.is(each, after.by[at])),
)

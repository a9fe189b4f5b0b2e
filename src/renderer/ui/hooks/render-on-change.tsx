import { memo, type ReactNode } from 'react'

interface RenderOnChangeProps {
  /** Every value that the children show or use in their handlers. */
  of: readonly unknown[]
  children: ReactNode
}

/**
 * Renders its children only when one of `of` has changed. Use it around the content next to a long
 * table: the page renders for each window of rows that arrives, many times per second during a fast
 * scroll.
 */
export const RenderOnChange = memo(
  ({ children }: RenderOnChangeProps) => children,
  (before, after) =>
    before.of.length === after.of.length &&
    before.of.every((each, at) => Object.is(each, after.of[at])),
)

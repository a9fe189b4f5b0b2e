import { useCallback, useState } from 'react'

/** The lines whose maximum price is typed but isn't a price, by their ids. */
export interface WrongMaximums {
  has: (lineId: number) => boolean
  mark: (lineId: number, isWrong: boolean) => void
}

/** Keeps an order from being placed with another maximum than the field of a line shows. */
export function useWrongMaximums(): WrongMaximums {
  const [wrong, setWrong] = useState<ReadonlySet<number>>(new Set())
  const mark = useCallback(
    (lineId: number, isWrong: boolean): void =>
      setWrong((before) => {
        if (before.has(lineId) === isWrong) return before
        return isWrong ? new Set([...before, lineId]) : before.difference(new Set([lineId]))
      }),
    [],
  )
  return { has: (lineId) => wrong.has(lineId), mark }
}

import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { useAccount } from '../../lib/account/current-account.ts'
import { setListSettings } from '../../ui/table/saved/list-settings.ts'
import styles from './today.module.css'

/** A page, and the filters of its list that select exactly what a number counted. */
export interface Place {
  path: string
  list?: { tableId: string; look: Readonly<Record<string, unknown>> }
}

/** Opens a page with its list filtered. */
export function useOpenPlace(): (place: Place) => void {
  const { id } = useAccount()
  const [, go] = useLocation()
  return ({ path, list }) => {
    if (list !== undefined) setListSettings(list.tableId, id, list.look)
    go(path)
  }
}

/** A number, or a text with one, that leads to the records that it counts. */
export function NumberLink({ place, children }: { place: Place; children: ReactNode }) {
  const open = useOpenPlace()
  return (
    <a
      href={`#${place.path}`}
      className={styles.number}
      onClick={(event) => {
        event.preventDefault()
        open(place)
      }}
    >
      {children}
    </a>
  )
}

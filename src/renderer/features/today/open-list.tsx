import type { ReactNode } from 'react'
import { useAccount } from '../../lib/account/current-account.ts'
import { useRequestedPage } from '../../lib/requested-page.ts'
import { setListSettings } from '../../ui/table/saved/list-settings.ts'
import styles from './today.module.css'

/** A page, and the filters of its list that select exactly what a number counted. */
export interface Place {
  path: string
  list?: { tableId: string; look: Readonly<Record<string, unknown>> }
}

/** Opens a page of the surrounding account with its list filtered, and switches to that account. */
export function useOpenPlace(): (place: Place) => void {
  const { id: accountId } = useAccount()
  return ({ path, list }) => {
    if (list !== undefined) setListSettings(list.tableId, accountId, list.look)
    useRequestedPage.setState({ place: { accountId, path } })
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

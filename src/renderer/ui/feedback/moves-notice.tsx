import type { ReactNode } from 'react'
import { t } from '../../../contract/localization/localized.ts'
import { Button } from '../controls/buttons/button.tsx'
import styles from './moves-notice.module.css'
import type { Move } from './moves.ts'
import { Notice } from './notice.tsx'

/** Most changes shown. */
const MOST_SHOWN = 5

/**
 * What changed in a dialog since it was read, old → new. Its main button does nothing until the
 * person accepts the change, and then needs a new press.
 */
export function MovesNotice({
  moves,
  onAccept,
  children = null,
}: {
  moves: readonly Move[]
  onAccept: () => void
  /** What may have caused the change. */
  children?: ReactNode
}) {
  const rest = moves.length - MOST_SHOWN
  return (
    <div className={styles.place}>
      <Notice
        tone="warn"
        title="Changed while this was open."
        action={<Button onClick={onAccept}>Use these</Button>}
      >
        {children} Check it before you confirm.
        <ul className={styles.moves}>
          {moves.slice(0, MOST_SHOWN).map(({ from, to, percent }) => (
            <li key={`${from} ${to}`}>
              {from === null ? 'New:' : <s>{from}</s>} {from !== null && to !== null ? '→ ' : null}
              <b>{to ?? 'no longer'}</b>
              {percent === null ? null : ` (${percent})`}
            </li>
          ))}
          {rest > 0 ? <li>{t('screens.moves-more', { count: rest })}</li> : null}
        </ul>
      </Notice>
    </div>
  )
}

import { Delayed } from '../../ui/feedback/delayed.tsx'
import { ProgressRing } from '../../ui/feedback/progress-ring.tsx'
import styles from '../shell/shell.module.css'

/** Shown while a page's code loads: only if it is opened before it is preloaded. */
export function PageLoading() {
  return (
    <Delayed>
      <p className={styles.loading} role="status">
        <ProgressRing label="Loading" />
        Opening the page
      </p>
    </Delayed>
  )
}

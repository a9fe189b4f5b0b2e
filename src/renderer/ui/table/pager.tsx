import { Button } from '../controls/buttons/button.tsx'
import { formatCount } from '../format.ts'
import styles from './pager.module.css'

/**
 * Newer and older buttons of a paged list. Hidden if there is only one page. A page that fails to
 * load, or that no longer exists, still leads back to the newer ones.
 */
export function Pager({
  page,
  size,
  total,
  onPage,
  flush = false,
}: {
  page: number
  size: number
  /** The number of all rows; undefined while it isn't known. */
  total: number | undefined
  onPage: (page: number) => void
  /** For a section that already has space around its content. */
  flush?: boolean
}) {
  const pages = total === undefined ? null : Math.ceil(total / size)
  if (page <= 1 && (pages === null || pages <= 1)) return null
  return (
    <div className={styles.pager} data-flush={flush || undefined}>
      <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Newer
      </Button>
      <span>
        {formatCount(page)}
        {pages === null ? null : ` of ${formatCount(Math.max(1, pages))}`}
      </span>
      <Button disabled={pages === null || page >= pages} onClick={() => onPage(page + 1)}>
        Older
      </Button>
    </div>
  )
}

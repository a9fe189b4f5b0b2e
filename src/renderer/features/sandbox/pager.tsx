import { Button } from '../../ui/controls/buttons/button.tsx'
import { formatCount } from '../../ui/format.ts'
import styles from './sandbox.module.css'

/** Newer and older buttons of a paged list. Hidden if there is only one page. */
export function Pager({
  page,
  size,
  total,
  onPage,
}: {
  page: number
  size: number
  total: number
  onPage: (page: number) => void
}) {
  const pages = Math.ceil(total / size)
  if (pages <= 1) return null
  return (
    <div className={styles.foot}>
      <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Newer
      </Button>
      <span>
        {formatCount(page)} of {formatCount(pages)}
      </span>
      <Button disabled={page >= pages} onClick={() => onPage(page + 1)}>
        Older
      </Button>
    </div>
  )
}

import { Button } from '../controls/buttons/button.tsx'
import { formatCount } from '../format.ts'

/**
 * The buttons of a dialog with a result per line: the lines as CSV, another try for the failed ones,
 * and the focused Close.
 *
 * @param props.asks whether the retry asks before it sends
 */
export function ResultActions({
  failed,
  asks = false,
  onExport,
  onRetry,
  onClose,
}: {
  failed: number
  asks?: boolean
  onExport: () => void
  onRetry: () => void
  onClose: () => void
}) {
  return (
    <>
      <Button size="md" onClick={onExport}>
        Export CSV
      </Button>
      {failed === 0 ? null : (
        <Button size="md" onClick={onRetry}>
          Retry {formatCount(failed)}
          {asks ? '…' : ''}
        </Button>
      )}
      <Button size="md" kind="primary" keys={['Esc']} data-autofocus onClick={onClose}>
        Close
      </Button>
    </>
  )
}

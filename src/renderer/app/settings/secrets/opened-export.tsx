import { t } from '../../../../contract/localization/localized.ts'
import { useEffect } from 'react'
import type { OpenedExport } from '../../../../contract/app/vault.ts'
import { copySecret } from '../../../lib/clipboard.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { formatCount, formatFullMoment } from '../../../ui/format.ts'
import { MaskedKey } from '../../../ui/data-display/identity/masked-key.tsx'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import styles from '../settings.module.css'

const most = 500

/**
 * The keys of an opened export, masked and revealed one at a time. The core closes the export when
 * this dialog closes and when the vault locks.
 */
export function OpenedExportDialog({
  opened,
  onClose,
}: {
  opened: OpenedExport
  onClose: () => void
}) {
  useEffect(() => {
    window.addEventListener('keydesk:lock', onClose)
    return () => window.removeEventListener('keydesk:lock', onClose)
  }, [onClose])
  const close = (): void => {
    void rpc.vault.closeExport().catch(() => {})
    onClose()
  }
  const read = async (index: number): Promise<string> => {
    try {
      return (await rpc.vault.revealExported({ exportId: opened.exportId, index })).value
    } catch (error) {
      toastProblem(problemOf(error), null)
      throw error
    }
  }
  const { entries } = opened
  return (
    <Dialog
      opened
      onClose={close}
      closable
      width={760}
      title={`${t('counts.keys', { count: entries.length })} in this export`}
      lead={`Exported on ${formatFullMoment(opened.exportedAt)}. Nothing is saved on this computer.`}
    >
      <div className={styles.exported}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Account</th>
              <th scope="col">Belongs to</th>
              <th scope="col">Key</th>
            </tr>
          </thead>
          <tbody>
            {entries.slice(0, most).map((entry) => (
              <tr key={entry.index}>
                <td>{entry.account}</td>
                <td className="kd-mono">{entry.about}</td>
                <td>
                  <MaskedKey
                    masked={entry.masked}
                    label={`key ${entry.index + 1}`}
                    onReveal={() => read(entry.index)}
                    onCopy={async () => copySecret('Key copied', await read(entry.index))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {entries.length > most ? (
        <p className={styles.text}>Only the first {formatCount(most)} are shown.</p>
      ) : null}
    </Dialog>
  )
}

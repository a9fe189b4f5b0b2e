import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { IconEye, IconEyeOff, IconWand } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type {
  ImportFile,
  LineOutcome,
  LineReason,
} from '../../../../contract/keys/import-records.ts'
import { api } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { formatCount } from '../../../ui/format.ts'
import { Mark } from '../../../ui/data-display/identity/mark.tsx'
import shared from '../key-import.module.css'
import styles from './check.module.css'
import { cleanedLabels, isCleaning, reasonLabels } from '../labels.ts'

const outcomeLabels: Record<LineOutcome, string> = {
  ready: 'Ready',
  'no-offer': 'No offer yet',
  duplicate: 'Skipped',
  refused: 'Rejected',
  'set-aside': 'Set aside',
}

/**
 * The first lines of a file with their outcome. Keys are masked; revealing shows them for 30
 * seconds.
 */
export function FirstLines({ importId, file }: { importId: string; file: ImportFile }) {
  const [revealed, setRevealed] = useState(false)
  const lines = useQuery({
    ...api.imports.lines.queryOptions({
      input: { importId, fileId: file.fileId, limit: 50, reveal: revealed },
    }),
    placeholderData: keepPreviousData,
    enabled: file.state === 'checked',
    gcTime: revealed ? 0 : 60_000,
  })
  useEffect(() => {
    if (!revealed) return
    const hide = (): void => setRevealed(false)
    const timer = setTimeout(hide, 30_000)
    window.addEventListener('blur', hide)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('blur', hide)
    }
  }, [revealed])
  if (file.state !== 'checked' || lines.data === undefined || lines.data.rows.length === 0)
    return null
  return (
    <>
      <div className={styles.linesHead}>
        <b>First lines</b>
        <span>{revealed ? 'hidden after 30 s' : 'masked'}</span>
        <Button
          kind="quiet"
          icon={
            revealed ? <IconEyeOff size={16} stroke={1.6} /> : <IconEye size={16} stroke={1.6} />
          }
          onClick={() => setRevealed(!revealed)}
        >
          {revealed ? 'Hide' : 'Reveal'}
        </Button>
      </div>
      <table className={`${shared.table ?? ''} ${styles.lineList ?? ''}`} aria-label="First lines">
        <thead>
          <tr>
            <th scope="col" className={shared.end}>
              Line
            </th>
            <th scope="col">Key</th>
            <th scope="col">Offer</th>
            <th scope="col">Outcome</th>
          </tr>
        </thead>
        <tbody>
          {lines.data.rows.map((row) => (
            <tr key={row.line}>
              <td className={shared.end}>
                <span className={shared.grey}>{formatCount(row.line)}</span>
              </td>
              <td className={`kd-mono ${row.fate === 'refused' ? (styles.bad ?? '') : ''}`}>
                {row.key}
              </td>
              <td className={styles.second}>{row.offerName ?? '–'}</td>
              <td title={row.reasons.map((reason) => reasonLabels[reason].title).join(', ')}>
                <Outcome fate={row.fate} reasons={row.reasons} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function Outcome({ fate, reasons }: { fate: LineOutcome; reasons: readonly LineReason[] }) {
  const isDoubted = reasons.some((reason) => !isCleaning(reason) && reason !== 'no-offer')
  const told = reasons
    .filter((reason) => reason !== 'no-offer')
    .map((reason) => cleanedLabels[reason] ?? reasonLabels[reason].title.toLowerCase())
  const isCleaned = fate === 'ready' && !isDoubted && told.length > 0
  return (
    <span className={styles.verdict} data-fate={fate}>
      {isCleaned ? (
        <IconWand size={14} stroke={1.6} aria-hidden />
      ) : (
        <Mark
          kind={
            fate === 'ready'
              ? told.length === 0
                ? 'ok'
                : 'warn'
              : fate === 'refused'
                ? 'bad'
                : fate === 'duplicate'
                  ? 'skip'
                  : 'warn'
          }
          size={13}
        />
      )}
      {[outcomeLabels[fate], ...told].join(', ')}
    </span>
  )
}

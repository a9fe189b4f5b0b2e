import { t } from '../../../../contract/localization/localized.ts'
import { IconFileSpreadsheet, IconFileText, IconPhoto } from '@tabler/icons-react'
import type { ImportFile } from '../../../../contract/keys/import-records.ts'
import { formatBytes } from '../../../ui/format.ts'
import { Mark } from '../../../ui/data-display/identity/mark.tsx'
import { ProgressRing } from '../../../ui/feedback/progress-ring.tsx'
import { DropZone } from '../start/drop-zone.tsx'
import styles from './check.module.css'

export interface FileListProps {
  files: readonly ImportFile[]
  chosen: string | null
  onChoose: (fileId: string) => void
  onFiles: (files: File[]) => void
}

/** The files of an import, each with its state. */
export function FileList({ files, chosen, onChoose, onFiles }: FileListProps) {
  return (
    <section className={styles.files} aria-label="Files">
      <h2>Files</h2>
      <ul>
        {files.map((file) => (
          <li key={file.fileId}>
            <button
              type="button"
              aria-current={file.fileId === chosen}
              onClick={() => onChoose(file.fileId)}
            >
              {file.kind === 'pictures' ? (
                <IconPhoto size={16} stroke={1.6} aria-hidden />
              ) : file.settings.form === 'table' ? (
                <IconFileSpreadsheet size={16} stroke={1.6} aria-hidden />
              ) : (
                <IconFileText size={16} stroke={1.6} aria-hidden />
              )}
              <span>
                <b title={file.name}>{nameOf(file)}</b>
                <small>{detailOf(file)}</small>
              </span>
              <State file={file} />
            </button>
          </li>
        ))}
      </ul>
      <DropZone onFiles={onFiles} />
    </section>
  )
}

/** Appends the sheet's name if the workbook has several. */
const nameOf = (file: ImportFile): string =>
  file.sheets.length > 1
    ? `${file.name} · ${file.sheets[file.settings.sheet]?.name ?? ''}`
    : file.name

function detailOf(file: ImportFile): string {
  if (file.state === 'receiving' && file.problem !== null) return file.problem.what
  if (file.state === 'receiving')
    return `${formatBytes(file.received)} of ${formatBytes(file.size)}`
  if (file.state === 'checking') return `checking, ${t('counts.lines', { count: file.lines })}`
  if (file.state === 'failed') return file.problem?.what ?? 'can’t be read'
  if (file.kind === 'pictures')
    return `${t('counts.pictures', { count: file.lines })} · one key each`
  // After a restart the targets are unknown until the vault is open.
  if (file.targets.length === 0) return t('counts.lines', { count: file.lines })
  const where =
    file.settings.offerColumn !== null
      ? 'by column'
      : file.targets[0]?.offerId == null
        ? 'no offer yet'
        : file.logins
          ? 'login:password'
          : 'one offer'
  return `${t('counts.lines', { count: file.lines })} · ${where}`
}

/** Why a checked file needs a look; null if it doesn't. */
function doubtAbout({ targets, counts }: ImportFile): string | null {
  if (targets.some((target) => target.offerId === null && target.matchedBy !== 'chosen'))
    return 'Needs an offer'
  if (counts === null) return null
  if (counts.setAside > 0) return t('screens.imports-set-aside', { count: counts.setAside })
  if (counts.ready === 0) return 'No line is ready'
  return counts.unusual === counts.ready ? 'Every line has an unusual format' : null
}

function State({ file }: { file: ImportFile }) {
  if (file.state === 'failed') return <Mark kind="bad" label="Can’t be read" />
  if (file.state !== 'checked')
    return (
      <ProgressRing
        label="Checking"
        share={file.state === 'receiving' && file.size > 0 ? file.received / file.size : null}
      />
    )
  const doubt = doubtAbout(file)
  return doubt === null ? <Mark kind="ok" label="Checked" /> : <Mark kind="warn" label={doubt} />
}

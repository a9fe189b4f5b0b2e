import {
  IconAlertCircleFilled,
  IconCircleCheckFilled,
  IconCircleXFilled,
  IconCopy,
} from '@tabler/icons-react'
import type { CheckedFile, RecoveryState } from '../../../contract/app/recovery.ts'
import { ProgressRing } from '../../ui/feedback/progress-ring.tsx'
import { formatBytes } from '../../ui/format.ts'
import styles from './recovery-page.module.css'
import { fileWords, stateWords } from './recovery-text.ts'

/** Whether the file can be downloaded from the service again. */
const isReplaceable = ({ holds }: CheckedFile): boolean =>
  holds === 'mirror' || holds === 'catalogue'

/** Every file of the data folder with its state, the worst last. */
export function CheckedFiles({ state }: { state: RecoveryState }) {
  return (
    <section className={styles.files} aria-label="Your data">
      <h2>Your data</h2>
      {state.accounts.length === 0 ? null : (
        <p className={styles.text}>
          Accounts in the safety copy: {state.accounts.join(', ')}. API keys are in the system
          keychain.
        </p>
      )}
      <ul>
        {state.files.map((file) => (
          <FileRow key={file.path} file={file} />
        ))}
      </ul>
      <p className={styles.kept}>
        <IconCopy size={15} stroke={1.6} aria-hidden />A damaged file is never deleted: Keydesk
        keeps it in {state.dataFolder} under a name with its time.
      </p>
    </section>
  )
}

function FileRow({ file }: { file: CheckedFile }) {
  const { name, text } = fileWords[file.holds]
  return (
    <li className={styles.file}>
      <StateIcon file={file} />
      <div>
        <b>{file.account === null ? name : `${name} of ${file.account}`}</b>
        <span className={styles.text}>
          {file.state === 'ok' || isReplaceable(file)
            ? text
            : `${file.path}, ${formatBytes(file.bytes)}.`}
        </span>
      </div>
      <span className={styles.state} data-state={file.state === 'ok' ? undefined : file.state}>
        {stateWords[file.state]}
      </span>
    </li>
  )
}

function StateIcon({ file }: { file: CheckedFile }) {
  if (file.state === 'checking') return <ProgressRing size={16} label="Checking" />
  if (file.state === 'ok')
    return <IconCircleCheckFilled size={16} color="var(--kd-ok)" aria-hidden />
  return isReplaceable(file) || file.state === 'empty' ? (
    <IconAlertCircleFilled size={16} color="var(--kd-warn)" aria-hidden />
  ) : (
    <IconCircleXFilled size={16} color="var(--kd-bad)" aria-hidden />
  )
}

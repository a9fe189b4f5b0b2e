import { IconWand } from '@tabler/icons-react'
import type { Import } from '../../../contract/imports.ts'
import { formatCount } from '../../ui/format.ts'
import { Mark } from '../../ui/mark.tsx'
import styles from './key-import.module.css'
import { fateOf, isCleaning, reasonWords } from './words.ts'

type Found = Import['problems'][number]

/** What looks wrong in all files: reason, count, what becomes of those lines, and the first of them. */
export function Problems({ work }: { work: Import }) {
  return (
    // It scrolls by itself and holds nothing to press: the keyboard reaches it by Tab.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={styles.problems} aria-label="What looks wrong" tabIndex={0}>
      <h2>What looks wrong<span>in all files</span></h2>
      {work.problems.length === 0 ? <p className={styles.nothing}>{work.sums.read === 0 ? 'Nothing is checked yet.' : 'Nothing. Every line is as it should be.'}</p> : null}
      <ul>{work.problems.map((found) => <ProblemRow key={`${found.reason}-${found.fate}`} found={found} state={work.state} isOneFile={work.files.length === 1} />)}</ul>
    </section>
  )
}

function ProblemRow({ found, state, isOneFile }: { found: Found; state: Import['state']; isOneFile: boolean }) {
  const words = reasonWords[found.reason]
  const shown = found.fate === 'refused' ? found.examples.slice(0, 3) : []
  return (
    <li>
      <span className={styles.problemIcon}>
        {isCleaning(found.reason) ? <IconWand size={15} stroke={1.6} aria-hidden /> : <Mark kind={found.fate === 'refused' ? 'bad' : found.fate === 'duplicate' ? 'skip' : 'warn'} size={15} />}
      </span>
      <div className={styles.problemText}>
        <div><b>{words.title}</b><b>{formatCount(found.count)}</b></div>
        <div><span>{found.reason === 'no-offer' && state !== 'draft' ? 'Drop the file again to send them' : words.text}</span><span>{fateOf(found, state)}</span></div>
        {shown.length === 0 ? null : (
          <table className={styles.examples}><tbody>
            {shown.map((example) => <tr key={`${example.file}-${example.line}`}><td>{isOneFile ? formatCount(example.line) : `${example.file}, ${formatCount(example.line)}`}</td><td className="kd-mono">{found.reason === 'blank' || example.shown === '' ? '(nothing)' : example.shown}</td></tr>)}
          </tbody></table>
        )}
      </div>
    </li>
  )
}

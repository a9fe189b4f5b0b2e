import { IconWand } from '@tabler/icons-react'
import type { Import } from '../../../contract/imports.ts'
import { formatCount } from '../../ui/format.ts'
import { Mark } from '../../ui/mark.tsx'
import styles from './key-import.module.css'
import { fateWords, reasonWords } from './words.ts'

type Found = Import['problems'][number]

/** What looks wrong in all files: reason, count, what becomes of those lines, and the first of them. */
export function Problems({ work }: { work: Import }) {
  return (
    <section className={styles.problems} aria-label="What looks wrong">
      <h2>What looks wrong<span>in all files</span></h2>
      {work.problems.length === 0 ? <p className={styles.nothing}>{work.sums.read === 0 ? 'Nothing is checked yet.' : 'Nothing. Every line is as it should be.'}</p> : null}
      <ul>{work.problems.map((found) => <ProblemRow key={`${found.reason}-${found.fate}`} found={found} isOneFile={work.files.length === 1} />)}</ul>
    </section>
  )
}

function ProblemRow({ found, isOneFile }: { found: Found; isOneFile: boolean }) {
  const words = reasonWords[found.reason]
  const shown = found.fate === 'refused' ? found.examples.slice(0, 3) : []
  return (
    <li>
      <span className={styles.problemIcon}>
        {found.reason === 'cleaned' ? <IconWand size={15} stroke={1.6} aria-hidden /> : <Mark kind={found.fate === 'refused' ? 'bad' : found.fate === 'duplicate' ? 'skip' : 'warn'} size={15} />}
      </span>
      <div className={styles.problemText}>
        <div><b>{words.title}</b><b>{formatCount(found.count)}</b></div>
        <div><span>{words.text}</span><span>{found.reason === 'cleaned' ? 'cleaned' : fateWords[found.fate]}</span></div>
        {shown.length === 0 ? null : (
          <table className={styles.examples}><tbody>
            {shown.map((example) => <tr key={`${example.file}-${example.line}`}><td>{isOneFile ? formatCount(example.line) : `${example.file}, ${formatCount(example.line)}`}</td><td className="kd-mono">{found.reason === 'blank' || example.shown === '' ? '(nothing)' : example.shown}</td></tr>)}
          </tbody></table>
        )}
      </div>
    </li>
  )
}

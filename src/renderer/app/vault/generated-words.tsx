import { SegmentedControl } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { IconCopy, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { wordCounts } from '../../../contract/app/passphrases.ts'
import type { WordCount } from '../../../contract/app/passphrases.ts'
import { copySecret } from '../../lib/clipboard.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { rpc } from '../../lib/core/rpc.ts'
import { Button, IconButton } from '../../ui/controls/buttons/button.tsx'
import { toastProblem } from '../../ui/feedback/toasts.tsx'
import { formatCount } from '../../ui/format.ts'
import styles from './passphrase-fields.module.css'

const USUAL: WordCount = 6
const icon = { size: 14, stroke: 1.6 }

/** Offers a passphrase of random words. They are shown only here, and forgotten with the dialog. */
export function GeneratedWords({ onUse }: { onUse: (passphrase: string) => void }) {
  const [count, setCount] = useState<WordCount>(USUAL)
  const generate = useMutation({
    mutationFn: (words: WordCount) => rpc.passphrases.generate({ words }),
    onSuccess: ({ words }) => onUse(words.join(' ')),
    onError: (error) => toastProblem(problemOf(error), null),
    gcTime: 0,
  })
  const { data } = generate
  if (data === undefined)
    return (
      <div>
        <Button busy={generate.isPending} onClick={() => generate.mutate(count)}>
          Generate words
        </Button>
      </div>
    )
  const choose = (wanted: string): void => {
    const chosen = wordCounts.find((each) => String(each) === wanted) ?? USUAL
    setCount(chosen)
    generate.mutate(chosen)
  }
  return (
    <section className={styles.generated} aria-label="Generated words">
      <div className={styles.head}>
        <h3>Generated words</h3>
        <SegmentedControl
          size="xs"
          aria-label="Number of words"
          value={String(count)}
          data={wordCounts.map(String)}
          onChange={choose}
        />
        <span className={styles.tools}>
          <IconButton label="Generate other words" onClick={() => generate.mutate(count)}>
            <IconRefresh {...icon} />
          </IconButton>
          <IconButton
            label="Copy the words"
            onClick={() =>
              void copySecret('Words copied', data.words.join(' ')).catch((error: unknown) =>
                toastProblem(problemOf(error), null),
              )
            }
          >
            <IconCopy {...icon} />
          </IconButton>
        </span>
      </div>
      <ol>
        {data.words.map((word, index) => (
          <li key={`${index} ${word}`} className="kd-mono">
            {word}
          </li>
        ))}
      </ol>
      <p>
        {data.bits} bits, chosen at random on this computer from {formatCount(data.listed)} words.
        Write them on paper: no one can reset a passphrase.
      </p>
    </section>
  )
}

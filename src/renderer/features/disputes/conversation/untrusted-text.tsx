import { memo, useMemo, useState } from 'react'
import { LinkButton } from '../../../ui/controls/buttons/button.tsx'
import { formatCount } from '../../../ui/format.ts'
import { saveText } from '../../../lib/save-file.ts'
import styles from './conversation.module.css'
import { partsOf, piecesOf } from './text-parts.ts'
import { safeText } from '../words.ts'

/** Parts shown on request; a longer text is easier to read as a file. */
const MOST_PARTS = 10

/** One part; the parts before it aren't rendered again. */
const Part = memo(function Part({ text }: { text: string }) {
  return (
    <p>
      {piecesOf(safeText(text)).map((piece, at) =>
        piece.isPiece ? <span key={at}>{piece.text}</span> : piece.text,
      )}
    </p>
  )
})

/**
 * Text written by another person, always rendered as plain text. A very long one is shown in parts,
 * because laying out a million letters freezes the window.
 */
export function UntrustedText({
  text,
  fileName,
  className = styles.words,
}: {
  text: string
  fileName: string
  className?: string | undefined
}) {
  const [most, setMost] = useState(1)
  const { parts, shown } = useMemo(() => partsOf(text, most), [most, text])
  const isWhole = shown >= text.length
  return (
    <>
      <div className={className} dir="auto">
        {parts.map((part, at) => (
          <Part key={at} text={part} />
        ))}
      </div>
      {isWhole ? null : (
        <div className={styles.longer}>
          <span>
            {formatCount(shown)} of {formatCount(text.length)} characters are shown.
          </span>
          {most < MOST_PARTS ? (
            <LinkButton onClick={() => setMost(most + 1)}>Show more</LinkButton>
          ) : null}
          <LinkButton onClick={() => saveText(fileName, text)}>Save full text as file</LinkButton>
        </div>
      )}
    </>
  )
}

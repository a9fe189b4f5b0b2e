import styles from './certificate.module.css'
import { type Lane, type SequenceRow, sequenceRows } from './sequence-rows.ts'

const WIDTH = 520
const HEAD = 28
const ROW = 30
const laneAt: Readonly<Record<Lane, number>> = { service: 62, receiver: 278, shop: 478 }
const laneName: Readonly<Record<Lane, string>> = {
  service: 'Service',
  receiver: 'Your receiver',
  shop: 'Your shop',
}
const lanes = Object.keys(laneAt) as Lane[]

/** The few steps of a failure as a diagram; the list beside it says the same in words. */
export function Sequence({ replay, invariant }: { replay: string; invariant: string }) {
  const rows = sequenceRows(replay, invariant)
  const height = HEAD + rows.length * ROW + 10
  return (
    <svg
      className={styles.sequence}
      viewBox={`0 0 ${WIDTH} ${height}`}
      width={WIDTH}
      height={height}
      aria-hidden
    >
      {lanes.map((lane) => (
        <g key={lane}>
          <text x={laneAt[lane]} y={12}>
            {laneName[lane]}
          </text>
          <line x1={laneAt[lane]} x2={laneAt[lane]} y1={20} y2={height} />
        </g>
      ))}
      {rows.map((row, index) => (
        <Message key={index} row={row} y={HEAD + (index + 1) * ROW - 8} />
      ))}
    </svg>
  )
}

function Message({ row, y }: { row: SequenceRow; y: number }) {
  const [from, to] = [laneAt[row.from], laneAt[row.to]]
  const direction = to > from ? 1 : -1
  const start = from + 4 * direction
  const end = row.cut === true ? (from + to) / 2 : to - 4 * direction
  return (
    <g data-bad={row.bad}>
      {row.step === null ? null : (
        <g className={styles.step}>
          <circle cx={10} cy={y} r={10} />
          <text x={10} y={y + 4}>
            {row.step}
          </text>
        </g>
      )}
      <text x={(from + to) / 2} y={y - 6}>
        {row.text}
      </text>
      <path d={`M ${start} ${y} H ${end}`} data-dashed={direction < 0 || undefined} />
      {row.cut === true ? (
        <path className={styles.cross} d={`M ${end - 4} ${y - 4} l 8 8 m 0 -8 l -8 8`} />
      ) : (
        <path
          d={`M ${end - 6 * direction} ${y - 4} L ${end} ${y} L ${end - 6 * direction} ${y + 4}`}
        />
      )}
    </g>
  )
}

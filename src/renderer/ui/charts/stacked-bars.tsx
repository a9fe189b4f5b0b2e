import { useEffect, useRef, useState } from 'react'
import type { MouseEvent } from 'react'
import { addCents, atLeast, type Cents, ZERO } from '../../../../server/api/money.ts'
import { AXIS_HEIGHT, barAt, namedBars, outlineOf, TOP } from './bar-layout.ts'
import { roundTicks } from './round-ticks.ts'
import styles from './stacked-bars.module.css'

/** The average width of a character of a name, in pixels. */
const LETTER = 5.8
/** The distance between two names below the bars. */
const NAME_GAP = 50

export interface StackedBarsProps {
  /** From the left; the parts of each bar from the bottom, in the order of `colors`. */
  bars: readonly { name: string; parts: readonly Cents[] }[]
  colors: readonly string[]
  /** The space on the right for amounts, in pixels. */
  axisWidth: number
  formatAmount: (cents: Cents) => string
  /** The highlighted bar. */
  lit?: number | null
  onBar?: (at: number) => void
}

function useSize() {
  const element = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState({ width: 0, height: 0 })
  useEffect(() => {
    const observed = element.current
    if (observed === null) return undefined
    const observer = new ResizeObserver(() =>
      setSize({ width: observed.clientWidth, height: observed.clientHeight }),
    )
    observer.observe(observed)
    return () => observer.disconnect()
  }, [])
  return [element, size] as const
}

/** Amounts as stacked bars. Screen readers need the same data as a table. */
export function StackedBars(props: StackedBarsProps) {
  const [element, size] = useSize()
  return (
    <div ref={element} aria-hidden style={{ height: '100%' }}>
      {size.width <= props.axisWidth ? null : <Plot {...props} {...size} />}
    </div>
  )
}

function Plot({
  bars,
  colors,
  axisWidth,
  formatAmount,
  lit = null,
  onBar,
  width,
  height,
}: StackedBarsProps & { width: number; height: number }) {
  const plotWidth = width - axisWidth
  const baseline = height - AXIS_HEIGHT
  const band = plotWidth / Math.max(1, bars.length)
  const most = atLeast(ZERO, ...bars.map(({ parts }) => addCents(...parts)))
  const scale = (baseline - TOP) / Math.max(100, most * 1.05)
  const letters = Math.max(0, ...bars.map(({ name }) => name.length))
  const choose = (event: MouseEvent): void => {
    const { left } = event.currentTarget.getBoundingClientRect()
    const at = barAt(event.clientX - left, plotWidth, bars.length)
    if (at !== null) onBar?.(at)
  }
  return (
    // The table has a link for each bar.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <svg className={styles.plot} onClick={choose}>
      {roundTicks(most).map((cents) => (
        <g key={cents} transform={`translate(0 ${baseline - cents * scale})`}>
          <line x2={plotWidth} />
          <text x={plotWidth + 8} dy="0.355em">
            {formatAmount(cents)}
          </text>
        </g>
      ))}
      {lit === null ? null : (
        <rect className={styles.lit} x={lit * band} y={TOP} width={band} height={baseline - TOP} />
      )}
      {colors.map((color, part) => (
        <path
          key={color}
          fill={color}
          d={outlineOf(
            bars.map(({ parts }) => addCents(ZERO, ...parts.slice(0, part)) * scale),
            bars.map(({ parts }) => (parts[part] ?? 0) * scale),
            band,
            baseline,
          )}
        />
      ))}
      {namedBars(bars.length, band, letters * LETTER, NAME_GAP).map((at) => (
        <text key={at} x={(at + 0.5) * band} y={baseline + 8} dy="0.71em" textAnchor="middle">
          {bars[at]?.name}
        </text>
      ))}
    </svg>
  )
}

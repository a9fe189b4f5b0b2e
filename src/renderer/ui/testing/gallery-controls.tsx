import { Checkbox, Radio, SegmentedControl, Switch, TextInput } from '@mantine/core'
import { IconArrowsUpDown, IconDots, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { cents } from '../../../../server/api/money.ts'
import { BulkBar } from '../layout/bulk-bar.tsx'
import { Button, IconButton } from '../controls/buttons/button.tsx'
import { AddFilter, FilterChip } from '../controls/filters/filter-chip.tsx'
import { KeyCap } from '../controls/buttons/key-cap.tsx'
import { Lead } from '../data-display/amounts/lead.tsx'
import { Timeline } from '../data-display/timeline.tsx'
import { MaskedKey } from '../data-display/identity/masked-key.tsx'
import { MiniBars } from '../charts/mini-bars.tsx'
import { ModeBadge } from '../data-display/identity/mode-badge.tsx'
import { SearchField } from '../controls/fields/search-field.tsx'
import { StatusTag } from '../data-display/status-tag.tsx'
import { Stock } from '../data-display/amounts/stock.tsx'
import { ClaimClock, TimeLeft } from '../data-display/time-left.tsx'
import { UploadGrid, UploadLegend } from '../charts/upload-grid.tsx'
import { GalleryRows } from './gallery-rows.tsx'
import styles from './gallery.module.css'
import { HOUR_MS } from '../../../../server/api/time.ts'

const day = 24 * HOUR_MS

export function Place({
  x,
  y,
  w,
  title,
  detail,
  children,
}: {
  x: number
  y: number
  w: number
  title: string
  detail?: string
  children: ReactNode
}) {
  return (
    <section className={styles.place} style={{ left: x, top: y, width: w }}>
      <h2 className={styles.title}>
        {title}
        {detail === undefined ? null : <span> {detail}</span>}
      </h2>
      {children}
    </section>
  )
}

function Line({
  label,
  children,
  gap = 8,
  height = 37,
}: {
  label: string
  children: ReactNode
  gap?: number
  height?: number
}) {
  return (
    <div className={styles.line} style={{ minHeight: height, gap }}>
      <span className={styles.label}>{label}</span>
      {children}
    </div>
  )
}

/** Every control and row state. */
export function Controls() {
  return (
    <main className={styles.board}>
      <Place x={36} y={330} w={300} title="Mode: text, color and shape">
        <div className={styles.line} style={{ gap: 8 }}>
          <ModeBadge mode="live" />
          <ModeBadge mode="test" />
          <ModeBadge mode="sandbox" />
        </div>
      </Place>
      <Place x={36} y={400} w={300} title="A key, masked">
        <MaskedKey
          masked="K7QXM-•••••-•••••"
          label="key 1"
          onReveal={() => Promise.resolve('K7QXM-12345-67890')}
          onCopy={() => Promise.resolve()}
        />
      </Place>
      <Place x={36} y={480} w={300} title="One square, one request">
        <UploadGrid squares="ssssassssssssafwwwwwwwwx" />
        <div style={{ height: 12 }} />
        <UploadLegend requestsPerSquare={1} refused />
      </Place>
      <Place x={36} y={640} w={300} title="What happened">
        <Timeline
          label="What happened"
          events={[
            { id: '1', title: 'Order placed', at: '14:57:41', kind: 'done' },
            { id: '2', title: 'Claimed', at: '20 Nov', detail: 'With a screenshot', kind: 'claim' },
            { id: '3', title: 'Escalates', at: 'today, 20:44', kind: 'next' },
          ]}
        />
      </Place>
      <Place x={376} y={30} w={604} title="Table rows">
        <div className={styles.box} style={{ height: 432, display: 'flex' }}>
          <GalleryRows />
        </div>
      </Place>
      <Place x={376} y={505} w={604} title="Bulk bar">
        <div style={{ position: 'relative', height: 90 }}>
          <BulkBar selected={12} total={1284} onSelectAll={() => {}} onClose={() => {}}>
            <Button icon={<IconPlayerPause size={16} stroke={1.6} />} keys={['U']}>
              Pause
            </Button>
            <Button icon={<IconPlayerPlay size={16} stroke={1.6} />}>Activate</Button>
            <Button icon={<IconArrowsUpDown size={16} stroke={1.6} />} keys={['P']}>
              Re-price…
            </Button>
            <IconButton label="More">
              <IconDots size={16} stroke={1.6} />
            </IconButton>
          </BulkBar>
        </div>
      </Place>
      <Place x={376} y={730} w={604} title="Time left">
        <div className={styles.line} style={{ gap: 26 }}>
          <TimeLeft leftMs={68 * HOUR_MS} wholeMs={3 * day} />
          <TimeLeft leftMs={14.67 * HOUR_MS} wholeMs={2 * day} />
          <TimeLeft leftMs={5.2 * HOUR_MS} wholeMs={3 * day} />
          <ClaimClock leftMs={4 * day + 23 * HOUR_MS} />
          <ClaimClock leftMs={20 * HOUR_MS} />
        </div>
      </Place>
      <Place x={1019} y={30} w={390} title="Buttons">
        <Line label="Primary">
          <Button kind="primary" keys={['Enter']}>
            Save price
          </Button>
          <Button kind="primary">Next</Button>
          <Button kind="primary" disabled>
            Off
          </Button>
        </Line>
        <Line label="Standard">
          <Button>Withdraw…</Button>
          <Button disabled>Off</Button>
        </Line>
        <Line label="Quiet">
          <Button kind="quiet">Discard</Button>
        </Line>
        <Line label="Danger">
          <Button kind="danger">Refund…</Button>
          <Button kind="final">Refund EUR 34.54</Button>
        </Line>
      </Place>
      <Place x={1019} y={217} w={390} title="Fields">
        <Line label="Rest" height={42}>
          <TextInput size="md" flex={1} aria-label="Rest" defaultValue="12.40" />
        </Line>
        <Line label="Invalid" height={62}>
          <TextInput
            size="md"
            flex={1}
            aria-label="Invalid"
            defaultValue="12.405"
            error="At most two decimals"
          />
        </Line>
        <Line label="Off" height={42}>
          <TextInput size="md" flex={1} aria-label="Off" defaultValue="12.40" disabled />
        </Line>
        <Line label="Search" height={42}>
          <SearchField
            label="Filter these offers"
            value=""
            onChange={() => {}}
            width={302}
            list={{ current: null }}
          />
        </Line>
      </Place>
      <Place x={1019} y={482} w={390} title="Choice">
        <div className={styles.line} style={{ gap: 16 }}>
          <Checkbox aria-label="Off" />
          <Checkbox aria-label="On" defaultChecked />
          <Checkbox aria-label="Some" indeterminate readOnly />
          <Radio aria-label="Other" size="xs" />
          <Radio aria-label="This" size="xs" defaultChecked />
          <Switch aria-label="Off" />
          <Switch aria-label="On" defaultChecked />
          <SegmentedControl aria-label="Days" data={['7 d', '30 d', '90 d']} defaultValue="30 d" />
        </div>
      </Place>
      <Place x={1019} y={556} w={390} title="Chips and tags">
        <div className={styles.line} style={{ gap: 6, marginBottom: 10 }}>
          <FilterChip label="Platform is" value="Steam" onRemove={() => {}} />
          <AddFilter onClick={() => {}} />
        </div>
        <div className={styles.line} style={{ gap: 7 }}>
          <StatusTag>Paused</StatusTag>
          <StatusTag tone="ok">Completed</StatusTag>
          <StatusTag tone="warn">Partially completed</StatusTag>
          <StatusTag tone="bad">Failed</StatusTag>
          <StatusTag tone="info">Processing</StatusTag>
        </div>
      </Place>
      <Place x={1019} y={654} w={390} title="Lead, stock, demand">
        <div className={styles.line} style={{ justifyContent: 'space-between' }}>
          <Lead state={{ kind: 'leading', distanceCents: cents(25) }} />
          <Lead state={{ kind: 'behind', distanceCents: cents(45) }} />
          <Lead state={{ kind: 'word', word: 'Not listed' }} />
          <Stock count={8} lowAt={10} />
          <Stock count={0} lowAt={10} />
          <span className={styles.line} style={{ gap: 8 }}>
            <MiniBars values={[5, 4, 6, 5, 8, 7, 9]} label="Sold in seven days" />
            90
          </span>
        </div>
      </Place>
      <Place x={1019} y={722} w={390} title="Keyboard">
        <div className={styles.line} style={{ gap: 6 }}>
          <KeyCap name="Ctrl" />
          <KeyCap name="K" />
          <KeyCap name="G" />
          then
          <KeyCap name="O" />
          <KeyCap name="?" />
          shows all
        </div>
      </Place>
    </main>
  )
}

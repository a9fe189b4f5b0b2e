import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPencil } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ImportFile } from '../../../../contract/keys/import-records.ts'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { IconButton } from '../../../ui/controls/buttons/button.tsx'
import { formatCount } from '../../../ui/format.ts'
import { NameCell } from '../../../ui/table/cells/name-cell.tsx'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import type { ImportFileProps } from './file-props.ts'
import shared from '../key-import.module.css'
import styles from './check.module.css'
import { MissingOffers } from './missing-offers.tsx'

type Target = ImportFile['targets'][number]
const matchWords: Record<Target['matchedBy'], string> = {
  'offer-id': 'Offer ID',
  'product-id': 'Product ID',
  name: 'Name',
  chosen: 'Your choice',
  none: 'No match',
}

/** The offers a file's lines go to: one per value of its offer column, or one for all lines. */
export function Targets(of: ImportFileProps) {
  const { file } = of
  if (file.targets.length === 0) return null
  const column =
    file.settings.offerColumn === null ? null : (file.columns[file.settings.offerColumn] ?? null)
  const open = file.targets.filter(
    (target) => target.offerId === null && target.matchedBy === 'none' && target.value !== null,
  ).length
  return (
    <>
      {open === 0 ? null : <MissingOffers {...of} values={open} />}
      <table
        className={`${shared.table ?? ''} ${styles.targets ?? ''}`}
        aria-label="Offers for these lines"
      >
        <thead>
          <tr>
            <th scope="col">
              {column === null ? (
                'Lines of'
              ) : (
                <>
                  In column <span className="kd-mono">{column}</span>
                </>
              )}
            </th>
            <th scope="col" className={shared.end}>
              Lines
            </th>
            <th scope="col">Offer</th>
            <th scope="col">Matched by</th>
          </tr>
        </thead>
        <tbody>
          {file.targets.slice(0, 200).map((target) => {
            const isOpen = target.offerId === null && target.matchedBy !== 'chosen'
            return (
              <tr key={target.value ?? ''} data-open={isOpen || undefined}>
                <td className="kd-mono" title={target.value ?? undefined}>
                  {target.value ?? 'this file'}
                </td>
                <td className={shared.end}>{formatCount(target.lines)}</td>
                <td>
                  <OfferOf {...of} target={target} />
                </td>
                <td className={isOpen ? styles.warn : undefined}>
                  {target.offerId === null && target.matchedBy === 'chosen'
                    ? 'Skipped'
                    : matchWords[target.matchedBy]}
                </td>
              </tr>
            )
          })}
          {file.targets.length > 200 ? (
            <tr>
              <td colSpan={4} className={shared.grey}>
                and {formatCount(file.targets.length - 200)} more values
              </td>
            </tr>
          ) : null}
        </tbody>
      </table>
    </>
  )
}

/** The offer of a value: text with an edit button if it was matched, otherwise a select. */
function OfferOf({ target, ...of }: ImportFileProps & { target: Target }) {
  const [changing, setChanging] = useState(false)
  if (
    changing ||
    target.offerName === null ||
    target.matchedBy === 'chosen' ||
    target.value === null
  )
    return <OfferSelect {...of} target={target} autoFocus={changing} />
  return (
    <div className={styles.matched}>
      <NameCell
        name={target.offerName}
        detail={variantLabel({
          platform: target.platform ?? '',
          region: target.region ?? '',
          deliveryType: target.deliveryType ?? '',
        })}
      />
      <IconButton
        small
        label={`Change the offer for ${target.value}`}
        onClick={() => setChanging(true)}
      >
        <IconPencil size={14} stroke={1.6} />
      </IconButton>
    </div>
  )
}

const leaveOut = 'leave-out'

/** The chosen offer as an option; null without one. */
const currentOf = ({ offerId, offerName, platform, region }: Target) =>
  offerId === null
    ? null
    : {
        value: offerId,
        label: `${offerName ?? offerId} · ${platform ?? ''} · ${region ?? ''}`,
      }

function OfferSelect({
  importId,
  accountId,
  file: { fileId, name: fileName },
  target,
  autoFocus,
}: ImportFileProps & { target: Target; autoFocus: boolean }) {
  const [typed, setTyped] = useState('')
  const [query] = useDebouncedValue(typed, 150)
  const offers = useQuery({
    ...api.offers.list.queryOptions({
      input: {
        accountId,
        query: query === currentOf(target)?.label ? '' : query,
        window: { offset: 0, limit: 50 },
      },
    }),
    placeholderData: keepPreviousData,
  })
  const current = currentOf(target)
  const first = offers.data?.rows[0]?.offerId
  const input = useRef<HTMLInputElement>(null)
  const [opened, setOpened] = useState(false)
  const isFound = typed !== '' && typed === query && typed !== current?.label
  useEffect(() => {
    // The list of offers arrives after the typed text, so the dropdown can't select its first one.
    if (!opened || !isFound || offers.isPlaceholderData || first === undefined) return
    if (input.current?.getAttribute('aria-activedescendant') !== null) return
    input.current.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'ArrowDown', code: 'ArrowDown', bubbles: true }),
    )
  }, [opened, isFound, offers.isPlaceholderData, first])
  const choose = useMutation(
    api.imports.chooseOffer.mutationOptions({
      onError: (error, { value }) => toastProblem(problemOf(error), value ?? fileName),
    }),
  )
  const found = (offers.data?.rows ?? []).map((row) => ({
    value: row.offerId,
    label: `${row.name} · ${variantLabel(row)}`,
  }))
  const isListed = current === null || found.some(({ value }) => value === current.value)
  return (
    <Select
      aria-label={`Offer for ${target.value ?? 'this file'}`}
      placeholder="Choose an offer or skip"
      searchable
      ref={input}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
      allowDeselect={false}
      autoFocus={autoFocus}
      maxDropdownHeight={280}
      disabled={choose.isPending}
      data={[
        ...(isListed ? [] : [current]),
        ...found,
        { value: leaveOut, label: 'Skip these lines' },
      ]}
      filter={({ options }) => options}
      nothingFoundMessage="No matching offers"
      value={target.offerId ?? (target.matchedBy === 'chosen' ? leaveOut : null)}
      onSearchChange={setTyped}
      onChange={(value) => {
        if (value !== null)
          choose.mutate({
            importId,
            fileId,
            value: target.value,
            offerId: value === leaveOut ? null : value,
          })
      }}
    />
  )
}
